/* SPDX-License-Identifier: Apache-2.0 */
/* An AMO needs R and W; without either, or the page, it faults as a store. */
#include "test.h"

.macro BOTH mode, bits
	SET_PTE	0, page, \bits
	TRYV	\mode, amoadd.d a1, a3, (a0)
	WANT	STORE_PAGE
	TVAL	TEST_VA + 8
	TRYV	\mode, amoswap.w a1, a3, (a2)
	WANT	STORE_PAGE
	TVAL	TEST_VA + 12
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	li	a0, TEST_VA + 8
	li	a2, TEST_VA + 12
	li	a3, 77
	li	a1, 55
	CASE	1
	BOTH	S, 0
	BOTH	U, 0
	CASE	2
	BOTH	S, V | R | A | D
	BOTH	U, V | R | A | D | PU
	CASE	3
	BOTH	S, V | X | A | D
	BOTH	U, V | R | X | A | D | PU
	CASE	4
	BOTH	U, RWX
	BOTH	S, RWX | PU
	CASE	5			/* a non-canonical address */
	li	a4, (1 << 50) + TEST_VA
	TRYV	S, amoor.d a1, a3, (a4)
	WANT	STORE_PAGE
	EQ_REG	s4, a4
	CASE	6			/* rd and the page are unchanged */
	EQ	a1, 55
	la	a4, page
	ld	a1, 8(a4)
	EQ	a1, 0
	CASE	7			/* with both it succeeds */
	SET_PTE	0, page, V | R | W | A | D | PU
	TRYV	U, amoadd.d a1, a3, (a0)
	OK	U
	TRYV	U, amoadd.w a1, a3, (a0)
	OK	U
	EQ	a1, 77
	ld	a1, 8(a4)
	EQ	a1, 154
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
