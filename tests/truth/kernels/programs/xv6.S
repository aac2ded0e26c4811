/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as xv6 does: in S-mode, by swtch() to a scheduler with a stack on each hart and
 * from it to a task; a timer interrupt of M-mode raises a software interrupt, which is
 * handled on the kernel stack of the task. With USER, tasks run in U-mode on another
 * stack, and enter the kernel on their kernel stack; with SV39, each in an address space,
 * which only the code that enters and leaves the kernel shares with it. */
#include "xv6.h"

#define FRAME 256

	.cfi_sections .debug_frame
	.text

.macro each_but_sp_tp op
	\op	ra, 0(sp)
	\op	gp, 16(sp)
	.irp n, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\n, 8 * \n - 8(sp)
	.endr
.endm

	.balign	4
label kernelvec
	span SPAN_TRAP
	addi	sp, sp, -FRAME
	each_but_sp_tp sd
	sd	sp, 8(sp)
	sd	tp, 24(sp)
	call	kerneltrap
	ld	ra, 0(sp)
	ld	sp, 8(sp)
	ld	gp, 16(sp)
	each_but_sp_tp ld
	addi	sp, sp, FRAME
	sret
	end_span
end_label

.macro each_of_context op, at
	\op	ra, 0(\at)
	\op	sp, 8(\at)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 16 + 8 * \n(\at)
	.endr
.endm

/* swtch(save, load) */
label swtch
	each_of_context sd, a0
	span SPAN_LEAVING
	each_of_context ld, a1
	ret
	end_span
end_label

#ifdef USER
#define TRAP_KERNEL_SP	 8
#define TRAP_KERNEL_TRAP 16
#define TRAP_HART	 32

.macro each_of_user op
	\op	ra, 40(a0)
	\op	sp, 48(a0)
	\op	gp, 56(a0)
	\op	tp, 64(a0)
	\op	t0, 72(a0)
	\op	t1, 80(a0)
	\op	t2, 88(a0)
	\op	s0, 96(a0)
	\op	s1, 104(a0)
	.irp n, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, \
		27, 28, 29, 30, 31
	\op	x\n, 8 * \n + 32(a0)
	.endr
.endm

#ifdef SV39
#define TRAP_KERNEL_SATP 0

/* Mapped at TRAMPOLINE in all address spaces. */
	.section .text.trampoline, "ax"
	.balign	4096
	.globl	trampoline
trampoline:
#endif

	.balign	4
label uservec
	span SPAN_TRAP
#ifdef SV39
	csrw	sscratch, a0
	li	a0, TRAPFRAME
#else
	csrrw	a0, sscratch, a0
#endif
	each_of_user sd
	csrr	t0, sscratch
	sd	t0, 112(a0)
#ifndef SV39
	csrw	sscratch, a0
#endif
	ld	sp, TRAP_KERNEL_SP(a0)
	ld	tp, TRAP_HART(a0)
	ld	t0, TRAP_KERNEL_TRAP(a0)
#ifdef SV39
	ld	t1, TRAP_KERNEL_SATP(a0)
	sfence.vma
	csrw	satp, t1
	sfence.vma
#endif
	jr	t0
	end_span
end_label

/* userret(trapframe), or userret(satp) */
label userret
#ifdef SV39
	sfence.vma
	span SPAN_LEAVING
	csrw	satp, a0
	sfence.vma
	li	a0, TRAPFRAME
#else
	csrw	sscratch, a0
	span SPAN_LEAVING
#endif
	each_of_user ld
	ld	a0, 112(a0)
	sret
	end_span
end_label
#endif
