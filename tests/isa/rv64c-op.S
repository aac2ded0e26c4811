/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed arithmetic on two registers. */
#include "tables.h"

/* Rows: a, b, result, result of (a, a). */
.macro RUN_OP n, op
	END_DATA \n
602:	ld	a0, 0(s9)
	ld	a1, 8(s9)
	ld	a2, 16(s9)
	ld	a3, 24(s9)
	mv	a4, a0
	\op	a4, a1
	EQ_REG	a4, a2
	mv	s0, a0
	mv	a5, a1
	\op	s0, a5
	EQ_REG	s0, a2
	mv	a4, a0
	\op	a4, a4
	EQ_REG	a4, a3
	NEXT_ROW 32
.endm

	.globl	test
test:
	mv	s11, ra
	.include "c-op.inc"
	jr	s11
