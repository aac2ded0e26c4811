/* SPDX-License-Identifier: Apache-2.0 */
/* MP with stores that miss between stores that hit: hart 0 writes a line that has left its L1D,
 * then y and z, which it has; hart 1 reads z, y and the line, none of which may be older than
 * what it read before. */
#include "smp.h"

	.equ	LINES, 512		/* 32 KiB: twice the L1D */

	.globl	test
test:
	la	s2, y
	la	s3, lines
	li	s4, LINES - 1
	bnez	s0, reads
	li	t0, 0
1:	addi	t0, t0, 1
	and	t1, t0, s4
	slli	t1, t1, 6
	add	t1, t1, s3
	sd	t0, 0(t1)
	sd	t0, 0(s2)
	sd	t0, 8(t1)
	sd	t0, 8(s2)
	bne	t0, s1, 1b
	ret
reads:
	ld	t0, 8(s2)
	ld	t2, 0(s2)
	and	t1, t0, s4
	slli	t1, t1, 6
	add	t1, t1, s3
	ld	t3, 8(t1)
	ld	t4, 0(t1)
	blt	t2, t0, late
	blt	t3, t0, late
	blt	t4, t3, late
	bne	t0, s1, reads
	ret
late:
	FAIL(1)

	.data
	VARIABLE(y)
	.balign	64
lines:	.skip	LINES * 64
