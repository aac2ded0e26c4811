/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as ThreadX does: a scheduler waits for a task on the system stack, on which traps
 * are handled, too; a trap that preempts a task, or interrupts the scheduler, jumps to it.
 * Tasks that gave up the hart have a short frame and continue by ret, preempted ones by
 * mret. */
#include "kernel.h"

#define FRAME	    256
#define FRAME_PC_AT 240
#define SHORT_FRAME 128

	.cfi_sections .debug_frame
	.section .text.start, "ax"

label _start
	.cfi_undefined ra
	la	sp, stack_top
	call	kernel_main
	j	schedule
end_label

	.text

/* The registers that C may change, and s0, except ra, t0 and t1. */
.macro each_kept op
	\op	t2, 136(sp)
	\op	s0, 96(sp)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	\op	a\n, 216 - 8 * \n(sp)
	.endr
	\op	t3, 128(sp)
	\op	t4, 120(sp)
	\op	t5, 112(sp)
	\op	t6, 104(sp)
.endm

.macro each_saved op, at
	\op	s1, 88(\at)
	.irp n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 96 - 8 * \n(\at)
	.endr
.endm

/* Continues a preempted task from the frame at sp, whose other registers are unchanged. */
.macro resume_temporary
	ld	t0, FRAME_PC_AT(sp)
	csrw	mepc, t0
	li	t0, 0x1880
	csrw	mstatus, t0
	ld	ra, 224(sp)
	ld	t0, 152(sp)
	ld	t1, 144(sp)
	each_kept ld
	addi	sp, sp, FRAME
	mret
.endm

label schedule
	span SPAN_OWNER
	csrsi	mstatus, 8
	la	t0, currents
1:
	ld	t1, 0(t0)
	beqz	t1, 1b
	csrci	mstatus, 8
	la	t0, running
	sd	t1, 0(t0)
	end_span
	span SPAN_LEAVING
	ld	sp, TASK_SP(t1)
	ld	t2, 0(sp)
	beqz	t2, 2f
	each_saved ld, sp
	resume_temporary
2:
	ld	ra, 104(sp)
	ld	s0, 96(sp)
	each_saved ld, sp
	ld	t0, 112(sp)
	csrw	mstatus, t0
	addi	sp, sp, SHORT_FRAME
	ret
	end_span
end_label

/* Saves the running task and leaves for the scheduler. */
label system_return
	addi	sp, sp, -SHORT_FRAME
	.cfi_def_cfa_offset SHORT_FRAME
	sd	zero, 0(sp)
	sd	ra, 104(sp)
	sd	s0, 96(sp)
	each_saved sd, sp
	csrr	t0, mstatus
	sd	t0, 112(sp)
	csrci	mstatus, 15
	la	t0, running
	ld	t1, 0(t0)
	la	t2, system_stack
	sd	sp, TASK_SP(t1)
	span SPAN_LEAVING
	ld	sp, 0(t2)
	la	t2, schedule
	sd	zero, 0(t0)
	jr	t2
	end_span
end_label

	.balign	4
label trap_entry
	span SPAN_TRAP
	addi	sp, sp, -FRAME
	sd	ra, 224(sp)
	call	context_save
	csrr	a0, mcause
	csrr	a1, mepc
	addi	sp, sp, -16
	sd	ra, 0(sp)
	call	trap_handler
	ld	ra, 0(sp)
	addi	sp, sp, 16
	call	context_restore
1:
	wfi
	j	1b
	end_span
end_label

/* Returns on the system stack. */
label context_save
	sd	t0, 152(sp)
	sd	t1, 144(sp)
	la	t0, system_state
	ld	t1, 0(t0)
	beqz	t1, 1f
	addi	t1, t1, 1
	sd	t1, 0(t0)
	each_kept sd
	csrr	t0, mepc
	sd	t0, FRAME_PC_AT(sp)
	ret
1:
	addi	t1, t1, 1
	sd	t1, 0(t0)
	ld	t0, running
	beqz	t0, 2f
	each_kept sd
	csrr	t0, mepc
	sd	t0, FRAME_PC_AT(sp)
	ld	t1, running
	sd	sp, TASK_SP(t1)
	ld	sp, system_stack
	ret
2:
	addi	sp, sp, FRAME
	ret
end_label

/* Does not return. */
label context_restore
	csrci	mstatus, 8
	la	t0, system_state
	ld	t1, 0(t0)
	addi	t1, t1, -1
	sd	t1, 0(t0)
	beqz	t1, 1f
	span SPAN_LEAVING
	resume_temporary
	end_span
1:
	ld	t1, running
	beqz	t1, 4f
	ld	t2, preempt_disable
	bgtz	t2, 2f
	ld	t2, currents
	bne	t1, t2, 3f
2:
	span SPAN_LEAVING
	ld	sp, TASK_SP(t1)
	resume_temporary
	end_span
3:
	ld	t0, TASK_SP(t1)
	ori	t3, x0, 1
	sd	t3, 0(t0)
	each_saved sd, t0
	sd	x0, running, t0
4:
	j	schedule
end_label
