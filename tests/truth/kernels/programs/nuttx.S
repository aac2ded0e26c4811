/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as NuttX does: registers with sp among them on the task's stack, traps on the
 * hart's interrupt stack, whose handler returns the frame to resume; sp is loaded twice,
 * first with the address of the frame, then from it. With ON_TASK_STACK, traps are
 * handled on the task's stack. With USER, tasks run in U-mode, and their registers are saved
 * on another stack in the kernel. */
#include "kernel.h"

#define FRAME	     272
#define FRAME_PC_AT  0
#define FRAME_SP_AT  16
#define FRAME_STATUS_AT 256
#define ISR_SHIFT    11
/* struct cpu, in mscratch, for tasks in U-mode */
#define CPU_USER_SP	0
#define CPU_KERNEL_SP	8 /* 0 in the kernel */
#define CAUSE_USER_CALL 8

	.cfi_sections .debug_frame
	.bss
	.balign	16
	.globl	isr_stack, isr_stack_top
isr_stack:
	.skip	HARTS << ISR_SHIFT
isr_stack_top:

	.text

.macro each op
	\op	x1, 8(sp)
	.irp n, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\n, 8 * \n(sp)
	.endr
.endm

/* Sets t0 to the end of the hart's interrupt stack, and t1 to its start. */
.macro interrupt_stack
	la	t0, isr_stack_top
#if HARTS > 1
	csrr	t1, mhartid
	slli	t1, t1, ISR_SHIFT
	sub	t0, t0, t1
	li	t1, 1 << ISR_SHIFT
	sub	t1, t0, t1
#else
	la	t1, isr_stack
#endif
.endm

	.balign	256
label exception_common
	span SPAN_TRAP
#ifdef USER
	csrrw	a0, mscratch, a0
	sd	sp, CPU_USER_SP(a0)
	ld	sp, CPU_KERNEL_SP(a0)
	sd	x0, CPU_KERNEL_SP(a0)
	bnez	sp, 1f
	ld	sp, CPU_USER_SP(a0)
1:
	csrrw	a0, mscratch, a0
#endif
	addi	sp, sp, -FRAME
	each sd
	csrr	s0, mstatus
	csrr	s1, mepc
	csrr	s2, mcause
#ifdef USER
	csrr	s3, mscratch
	ld	s3, CPU_USER_SP(s3)
#else
	addi	s3, sp, FRAME
#endif
	sd	s0, FRAME_STATUS_AT(sp)
	sd	s1, FRAME_PC_AT(sp)
	sd	s3, FRAME_SP_AT(sp)
#ifdef USER
	li	s3, CAUSE_USER_CALL
	bne	s2, s3, 3f
	csrsi	mstatus, 8
	addi	s1, s1, 4
	sd	s1, FRAME_PC_AT(sp)
	mv	a0, sp
	call	dispatch_syscall
	csrci	mstatus, 8
	mv	a0, sp
	tail	return_from_exception
3:
#endif
	mv	a0, s2
	mv	a1, sp
	mv	s0, a1
#ifndef ON_TASK_STACK
	interrupt_stack
	blt	sp, t1, 1f
	bgt	sp, t0, 1f
	j	2f
1:
	mv	sp, t0
2:
#endif
	addi	sp, sp, -16
	sd	ra, 8(sp)
	sd	s0, 0(sp)
	addi	s0, sp, 16
	jal	ra, dispatch
	ld	ra, 8(sp)
	ld	s0, 0(sp)
	addi	sp, sp, 16
	end_span
	.globl	return_from_exception
	.type	return_from_exception, @function
return_from_exception:
	span SPAN_LEAVING
	mv	sp, a0
	ld	s0, FRAME_PC_AT(sp)
	csrw	mepc, s0
	ld	s0, FRAME_STATUS_AT(sp)
	csrw	mstatus, s0
#ifdef USER
	li	s1, 0x1800
	and	s0, s0, s1
	bnez	s0, 1f
	addi	a0, sp, FRAME
	csrr	s0, mscratch
	sd	a0, CPU_KERNEL_SP(s0)
1:
#endif
	each ld
	ld	sp, FRAME_SP_AT(sp)
	mret
	end_span
end_label
