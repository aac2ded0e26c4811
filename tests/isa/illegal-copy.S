/* SPDX-License-Identifier: Apache-2.0 */
/* Without the copy unit its instruction is illegal, also if it would copy nothing. */
#include "copy.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	la	a0, to
	la	a1, from
	li	a2, 8
	TRY	M, cpy a2, a0, a1
	WANT	ILLEGAL
	TVAL	0x00b5060b
	EQ	a2, 8
	ld	a3, (a0)
	EQ	a3, 0
	CASE	2
	li	a2, 0
	TRY	M, cpy a2, x0, x0
	WANT	ILLEGAL
	jr	s11

	.data
	.balign	8
to:	.dword	0
from:	.dword	1
