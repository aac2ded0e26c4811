/* SPDX-License-Identifier: Apache-2.0 */
/* Each hart computes on memory of its own, which stays in its L1D, and both get the same
 * result. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	s2, area
	slli	t0, s0, 10
	add	s2, s2, t0
	srli	s3, s1, 3
	li	s4, 0
round:
	mv	t0, s2
	addi	t1, s2, 1024
1:	ld	t2, 0(t0)
	xor	t2, t2, s3
	slli	t3, t2, 3
	srli	t4, t2, 7
	add	t2, t3, t4
	sd	t2, 0(t0)
	andi	t3, t2, 1
	beqz	t3, 2f
	mul	s4, s4, t2
2:	add	s4, s4, t2
	addi	t0, t0, 8
	bne	t0, t1, 1b
	addi	s3, s3, -1
	bnez	s3, round
	la	t0, results
	slli	t1, s0, 6
	add	t0, t0, t1
	sd	s4, 0(t0)
	BARRIER
	la	t0, results
	ld	t1, 0(t0)
	ld	t2, 64(t0)
	bne	t1, t2, differ
	mv	ra, s9
	ret
differ:
	FAIL(1)

	.bss
	.balign	1024
area:
	.skip	2048
	.balign	64
results:
	.skip	128
