/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction that crosses pages: each half may fault, and tval tells which. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	li	a0, TEST_VA + 0xffe
	addi	a2, a0, 2
	CASE	1			/* both pages mapped, far apart in memory */
	SET_PTE	0, first, RWX
	SET_PTE	1, second, RWX
	TRY_JUMP S, a0
	EQ	s2, ECALL_S
	addi	a3, a0, 4
	EQ_REG	s3, a3
	EQ	a1, 0x123
	CASE	2			/* the second missing: epc first, tval second */
	SET_PTE	1, second, 0
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a2
	CASE	3			/* not executable, U's, a pointer */
	.irp bits, V | R | W | A | D, RWX | PU, V | PU
	SET_PTE	1, second, \bits
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a2
	.endr
	CASE	4			/* the first missing */
	SET_PTE	0, first, 0
	SET_PTE	1, second, RWX
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a0
	CASE	5			/* a compressed one needs no second page */
	SET_PTE	0, small, RWX
	SET_PTE	1, second, 0
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a2, a2
	EQ	a1, 9
	CASE	6			/* in U, delegated to S */
	SET_PTE	0, first, RWX | PU
	SET_PTE	1, second, RWX
	li	a3, 1 << FETCH_PAGE
	csrw	medeleg, a3
	TRY_JUMP U, a0
	HANDLED_BY S
	EQ	s2, FETCH_PAGE
	EQ_REG	s3, a0
	EQ_REG	s4, a2
	jr	s11

	.data
	.balign	4096
second:	.half	0x1230			/* upper half of li a1, 0x123 */
	ecall
	.balign	4096
first:	.skip	4094
	.half	0x0593			/* lower half of li a1, 0x123 */
small:	.skip	4094
	.half	0x45a5			/* c.li a1, 9 */
