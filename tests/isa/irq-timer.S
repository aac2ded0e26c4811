/* SPDX-License-Identifier: Apache-2.0 */
/* mtime counts, mtimecmp is compared with it, mip.MTIP follows, and time reads mtime. */
#include "irq.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIME
	li	a1, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	CASE	1
	MTIMECMP -1
	AWAIT_MIP 0
	CASE	2			/* in the past: pending at once */
	MTIMECMP 0
	AWAIT_MIP 1 << MTI
	ld	a2, 0(a1)
	EQ	a2, 0
	CASE	3			/* software cannot clear it in mip */
	csrw	mip, zero
	AWAIT_MIP 1 << MTI
	CASE	4			/* the next step of the clock, not before */
	ld	a2, 0(a0)
	addi	a2, a2, 2
	sd	a2, 0(a1)
	ld	a3, 0(a0)
	csrr	a4, mip
	ld	a5, 0(a0)
	bgeu	a5, a2, 1f		/* too late to tell: skipped */
	andi	a4, a4, 1 << MTI
	EQ	a4, 0
1:	AWAIT_MIP 1 << MTI
	ld	a3, 0(a0)
	bgeu	a3, a2, 2f
	j	fail
2:	CASE	5			/* halves of mtimecmp, as 32-bit drivers do */
	li	a2, -1
	sw	a2, 0(a1)
	sw	a2, 4(a1)
	AWAIT_MIP 0
	ld	a3, 0(a1)
	EQ	a3, -1
	sw	zero, 4(a1)
	sw	zero, 0(a1)
	AWAIT_MIP 1 << MTI
	CASE	6			/* taken in M, S and U */
	li	a2, 1 << MTI
	csrw	mie, a2
	TAKE_IN_M
	WANT	IRQ | MTI
	TAKE_IN	S
	WANT	IRQ | MTI
	TAKE_IN	U
	WANT	IRQ | MTI
	MTIMECMP -1
	CASE	7			/* time is mtime */
	ld	a2, 0(a0)
	rdtime	a3
	ld	a4, 0(a0)
	bltu	a3, a2, 3f
	bltu	a4, a3, 3f
	lw	a2, 0(a0)
	lw	a3, 4(a0)
	EQ	a3, 0
	j	4f
3:	j	fail
4:	CASE	8			/* it advances by itself */
	rdtime	a2
5:	rdtime	a3
	beq	a2, a3, 5b
	CASE	9			/* it can be set */
	li	a2, 1 << 40
	sd	a2, 0(a0)
	rdtime	a3
	bltu	a3, a2, 3b
	srli	a3, a3, 36
	EQ	a3, 1 << 4
	CASE	10			/* pending at equality, if the clock is slow
                                         * enough */
	li	a5, 1000
6:	ld	a2, 0(a0)
	sd	a2, 0(a1)
	csrr	a3, mip
	csrr	a3, mip
	ld	a4, 0(a0)
	addi	a5, a5, -1
	beqz	a5, 7f			/* too late to tell: skipped */
	bne	a4, a2, 6b
	andi	a3, a3, 1 << MTI
	EQ	a3, 1 << MTI
7:	jr	s11
