/* SPDX-License-Identifier: Apache-2.0 */
/* Starts main in user mode; traps go to machine mode, on a stack of their own. */

	.section .text.start, "ax"
	.globl	_start
_start:
	la	t0, trap_entry
	csrw	mtvec, t0
	la	sp, machine_stack
	csrw	mscratch, sp
	csrw	mstatus, zero		/* MPP: U */
	la	t0, .Luser_entry
	csrw	mepc, t0
	mret

.Luser_entry:
	la	sp, user_stack
	call	main
	li	a7, 1			/* exit */
	ecall

	.text
	.balign	4
	.globl	trap_entry
trap_entry:
	csrrw	sp, mscratch, sp
	addi	sp, sp, -64
	sw	ra, 0(sp)
	sw	t0, 4(sp)
	sw	t1, 8(sp)
	sw	t2, 12(sp)
	sw	t3, 16(sp)
	sw	t4, 20(sp)
	sw	t5, 24(sp)
	sw	t6, 28(sp)
	sw	a1, 32(sp)
	sw	a2, 36(sp)
	sw	a3, 40(sp)
	sw	a4, 44(sp)
	sw	a5, 48(sp)
	sw	a6, 52(sp)
	sw	a7, 56(sp)
	csrr	a1, mcause
	mv	a2, a7
	call	trap
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	lw	ra, 0(sp)
	lw	t0, 4(sp)
	lw	t1, 8(sp)
	lw	t2, 12(sp)
	lw	t3, 16(sp)
	lw	t4, 20(sp)
	lw	t5, 24(sp)
	lw	t6, 28(sp)
	lw	a1, 32(sp)
	lw	a2, 36(sp)
	lw	a3, 40(sp)
	lw	a4, 44(sp)
	lw	a5, 48(sp)
	lw	a6, 52(sp)
	lw	a7, 56(sp)
	addi	sp, sp, 64
	csrrw	sp, mscratch, sp
	mret

	.bss
	.balign	16
	.skip	2048
machine_stack:
	.skip	8192
user_stack:
