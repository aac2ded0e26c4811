/* SPDX-License-Identifier: Apache-2.0 */
/* A store that faults does not change memory, and no load gets its data. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	la	a4, page
	li	a5, 0x1122334455667788
	li	a6, -1
	li	a7, 7

	CASE	1			/* a page without W, one after another */
	SET_PTE	0, page, V | R | A | D
	li	a0, TEST_VA
	li	a3, 20
1:	sd	a5, 0(a4)
	TRYV	S, ld a1, 0(a0)		/* the TLB has the page */
	EQ_REG	a1, a5
	div	a2, a6, a7
	TRYV	S, sd a6, 0(a0)
	WANT	STORE_PAGE
	ld	a1, 0(a4)
	EQ_REG	a1, a5
	addi	a3, a3, -1
	bnez	a3, 1b

	CASE	2			/* a load behind it has what was there before */
	li	a3, MSTATUS_MPP
	csrc	mstatus, a3
	li	a3, (S << 11) | MSTATUS_MPRV
	li	s6, 0
	la	s1, 2f
	csrs	mstatus, a3
	div	a2, a6, a7
	sd	a6, 0(a0)
	ld	a1, 0(a0)		/* not executed: the trap ends at 2 */
	sd	a6, 0(a4)
2:	li	a3, MSTATUS_MPRV
	csrc	mstatus, a3
	EQ	s2, STORE_PAGE
	EQ_REG	a1, a5
	ld	a1, 0(a4)
	EQ_REG	a1, a5

	CASE	3			/* the PMP denies it */
	srli	a2, a4, 2
	ori	a2, a2, 0x1ff
	csrw	pmpaddr0, a2
	csrr	a2, pmpcfg0
	ori	a2, a2, 0x19		/* NAPOT, 4 KiB, R */
	csrw	pmpcfg0, a2
	TRY	S, sd a6, 0(a4)
	WANT	STORE_ACCESS
	csrw	pmpaddr0, zero
	csrw	pmpcfg0, zero
	li	a2, 0x1f << 56
	csrw	pmpcfg0, a2
	ld	a1, 0(a4)
	EQ_REG	a1, a5

	CASE	4			/* misaligned: every part of it */
	TRY	M, sd a6, 1(a4)
	WANT	STORE_MISALIGNED
	TRY	M, sh a6, 7(a4)
	WANT	STORE_MISALIGNED
	ld	a1, 0(a4)
	EQ_REG	a1, a5
	ld	a1, 8(a4)
	EQ	a1, 0
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
