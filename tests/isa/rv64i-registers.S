/* SPDX-License-Identifier: Apache-2.0 */
/* Each register holds a separate value in all its bits; x0 holds nothing. */
#include "test.h"

	.globl	test
test:
	la	t0, saved
	sd	ra, 0(t0)
	sd	s1, 8(t0)

	CASE	1			/* a different value in each, all at once */
	.irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	li	x\r, 0x0101010101010101 * \r
	.endr
	/* x31 checks the others, and then x30 checks x31. */
	.irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30
	li	x31, 0x0101010101010101 * \r
	bne	x31, x\r, 1f
	.endr

	.irp r, 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,31
	li	x\r, -1
	bgez	x\r, 1f
	not	x\r, x\r
	bnez	x\r, 1f
	.endr
	j	2f
1:	li	gp, 1
	j	fail

2:	CASE	2			/* writes to x0 have no effect */
	li	a0, -1
	addi	zero, a0, 0
	EQ	zero, 0
	add	zero, a0, a0
	sub	a1, zero, a0
	EQ	a1, 1
	la	t0, saved
	ld	ra, 0(t0)
	ld	s1, 8(t0)
	ret

	.bss
	.balign	8
saved:	.skip	16
