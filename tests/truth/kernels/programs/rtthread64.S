/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as RT-Thread does in S-mode: traps are handled on the task's stack, and at their end
 * may call context_switch() as tasks do that give up the hart; it calls a function on the next
 * task's stack, and returns by sret. */
#include "kernel.h"

#define FRAME	     272
#define SWITCH_FRAME 128

	.cfi_sections .debug_frame
	.text

.macro each_from_3 op
	.irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\n, 8 * \n(sp)
	.endr
.endm

.macro each_of_switch op
	.irp n, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0
	\op	s\n, 96 - 8 * \n(sp)
	.endr
	\op	ra, 104(sp)
	\op	tp, 112(sp)
.endm

.macro restore_context
	call	task_self
	mv	s1, a0
	ld	s11, 0(sp)
	csrw	sstatus, s11
	ld	s11, 8(sp)
	each_of_switch ld
	addi	sp, sp, SWITCH_FRAME
	csrw	sepc, ra
	sret
.endm

/* context_switch_to(to): starts the first task. */
label context_switch_to
	nop
	span SPAN_LEAVING
	ld	sp, (a0)
	restore_context
	end_span
end_label

/* context_switch(from, to) */
label context_switch
	addi	sp, sp, -SWITCH_FRAME
	.cfi_def_cfa_offset SWITCH_FRAME
	each_of_switch sd
	sd	s11, 8(sp)
	csrr	s11, sstatus
	li	s10, 0x100
	or	s11, s11, s10
	sd	s11, 0(sp)
	sd	sp, (a0)
	span SPAN_LEAVING
	ld	sp, (a1)
	restore_context
	end_span
end_label

/* A task begins here, with what it runs on its stack. */
label task_entry
	span SPAN_ROOT
	ld	ra, 8(sp)
	ld	a0, 16(sp)
	ld	t0, 24(sp)
	addi	sp, sp, 32
	jr	t0
	end_span
end_label

label trap_entry
	span SPAN_TRAP
	csrrw	sp, sscratch, sp
	bnez	sp, 1f
	csrr	sp, sscratch
	j	1f
1:
	addi	sp, sp, -FRAME
	sd	ra, 8(sp)
	csrr	ra, sstatus
	sd	ra, 16(sp)
	csrr	ra, sepc
	sd	ra, 0(sp)
	each_from_3 sd
	csrr	t0, sscratch
	sd	t0, 256(sp)
	csrw	sscratch, zero
	csrr	a0, scause
	mv	a1, sp
	call	handle_trap
	la	s0, switch_flag
	lw	s2, 0(s0)
	beqz	s2, 2f
	sw	zero, 0(s0)
	ld	a0, switch_from
	ld	a1, switch_to
	csrr	t0, sstatus
	andi	t0, t0, ~0x20
	csrw	sstatus, t0
	jal	ra, context_switch
2:
	end_span
	span SPAN_LEAVING
	addi	t0, sp, FRAME
	csrw	sscratch, t0
	ld	ra, 0(sp)
	csrw	sepc, ra
	ld	ra, 16(sp)
	csrw	sstatus, ra
	ld	ra, 8(sp)
	each_from_3 ld
	ld	sp, 256(sp)
	csrw	sscratch, zero
	sret
	end_span
end_label
