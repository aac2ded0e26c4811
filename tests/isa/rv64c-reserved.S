/* SPDX-License-Identifier: Apache-2.0 */
/* Every reserved compressed encoding is an illegal instruction, with its bits in mtval;
 * so are the floating-point ones without F and D. */
#include "test.h"

	/* Rows: value, mask of the bits that run through all combinations. */
	.section .rodata
	.balign	4
reserved:
	.half	0x0000, 0x001c		/* c.addi4spn, imm 0: all zeros is the first */
	.half	0x2000, 0x1ffc		/* c.fld */
	.half	0x8000, 0x1ffc		/* funct3 100 of quadrant 0 */
	.half	0xa000, 0x1ffc		/* c.fsd */
	.half	0x2001, 0x107c		/* c.addiw zero */
	.half	0x6001, 0x0f80		/* c.lui and c.addi16sp, imm 0 */
	.half	0x9c41, 0x039c		/* funct6 100111 above c.addw */
	.half	0x9c61, 0x039c
	.half	0x2002, 0x1ffc		/* c.fldsp */
	.half	0x4002, 0x107c		/* c.lwsp zero */
	.half	0x6002, 0x107c		/* c.ldsp zero */
	.half	0x8002, 0x0000		/* c.jr zero */
	.half	0xa002, 0x1ffc		/* c.fsdsp */
reserved_end:

	.text
	.globl	test
test:
	la	s9, reserved
	la	a0, code
	li	gp, 0
1:	addi	gp, gp, 1
	lhu	a1, 0(s9)		/* value */
	lhu	a2, 2(s9)		/* mask */
	li	a3, 0			/* subset of the mask */
2:	or	a4, a1, a3
	sh	a4, 0(a0)
	fence.i
	li	a5, ILLEGAL
	TRY_JUMP M, a0
	HANDLED_BY M
	EQ_REG	s2, a5
	EQ_REG	s3, a0
	EQ_REG	s4, a4
	sub	a3, a3, a2		/* next subset */
	and	a3, a3, a2
	bnez	a3, 2b
	addi	s9, s9, 4
	la	a5, reserved_end
	bne	s9, a5, 1b
	ret

	.balign	4
code:	.half	0
	ecall
