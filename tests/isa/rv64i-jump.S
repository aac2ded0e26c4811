/* SPDX-License-Identifier: Apache-2.0 */
/* jal and jalr: links, offsets, shared registers, the cleared lowest bit. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	.option	norvc

	CASE	1			/* jal links the next instruction */
	la	a0, 1f
	jal	a1, 2f
1:	j	fail
2:	EQ_REG	a1, a0

	CASE	2			/* with x0 it links nothing */
	jal	zero, 1f
	j	fail
1:	bnez	zero, 2f
	j	3f
2:	j	fail

3:	CASE	3			/* backwards */
	j	2f
1:	j	3f
2:	jal	a1, 1b
	j	fail

3:	CASE	4			/* jalr through any register, with offsets */
	la	a0, 1f
	jalr	a1, 0(a0)
	j	fail
1:	la	a2, 1b - 4
	EQ_REG	a1, a2
	la	a0, 1f
	addi	a0, a0, -2047
	jalr	a1, 2047(a0)
	j	fail
1:	la	a0, 1f
	addi	a0, a0, 2044
	addi	a0, a0, 4
	jalr	a1, -2048(a0)
	j	fail
1:
	CASE	5			/* link register is the target register */
	la	a0, 1f
	la	a2, 1f - 4
	jalr	a0, 0(a0)
	j	fail
1:	EQ_REG	a0, a2

	CASE	6			/* bit 0 of the sum is dropped */
	la	a0, 1f
	addi	a0, a0, 1
	jalr	a1, 0(a0)
	j	fail
1:	la	a0, 1f
	jalr	a1, 1(a0)
	j	fail
1:	la	a0, 1f
	addi	a0, a0, 2
	jalr	a1, -1(a0)
	j	fail
1:
	CASE	7			/* x5 and x1 swap, as coroutines do */
	la	t0, 1f
	la	a2, 2f
	jalr	ra, 0(t0)
2:	j	fail
1:	EQ_REG	ra, a2
	la	ra, 1f
	jalr	t0, 0(ra)
	j	fail
1:
	CASE	8			/* x0 as target register: absolute addresses */
	la	a0, 1f
	add	a0, a0, zero
	jalr	zero, 0(a0)
	j	fail
1:
	CASE	9			/* the ends of the 21-bit range */
	la	a1, 1f
	jal	a2, 2f
1:	.space	1048570
2:	beq	a2, a1, 3f
	tail	fail
3:	la	a0, 5f
	jr	a0
4:	jr	s11
	.space	1048572
5:	jal	zero, 4b
