/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed jumps and branches: ranges, links, and no other register written. */
#include "test.h"

/* Taken or not, for c.beqz and c.bnez. */
.macro BRANCH op, value, taken
	li	a0, \value
	li	a1, 1
	\op	a0, 1f
	li	a1, 0
1:	EQ	a1, \taken
.endm

/* Jumps back by `offset`, from a place reached by a forward jump. */
.macro BACKWARDS op, offset
	j	2f
	.option	norvc
1:	j	3f
	.option	rvc
	.space	\offset - 4
2:	\op	1b
3:
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1
	BRANCH	c.beqz, 0, 1
	BRANCH	c.beqz, 1, 0
	BRANCH	c.beqz, 0x8000000000000000, 0
	BRANCH	c.beqz, 0x100000000, 0
	BRANCH	c.bnez, 0, 0
	BRANCH	c.bnez, -1, 1
	BRANCH	c.bnez, 0x8000000000000000, 1

	CASE	2			/* c.j leaves ra unchanged */
	li	ra, 7
	c.j	1f
	j	fail
1:	EQ	ra, 7

	CASE	3			/* c.jr takes any register, links nothing */
	.irp r, 1, 5, 6, 10, 15, 16, 31
	la	x\r, 1f + 1		/* bit 0 is dropped */
	c.jr	x\r
	j	fail
1:
	.endr

	CASE	4			/* c.jalr links the address 2 further on */
	la	a0, 1f
	c.jalr	a0
2:	j	fail
1:	la	a1, 2b
	EQ_REG	ra, a1
	la	ra, 1f
	c.jalr	ra
2:	j	fail
1:	la	a1, 2b
	EQ_REG	ra, a1

	CASE	5			/* each bit of c.j's offset */
	.irp offset, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2046
	c.j	1f
	.space	\offset - 2
1:
	.endr
	.irp offset, 8, 16, 32, 64, 128, 256, 512, 1024, 2048
	BACKWARDS c.j, \offset
	.endr

	CASE	6			/* each bit of the branches' offset */
	li	a0, 0
	.irp offset, 4, 8, 16, 32, 64, 128, 254
	c.beqz	a0, 1f
	.space	\offset - 2
1:
	.endr
	.irp offset, 8, 16, 32, 64, 128, 256
	BACKWARDS "c.beqz a0,", \offset
	.endr
	jr	s11
