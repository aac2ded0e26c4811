/* SPDX-License-Identifier: Apache-2.0 */
/* MP and CoRR with copies: hart 0 stores growing values to two lines, copies them, and then
 * writes y. Hart 1 reads y, and then the copy by a copy of its own and by loads: none is
 * older than y, nor than what was read before. */
#include "copy.h"
#include "smp.h"

	.globl	test
test:
	la	s2, from
	la	s3, x
	la	s4, y
	la	s5, mine
	li	s6, 0			/* the value, or the last seen */
	bnez	s0, reads
1:	addi	s6, s6, 1
	mv	t0, s2
	addi	t1, s2, 128
2:	sd	s6, (t0)
	addi	t0, t0, 8
	bne	t0, t1, 2b
	li	t0, 128
	cpy	t0, s3, s2
	sd	s6, (s4)
	bne	s6, s1, 1b
	ret
reads:
	ld	t6, (s4)
	li	t0, 128
	cpy	t0, s5, s3
	ld	t5, 120(s3)
	ld	t4, 120(s5)
	blt	t5, t4, corr
	mv	t0, s5
	addi	t1, s5, 128
	mv	t3, s6
3:	ld	t2, (t0)
	blt	t2, t6, mp
	blt	t2, s6, corr
	bgt	t2, s1, mixed
	addi	t0, t0, 8
	bne	t0, t1, 3b
	mv	s6, t6
	bne	t6, s1, reads
	ret
mp:
	FAIL(1)
corr:
	FAIL(2)
mixed:
	FAIL(3)

	.data
	VARIABLE(y)
	.balign	128
from:	.skip	128
x:	.skip	128
mine:	.skip	128
