/* SPDX-License-Identifier: Apache-2.0 */
/* After fence.i, fetches return the instructions stored before it. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra

	CASE	1			/* an instruction further ahead */
	la	a0, 1f
	lw	a1, two
	sw	a1, 0(a0)
	fence.i
	.balign	4
1:	.word	0x00100613		/* li a2, 1 */
	EQ	a2, 2

	CASE	2			/* the instruction right after it */
	lw	a1, three
	la	a0, 1f
	sw	a1, 0(a0)
	.balign	4
	fence.i
1:	.word	0x06400613		/* li a2, 100 */
	EQ	a2, 3

	CASE	3			/* a routine called, changed, called, 256 times */
	li	a3, 256
	li	a4, 0
2:	la	a0, routine
	lw	a1, increment
	slli	a5, a3, 20
	add	a1, a1, a5
	sw	a1, 0(a0)
	fence.i
	jal	ra, routine
	addi	a3, a3, -1
	bnez	a3, 2b
	EQ	a4, 256 * 257 / 2

	CASE	4			/* half of an instruction that straddles words */
	la	a0, straddle
	li	a1, 0x0070		/* upper half of addi a2, zero, 7 */
	jal	ra, straddle
	EQ	a2, 5
	sh	a1, 2(a0)
	fence.i
	jal	ra, straddle
	EQ	a2, 7

	CASE	5			/* two compressed instructions replace a 32-bit
                                         * one */
	la	a0, routine
	li	a1, 0x80820605		/* c.addi a2, 1; c.jr ra */
	sw	a1, 0(a0)
	fence.i
	li	a2, 41
	jal	ra, routine
	EQ	a2, 42
	jr	s11

	.option	norvc
	.balign	4
two:	addi	a2, zero, 2
three:	addi	a2, zero, 3
increment:
	addi	a4, a4, 0
	.balign	64
routine:
	nop
	ret
	.option	rvc
	.balign	64
	c.nop
straddle:
	.option	norvc
	addi	a2, zero, 5
	ret
