/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and fetches at unmapped addresses: access faults. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	li	a4, HOLE
	li	a1, 0x5a5a
	CASE	1
	.irp op, lb, lbu, lh, lhu, lw, lwu, ld
	TRY	M, \op a1, 0(a4)
	WANT	LOAD_ACCESS
	TVAL	HOLE
	.endr
	CASE	2
	.irp op, sb, sh, sw, sd
	TRY	M, \op a1, 8(a4)
	WANT	STORE_ACCESS
	TVAL	HOLE + 8
	.endr
	CASE	4
	TRY	U, lr.w a1, (a4)
	WANT	LOAD_ACCESS
	TVAL	HOLE
	EQ	a1, 0x5a5a
	CASE	5
	TRY_JUMP M, a4
	WANT_AT	FETCH_ACCESS, a4, a4
	TRY_JUMP U, a4
	WANT_AT	FETCH_ACCESS, a4, a4

	CASE	6			/* the last doubleword of RAM is accessible */
	li	a4, HOLE - 8
	sd	a4, 0(a4)
	ld	a1, 0(a4)
	EQ_REG	a1, a4

	CASE	7			/* addresses beyond the physical address range */
	li	a4, 1 << 60
	TRY	M, ld a1, 0(a4)
	WANT	LOAD_ACCESS
	EQ_REG	s4, a4
	li	a4, -8
	TRY	S, sd a1, 0(a4)
	WANT	STORE_ACCESS
	EQ_REG	s4, a4
	li	a4, (1 << 60) + SOC_RAM_BASE
	TRY	M, lw a1, 0(a4)
	WANT	LOAD_ACCESS
	EQ_REG	s4, a4
	jr	s11
