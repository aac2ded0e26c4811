/* SPDX-License-Identifier: Apache-2.0 */
/* An AMO to an unmapped address is a store access fault. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	li	a4, HOLE
	li	a1, 0x5a5a
	CASE	1
	.irp op, amoswap.w, amoadd.w, amoxor.w, amoand.w, amoor.w, amomin.w, amomaxu.w
	TRY	M, \op a1, a1, (a4)
	WANT	STORE_ACCESS
	TVAL	HOLE
	.endr
	CASE	2
	.irp op, amoswap.d, amoadd.d, amoxor.d, amoand.d, amoor.d, amomax.d, amominu.d
	TRY	U, \op a1, a1, (a4)
	WANT	STORE_ACCESS
	TVAL	HOLE
	.endr
	EQ	a1, 0x5a5a
	jr	s11
