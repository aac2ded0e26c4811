/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as RT-Thread does: a trap swaps sp with mscratch, or stays on the task's stack
 * (ON_TASK_STACK), and at its end flags tell from which task to which it switches; a task
 * that gives up the hart saves a frame of the same form, and continues by mret as well. On
 * two harts a trap has the hart's stack, and a function that it calls on the task's stack
 * then switches and does not return. */
#include "kernel.h"

#define FRAME	  256
#define ISR_SHIFT 11

	.cfi_sections .debug_frame
	.bss
	.balign	16
	.globl	isr_stack, isr_stack_top
isr_stack:
	.skip	HARTS << ISR_SHIFT
isr_stack_top:

	.text

.macro each_from_6 op
	.irp n, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
		23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\n, 8 * \n(sp)
	.endr
.endm

/* context_switch_to(to): starts the first task. */
label context_switch_to
	nop
	span SPAN_LEAVING
	ld	sp, (a0)
#if HARTS > 1
	call	switched
#endif
	ld	a0, 16(sp)
	csrw	mstatus, a0
	j	context_switch_exit
	end_span
end_label

/* context_switch(from, to) */
label context_switch
	addi	sp, sp, -FRAME
	.cfi_def_cfa_offset FRAME
	sd	sp, (a0)
	sd	ra, 0(sp)
	sd	ra, 8(sp)
	csrr	a0, mstatus
	andi	a0, a0, 8
	beqz	a0, 1f
	li	a0, 0x80
1:
	sd	a0, 16(sp)
	sd	tp, 32(sp)
	sd	t0, 40(sp)
	each_from_6 sd
	span SPAN_LEAVING
	ld	sp, (a1)
#if HARTS > 1
	call	switched
#endif
	j	context_switch_exit
	end_span
end_label

#if HARTS > 1
/* context_switch_interrupt(frame, from, to) */
label context_switch_interrupt
	sd	a0, (a1)
	span SPAN_LEAVING
	ld	sp, (a2)
	call	switched
	j	context_switch_exit
	end_span
end_label
#endif

label context_switch_exit
	span SPAN_LEAVING
	ld	a0, 0(sp)
	csrw	mepc, a0
	ld	ra, 8(sp)
	li	t0, 0x1800
	csrw	mstatus, t0
	ld	a0, 16(sp)
	csrs	mstatus, a0
	ld	tp, 32(sp)
	ld	t0, 40(sp)
	each_from_6 ld
	addi	sp, sp, FRAME
	mret
	end_span
end_label

	.balign	4
label trap_entry
	span SPAN_TRAP
	addi	sp, sp, -FRAME
	sd	t0, 40(sp)
	sd	ra, 8(sp)
	li	t0, 0x80
	sd	t0, 16(sp)
	sd	tp, 32(sp)
	each_from_6 sd
#if HARTS > 1
	csrr	ra, mepc
	sd	ra, 0(sp)
	mv	s0, sp
	csrr	t0, mhartid
	la	sp, isr_stack
	addi	t1, t0, 1
	slli	t1, t1, ISR_SHIFT
	add	sp, sp, t1
	call	interrupt_enter
	csrr	a0, mcause
	call	handle_trap
	call	interrupt_leave
	mv	sp, s0
	mv	a0, s0
	call	irq_switch
	tail	context_switch_exit
	end_span
#elif defined(ON_TASK_STACK)
	csrr	ra, mepc
	sd	ra, 0(sp)
	mv	s0, sp
	call	interrupt_enter
	csrr	a0, mcause
	call	handle_trap
	call	interrupt_leave
	mv	sp, s0
	la	s0, switch_flag
	lw	s1, 0(s0)
	beqz	s1, 1f
	sw	zero, 0(s0)
	ld	s1, switch_from
	sd	sp, 0(s1)
	ld	s1, switch_to
	end_span
	span SPAN_LEAVING
	ld	sp, 0(s1)
1:
	j	context_switch_exit
	end_span
#else
	csrrw	sp, mscratch, sp
	call	interrupt_enter
	csrr	a0, mcause
	jal	ra, handle_trap
	call	interrupt_leave
	csrrw	sp, mscratch, sp
	la	t0, switch_flag
	lw	t2, 0(t0)
	beqz	t2, 1f
	sw	zero, 0(t0)
	csrr	a0, mepc
	sd	a0, 0(sp)
	la	t0, switch_from
	ld	t1, 0(t0)
	sd	sp, 0(t1)
	la	t0, switch_to
	ld	t1, 0(t0)
	end_span
	span SPAN_LEAVING
	ld	sp, 0(t1)
	ld	a0, 0(sp)
	csrw	mepc, a0
1:
	ld	ra, 8(sp)
	li	t0, 0x1800
	csrs	mstatus, t0
	ld	t0, 16(sp)
	csrs	mstatus, t0
	ld	tp, 32(sp)
	ld	t0, 40(sp)
	each_from_6 ld
	addi	sp, sp, FRAME
	mret
	end_span
#endif
end_label
