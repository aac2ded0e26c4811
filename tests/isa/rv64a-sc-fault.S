/* SPDX-License-Identifier: Apache-2.0 */
/* SC checks alignment and access even without a reservation; rd is unchanged. */
#include "test.h"

	.globl	test
test:
	li	a2, 99
	CASE	1
	la	a4, word + 2
	TRY	M, sc.w a2, a1, (a4)
	WANT	STORE_MISALIGNED
	EQ_REG	s4, a4
	la	a4, word + 4
	TRY	U, sc.d a2, a1, (a4)
	WANT	STORE_MISALIGNED
	EQ_REG	s4, a4
	CASE	2
	li	a4, HOLE
	TRY	M, sc.d a2, a1, (a4)
	WANT	STORE_ACCESS
	TVAL	HOLE
	TRY	U, sc.w a2, a1, (a4)
	WANT	STORE_ACCESS
	TVAL	HOLE
	CASE	3			/* with a reservation elsewhere */
	la	a0, word
	la	s1, 1f
	li	s6, 0
	lr.w	a1, (a0)
	sc.w	a2, a1, (a4)
	j	fail
1:	EQ	s2, STORE_ACCESS
	EQ	a2, 99
	CASE	4			/* Sv39: a page without W */
	VM_ON
	SET_PTE	0, word, V | R | A | D
	li	a4, TEST_VA
	TRYV	S, sc.d a2, a1, (a4)
	WANT	STORE_PAGE
	TVAL	TEST_VA
	EQ	a2, 99
	la	a0, word
	ld	a1, 0(a0)
	EQ	a1, 0
	j	pass

	.bss
	.balign	4096
word:	.skip	4096
