/* SPDX-License-Identifier: Apache-2.0 */
/* MP and CoRR: hart 0 writes x, then y, with growing values; hart 1 reads y, then x, which
 * must not be older, and x again. */
#include "smp.h"

	.globl	test
test:
	la	s2, x
	la	s3, y
	bnez	s0, reads
	li	t0, 0
1:	addi	t0, t0, 1
	sd	t0, 0(s2)
	sd	t0, 0(s3)
	bne	t0, s1, 1b
	ret
reads:
	ld	t0, 0(s3)
	ld	t1, 0(s2)
	ld	t2, 0(s2)
	blt	t1, t0, mp
	blt	t2, t1, corr
	bne	t0, s1, reads
	ret
mp:
	FAIL(1)
corr:
	FAIL(2)

	.data
	VARIABLE(x)
	VARIABLE(y)
