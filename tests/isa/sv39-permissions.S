/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and fetches under every R/W/X/U of a small page. */
#include "test.h"

/* Accesses of S and U to page 0 (SUM and MXR clear); 1 is allowed. */
.macro PAGE bits, load, store, fetch
	SET_PTE	0, page, (\bits) | V | A | D
	CHECK	S, \load, \store, \fetch
	CHECK	U, 0, 0, 0
	SET_PTE	0, page, (\bits) | V | A | D | PU
	CHECK	S, 0, 0, 0
	CHECK	U, \load, \store, \fetch
.endm

.macro CHECK mode, load, store, fetch
	TRYV	\mode, ld a1, 8(a0)
	OUTCOME	\mode, \load, LOAD_PAGE, TEST_VA + 8
	TRYV	\mode, lr.w a1, (a2)
	OUTCOME	\mode, \load, LOAD_PAGE, TEST_VA + 16
	TRYV	\mode, sb zero, 11(a0)
	OUTCOME	\mode, \store, STORE_PAGE, TEST_VA + 11
	TRY_JUMP \mode, a0
	.if \fetch
	EQ	s2, (8 + \mode)
	.else
	WANT_AT	FETCH_PAGE, a0, a0
	.endif
.endm

.macro OUTCOME mode, allowed, cause, tval
	.if \allowed
	OK	\mode
	.else
	WANT	\cause
	TVAL	\tval
	.endif
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	li	a0, TEST_VA
	addi	a2, a0, 16
	CASE	1
	PAGE	0, 0, 0, 0		/* a pointer at the last level */
	CASE	2
	PAGE	R, 1, 0, 0
	CASE	3
	PAGE	R | W, 1, 1, 0
	CASE	4
	PAGE	X, 0, 0, 1
	CASE	5
	PAGE	R | X, 1, 0, 1
	CASE	6
	PAGE	R | W | X, 1, 1, 1
	CASE	7			/* W without R is reserved */
	PAGE	W, 0, 0, 0
	CASE	8
	PAGE	W | X, 0, 0, 0
	jr	s11

	.data
	.balign	4096
page:	ecall
	.balign	4096
