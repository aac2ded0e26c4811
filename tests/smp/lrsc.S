/* SPDX-License-Identifier: Apache-2.0 */
/* Both harts increment a word with LR and SC, and one beside it with AMOs; an SC to a
 * line that the other hart has written since the LR fails. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	s2, counters
	mv	s3, s1
1:	lr.d	t0, (s2)
	addi	t0, t0, 1
	sc.d	t1, t0, (s2)
	bnez	t1, 1b
	addi	t2, s2, 8
	li	t0, 3
	amoadd.d zero, t0, (t2)
	amoadd.w zero, t0, (t2)
	addi	s3, s3, -1
	bnez	s3, 1b
	BARRIER
	ld	t0, 0(s2)
	slli	t1, s1, 1
	bne	t0, t1, lost
	ld	t0, 8(s2)
	slli	t2, t1, 2
	slli	t1, t1, 1
	add	t1, t1, t2
	bne	t0, t1, lost_amo
	BARRIER

	/* Hart 0 reserves, hart 1 writes, hart 0's SC must fail. */
	srli	s3, s1, 3
2:	bnez	s0, 3f
	lr.d	t2, (s2)
3:	BARRIER
	beqz	s0, 4f
	sd	s3, 16(s2)
4:	BARRIER
	bnez	s0, 5f
	sc.d	t2, zero, (s2)
	beqz	t2, stale
5:	BARRIER
	addi	s3, s3, -1
	bnez	s3, 2b
	mv	ra, s9
	ret
lost:
	FAIL(1)
lost_amo:
	FAIL(2)
stale:
	FAIL(3)

	.data
	.balign	64
counters:
	.skip	64
