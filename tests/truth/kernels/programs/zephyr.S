/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as Zephyr does: a trap saves caller-saved registers on the task's stack, goes to
 * the hart's interrupt stack unless it is on it, and at its end may call task_switch(), which
 * changes callee-saved registers, kept in the tasks' structures, and returns in another
 * task: inside a trap as well, in a call to give up the hart, or at the start of a task. With
 * BY_ECALL, such a call is an ecall, which is handled on the task's stack. */
#include "kernel.h"

/* struct cpu */
#define CPU_NESTED    0
#define CPU_ISR_STACK 8

#define FRAME	  160
#define FRAME_PC_AT 0
#define FRAME_STATUS_AT 8
#define FRAME_RA_AT 16
#define FRAME_S0_AT 24

	.cfi_sections .debug_frame
	.text

.macro each_caller_saved op
	\op	ra, FRAME_RA_AT(sp)
	\op	t0, 32(sp)
	\op	t1, 40(sp)
	\op	t2, 48(sp)
	\op	t3, 56(sp)
	\op	t4, 64(sp)
	\op	t5, 72(sp)
	\op	t6, 80(sp)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	\op	a\n, 88 + 8 * \n(sp)
	.endr
.endm

.macro each_callee_saved op, at
	\op	ra, TASK_CONTEXT(\at)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, TASK_CONTEXT + 8 + 8 * \n(\at)
	.endr
.endm

/* task_switch(to, from) */
label task_switch
	each_callee_saved sd, a1
	sd	sp, TASK_SP(a1)
	fence	rw, w
	sd	a1, TASK_SAVED(a1)
	span SPAN_LEAVING
	ld	sp, TASK_SP(a0)
	ld	tp, TASK_CONTEXT + 104(a0)
	each_callee_saved ld, a0
	ret
	end_span
end_label

	.balign	256
label isr_wrapper
	span SPAN_TRAP
	addi	sp, sp, -FRAME
	each_caller_saved sd
	sd	s0, FRAME_S0_AT(sp)
	csrr	s0, mscratch
	csrr	t0, mepc
	sd	t0, FRAME_PC_AT(sp)
	csrr	t2, mstatus
	sd	t2, FRAME_STATUS_AT(sp)
#ifdef BY_ECALL
	csrr	t0, mcause
	bltz	t0, is_interrupt
	ld	t0, FRAME_PC_AT(sp)
	addi	t0, t0, 4
	sd	t0, FRAME_PC_AT(sp)
	ld	a0, 88(sp)
	ld	a1, 96(sp)
	j	reschedule
is_interrupt:
#endif
	lw	t1, CPU_NESTED(s0)
	addi	t2, t1, 1
	sw	t2, CPU_NESTED(s0)
	bnez	t1, 1f
	mv	t0, sp
	ld	sp, CPU_ISR_STACK(s0)
	addi	sp, sp, -16
	sd	t0, 0(sp)
1:
	csrr	a0, mcause
	la	t1, handlers
	andi	a0, a0, 15
	slli	t0, a0, 3
	add	t1, t1, t0
	ld	t1, 0(t1)
	jalr	ra, t1, 0
	lw	t2, CPU_NESTED(s0)
	addi	t2, t2, -1
	sw	t2, CPU_NESTED(s0)
	bnez	t2, 3f
	ld	sp, 0(sp)
	addi	sp, sp, -16
	call	task_current
	sd	a0, 0(sp)
	call	task_next
	ld	a1, 0(sp)
	addi	sp, sp, 16
	beqz	a0, 3f
reschedule:
	call	task_switch
	.globl	thread_start
thread_start:
	csrr	s0, mscratch
3:
	ld	t0, FRAME_PC_AT(sp)
	ld	t2, FRAME_STATUS_AT(sp)
	csrw	mepc, t0
	csrw	mstatus, t2
	ld	s0, FRAME_S0_AT(sp)
	each_caller_saved ld
	addi	sp, sp, FRAME
	mret
	end_span
end_label
