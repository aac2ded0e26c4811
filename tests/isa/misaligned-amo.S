/* SPDX-License-Identifier: Apache-2.0 */
/* A misaligned AMO traps as a store, and leaves memory and rd unchanged. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	li	a1, 0x5a5a
	.irp at, 1, 2, 3
	la	a4, data + \at
	.irp op, amoswap.w, amoadd.w, amoxor.w, amoand.w, amoor.w, amomin.w, amomax.w, amominu.w, amomaxu.w
	TRY	M, \op a1, a4, (a4)
	WANT	STORE_MISALIGNED
	EQ_REG	s4, a4
	.endr
	.endr
	CASE	2
	.irp at, 1, 2, 4
	la	a4, data + \at
	.irp op, amoswap.d, amoadd.d, amoxor.d, amoand.d, amoor.d, amomin.d, amomax.d, amominu.d, amomaxu.d
	TRY	U, \op a1, a4, (a4)
	WANT	STORE_MISALIGNED
	EQ_REG	s4, a4
	.endr
	.endr
	EQ	a1, 0x5a5a
	la	a4, data
	ld	a1, 0(a4)
	EQ	a1, 0x0123456789abcdef
	jr	s11

	.data
	.balign	16
data:	.dword	0x0123456789abcdef, 0x1122334455667788
