/* SPDX-License-Identifier: Apache-2.0 */
/* MPRV: M's loads and stores use MPP's mode; its fetches do not. */
#include "test.h"

/* Trapped (1) or not (0): the recorder writes M to s6. */
.macro CLEAN
	EQ	s6, 0
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	la	a3, page
	li	a4, 0x1111
	sd	a4, 0(a3)
	li	a0, TEST_VA
	SET_PTE	0, page, RWX
	CASE	1			/* as S */
	AS	S, ld a1, 0(a0)
	CLEAN
	EQ	a1, 0x1111
	AS	S, sd a4, 8(a0)
	CLEAN
	ld	a1, 8(a3)
	EQ	a1, 0x1111
	AS	S, amoadd.d a1, a4, (a0)
	CLEAN
	ld	a1, 0(a3)
	EQ	a1, 0x2222
	CASE	2			/* as U: S's page is inaccessible */
	AS	U, ld a1, 0(a0)
	WANT	LOAD_PAGE
	TVAL	TEST_VA
	AS	U, sd a1, 0(a0)
	WANT	STORE_PAGE
	CASE	3			/* U's page, as U and as S by SUM */
	SET_PTE	0, page, RWX | PU
	AS	U, ld a1, 0(a0)
	CLEAN
	EQ	a1, 0x2222
	AS	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	li	a2, MSTATUS_SUM
	csrs	mstatus, a2
	AS	S, ld a1, 0(a0)
	CLEAN
	CASE	4			/* as M: no change */
	AS	M, ld a1, 0(a3)
	CLEAN
	EQ	a1, 0x2222
	CASE	5			/* MXR reads what is only executable */
	SET_PTE	0, page, V | X | A | D
	AS	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	li	a2, MSTATUS_MXR
	csrs	mstatus, a2
	AS	S, ld a1, 0(a0)
	CLEAN
	EQ	a1, 0x2222
	CASE	6			/* the trap's own MPP is M */
	AS	U, lb a1, 1(a0)
	WANT	LOAD_PAGE
	li	a2, MSTATUS_MPP
	and	a1, s5, a2
	EQ_REG	a1, a2
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
