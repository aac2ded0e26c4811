/* SPDX-License-Identifier: Apache-2.0 */
/* SUM lets S load and store U's pages, never fetch; MXR makes X readable. */
#include "test.h"

.macro STATUS bits
	li	a2, MSTATUS_SUM | MSTATUS_MXR
	csrc	mstatus, a2
	li	a2, \bits
	csrs	mstatus, a2
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	li	a0, TEST_VA
	SET_PTE	0, page, RWX | PU
	CASE	1			/* SUM=0 */
	STATUS	0
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	TRYV	S, sd zero, 8(a0)
	WANT	STORE_PAGE
	CASE	2			/* SUM=1 */
	STATUS	MSTATUS_SUM
	TRYV	S, ld a1, 0(a0)
	OK	S
	TRYV	S, sd zero, 8(a0)
	OK	S
	TRYV	S, amoor.w a1, zero, (a0)
	OK	S
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a0
	CASE	3			/* it has no effect in U */
	SET_PTE	0, page, RWX
	TRYV	U, ld a1, 0(a0)
	WANT	LOAD_PAGE
	CASE	4			/* MXR: X counts as R, not as W */
	SET_PTE	0, page, V | X | A | D
	STATUS	0
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	STATUS	MSTATUS_MXR
	TRYV	S, ld a1, 0(a0)
	OK	S
	TRYV	S, sd a1, 0(a0)
	WANT	STORE_PAGE
	TRYV	S, amoor.w a1, zero, (a0)
	WANT	STORE_PAGE
	STATUS	0			/* cleared, without sfence.vma */
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	STATUS	MSTATUS_MXR
	CASE	5			/* also for U; but not U's page for S */
	SET_PTE	0, page, V | X | A | D | PU
	TRYV	U, ld a1, 0(a0)
	OK	U
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	CASE	6			/* both together */
	STATUS	MSTATUS_SUM | MSTATUS_MXR
	TRYV	S, ld a1, 0(a0)
	OK	S
	CASE	7			/* changed in S itself, without sfence.vma */
	SET_PTE	0, page, RWX | PU
	STATUS	0
	la	s1, 2f
	li	s6, 0
	la	a1, 1f
	csrw	mepc, a1
	li	a2, MSTATUS_MPP
	csrc	mstatus, a2
	li	a2, S << 11
	csrs	mstatus, a2
	mret
	.balign	4
1:	li	a2, MSTATUS_SUM
	csrs	sstatus, a2
	ld	a1, 0(a0)
	csrc	sstatus, a2
3:	ld	a1, 0(a0)
	ecall
2:	HANDLED_BY M
	EQ	s2, LOAD_PAGE
	la	a1, 3b
	EQ_REG	s3, a1
	jr	s11

	.data
	.balign	4096
page:	ecall
	.balign	4096
