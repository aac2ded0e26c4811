/* SPDX-License-Identifier: Apache-2.0 */
/* Conditional branches, forwards and backwards, taken and not. */
#include "tables.h"

/* Rows: a, b, taken, taken for (a, a). Taken paths set bits of a5. */
.macro RUN_OP n, op
	END_DATA \n
602:	ld	a0, 0(s9)
	ld	a1, 8(s9)
	ld	a2, 16(s9)
	ld	a3, 24(s9)
	li	a4, 0
	li	a5, 1
	\op	a0, a1, 610f
	li	a5, 0
610:	EQ_REG	a5, a2
	j	612f
611:	li	a4, 1
	j	613f
612:	\op	a0, a1, 611b
613:	EQ_REG	a4, a2
	li	a5, 1
	\op	a0, a0, 614f
	li	a5, 0
614:	EQ_REG	a5, a3
	NEXT_ROW 32
.endm

	.globl	test
test:
	mv	s11, ra
	.include "branch.inc"

	.option	push
	.option	norvc
	CASE	101			/* the ends of the 13-bit range */
	beq	zero, zero, 2f
	.space	4090
2:	CASE	102
	j	4f
3:	j	5f
	.space	4092
4:	beq	zero, zero, 3b
5:	.option	pop
	jr	s11
