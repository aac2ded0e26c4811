/* SPDX-License-Identifier: Apache-2.0 */
/* SB: each hart writes its own variable, then reads that of the other: in each round at
 * least one must read the new value. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	s2, variables
	slli	t0, s0, 6
	add	s3, s2, t0	/* own */
	xori	t0, t0, 64
	add	s4, s2, t0	/* the other's */
	li	s5, 0		/* the round */
round:
	addi	s5, s5, 1
	BARRIER
	andi	t0, s5, 15	/* vary who is first */
	beqz	s0, 2f
	xori	t0, t0, 15
2:	beqz	t0, 3f
	addi	t0, t0, -1
	j	2b
3:
	sd	s5, 0(s3)
	ld	t2, 0(s4)
	sd	t2, 8(s3)
	BARRIER
	ld	t1, 8(s4)
	beq	t2, s5, 4f
	beq	t1, s5, 4f
	FAIL(1)
4:	bne	s5, s1, round
	mv	ra, s9
	ret

	.data
	.balign	64
variables:
	.skip	128
