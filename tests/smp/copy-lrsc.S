/* SPDX-License-Identifier: Apache-2.0 */
/* Hart 0 copies to the bytes of a line around a counter, which hart 1 increments by LR and SC
 * and by stores: a copy ends reservations, and writes no other byte. */
#include "copy.h"
#include "smp.h"

	.globl	test
test:
	la	s2, line
	la	s3, from
	mv	s4, s1
	bnez	s0, count
1:	li	t0, 24
	cpy	t0, s2, s3
	addi	t1, s2, 40
	li	t0, 24
	cpy	t0, t1, s3
	addi	s4, s4, -1
	bnez	s4, 1b
	ret
count:
	addi	s5, s2, 24
	addi	s6, s2, 32
	li	s7, 0
2:	lr.d	t0, (s5)
	addi	t0, t0, 1
	sc.d	t1, t0, (s5)
	bnez	t1, 2b
	ld	t0, (s6)
	bne	t0, s7, lost
	addi	s7, s7, 1
	sd	s7, (s6)
	addi	s4, s4, -1
	bnez	s4, 2b
	ld	t0, (s5)
	bne	t0, s1, twice
	ret
lost:
	FAIL(1)
twice:
	FAIL(2)

	.data
	.balign	64
line:	.skip	64
from:	.fill	8, 8, 0x5555555555555555
