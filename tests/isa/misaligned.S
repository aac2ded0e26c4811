/* SPDX-License-Identifier: Apache-2.0 */
/* Every misaligned load, store and AMO traps, and has no effect. */
#include "test.h"

.macro LOAD_TRAPS mode, op, at
	la	a4, data + \at
	li	a1, 0x5a5a
	TRY	\mode, \op a1, 0(a4)
	WANT	LOAD_MISALIGNED
	EQ_REG	s4, a4
	EQ	a1, 0x5a5a
.endm

.macro STORE_TRAPS mode, op, at
	la	a4, data + \at
	TRY	\mode, \op a4, 0(a4)
	WANT	STORE_MISALIGNED
	EQ_REG	s4, a4
.endm

.macro ALL mode
	.irp at, 1, 3, 5, 7
	.irp op, lh, lhu, lw, lwu, ld
	LOAD_TRAPS \mode, \op, \at
	.endr
	.irp op, sh, sw, sd
	STORE_TRAPS \mode, \op, \at
	.endr
	.endr
	.irp at, 2, 6
	.irp op, lw, lwu, ld
	LOAD_TRAPS \mode, \op, \at
	.endr
	.irp op, sw, sd
	STORE_TRAPS \mode, \op, \at
	.endr
	.endr
	LOAD_TRAPS \mode, ld, 4
	STORE_TRAPS \mode, sd, 4
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1
	ALL	M
	CASE	2
	ALL	U
	CASE	3			/* compressed ones */
	la	s0, data + 2
	.irp op, c.lw, c.ld
	TRY	S, \op a1, 0(s0)
	WANT	LOAD_MISALIGNED
	EQ_REG	s4, s0
	.endr
	.irp op, c.sw, c.sd
	TRY	S, \op a1, 0(s0)
	WANT	STORE_MISALIGNED
	EQ_REG	s4, s0
	.endr
	CASE	4			/* nothing was stored */
	la	a4, data
	ld	a1, 0(a4)
	EQ	a1, 0x0123456789abcdef
	ld	a1, 8(a4)
	EQ	a1, 0x1122334455667788
	jr	s11

	.data
	.balign	16
data:	.dword	0x0123456789abcdef, 0x1122334455667788
