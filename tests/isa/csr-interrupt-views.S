/* SPDX-License-Identifier: Apache-2.0 */
/* mip, mie and their views sip, sie: which bits are writable from where, under
 * delegation. */
#include "test.h"

/* The six interrupts of M and S in a1. */
.macro MASKED csr
	csrr	a1, \csr
	li	a3, 0xaaa
	and	a1, a1, a3
.endm

	.globl	test
test:
	li	a0, -1
	CASE	1			/* nothing delegated: the views are empty */
	csrw	mip, a0
	csrw	mie, a0
	csrr	a1, sip
	EQ	a1, 0
	csrr	a1, sie
	EQ	a1, 0
	csrw	sie, zero
	csrw	sip, zero
	MASKED	mie
	EQ	a1, 0xaaa
	MASKED	mip
	EQ	a1, 0x222
	CASE	2			/* one delegated: only it is visible and
                                         * writable */
	li	a2, 1 << SSI
	csrw	mideleg, a2
	csrr	a1, sip
	EQ	a1, 2
	csrr	a1, sie
	EQ	a1, 2
	csrw	sie, zero
	MASKED	mie
	EQ	a1, 0xaa8
	csrw	sie, a0
	MASKED	mie
	EQ	a1, 0xaaa
	CASE	3			/* all: through sip only SSIP is writable */
	li	a2, 0x222
	csrw	mideleg, a2
	csrr	a1, sip
	EQ	a1, 0x222
	csrr	a1, sie
	EQ	a1, 0x222
	csrw	sip, zero
	MASKED	mip
	EQ	a1, 0x220
	csrw	mip, zero
	csrw	sip, a0
	MASKED	mip
	EQ	a1, 2
	csrw	mip, zero
	csrw	mie, zero
	ret
