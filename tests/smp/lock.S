/* SPDX-License-Identifier: Apache-2.0 */
/* A lock of AMOs protects a counter and a buffer that both harts write. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	s2, lock
	la	s3, guarded
	mv	s4, s1
round:
	li	t0, 1
1:	amoswap.w.aq t1, t0, (s2)
	bnez	t1, 1b
	ld	t2, 0(s3)
	ld	t3, 128(s3)
	bne	t2, t3, torn
	addi	t2, t2, 1
	sd	t2, 0(s3)
	sd	t2, 128(s3)
	amoswap.w.rl zero, zero, (s2)
	addi	s4, s4, -1
	bnez	s4, round
	BARRIER
	ld	t2, 0(s3)
	slli	t3, s1, 1
	bne	t2, t3, lost
	mv	ra, s9
	ret
torn:
	FAIL(1)
lost:
	FAIL(2)

	.data
	VARIABLE(lock)
guarded:
	.skip	192
