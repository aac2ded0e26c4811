/* SPDX-License-Identifier: Apache-2.0 */
/* Every AMO on words at both halves of a doubleword, and on doublewords. */
#include "tables.h"

/* Runs one AMO on the row: checks rd and the whole doubleword. */
.macro AMO_FORM op
	sd	a0, 0(a6)
	\op	a4, a1, (a7)
	EQ_REG	a4, a2
	ld	a5, 0(a6)
	EQ_REG	a5, a3
.endm

.macro RUN_AMO n, op, at
	END_DATA \n
	la	a6, memory
	addi	a7, a6, \at
602:	ld	a0, 0(s9)
	ld	a1, 8(s9)
	ld	a2, 16(s9)
	ld	a3, 24(s9)
	AMO_FORM \op
	AMO_FORM \op\().aq
	AMO_FORM \op\().rl
	AMO_FORM \op\().aqrl
	sd	a0, 0(a6)		/* rd is rs2 */
	mv	a4, a1
	\op	a4, a4, (a7)
	EQ_REG	a4, a2
	ld	a5, 0(a6)
	EQ_REG	a5, a3
	sd	a0, 0(a6)		/* rd is rs1 */
	mv	a4, a7
	\op	a4, a1, (a4)
	EQ_REG	a4, a2
	ld	a5, 0(a6)
	EQ_REG	a5, a3
	sd	a0, 0(a6)		/* rd is x0 */
	\op	zero, a1, (a7)
	ld	a5, 0(a6)
	EQ_REG	a5, a3
	NEXT_ROW 32
.endm

	.globl	test
test:
	mv	s11, ra
	.include "amo.inc"
	jr	s11

	.bss
	.balign	8
memory:	.skip	8
