/* SPDX-License-Identifier: Apache-2.0 */
/* JALR clears the lowest bit of its target, and does so when it is predicted; targets outside
 * of memory, odd ones too, are faults there. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, place
	la	a1, place + 1
	li	a4, 0
	li	a3, 50
	CASE	1			/* odd and even in turn, by offset and register */
1:	jalr	ra, 0(a0)
	jalr	ra, 0(a1)
	jalr	ra, 1(a0)
	jalr	ra, 3(a0)
	jalr	ra, 2(a1)
	addi	a3, a3, -1
	bnez	a3, 1b
	EQ	a4, 50 * (3 * 3 + 2 * 2)
	CASE	2			/* faults at the even address */
	li	a0, HOLE
	addi	a1, a0, 1
	TRY	M, jr a1
	HANDLED_BY M
	EQ	s2, FETCH_ACCESS
	EQ_REG	s3, a0
	EQ_REG	s4, a0
	li	a3, 20
2:	TRY	U, jr a1
	EQ	s2, FETCH_ACCESS
	EQ_REG	s3, a0
	addi	a3, a3, -1
	bnez	a3, 2b
	CASE	3			/* one halfword on, across the end of memory */
	li	a0, HOLE - 2
	li	a1, 3			/* the first half of an instruction of 4 bytes */
	sh	a1, 0(a0)
	fence.i
	addi	a1, a0, 1
	TRY	M, jr a1
	HANDLED_BY M
	EQ	s2, FETCH_ACCESS
	EQ_REG	s3, a0
	addi	a1, a0, 2
	EQ_REG	s4, a1
	jr	s11

	.balign	16
place:	c.addi	a4, 1
	c.addi	a4, 2
	ret
