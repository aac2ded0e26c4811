/* SPDX-License-Identifier: Apache-2.0 */
/* Every alignment of both ends with lengths around those of words, lines and pages: the bytes
 * arrive, no other changes, and rd is the length. */
#include "copy.h"

#define GUARD 16

	.globl	test
test:
	mv	s11, ra
	CASE	1
	la	s9, lengths
1:	lhu	s10, (s9)
	li	a6, 0			/* offset of the source */
2:	li	a7, 0			/* offset of the destination */
3:	call	once
	addi	a7, a7, 1
	li	t0, 8
	bne	a7, t0, 3b
	addi	a6, a6, 1
	bne	a6, t0, 2b
	addi	s9, s9, 2
	la	t0, lengths_end
	bne	s9, t0, 1b
	CASE	2			/* whole pages, and more lines than are in flight */
	li	a6, 0
	li	a7, 0
	li	s10, 4096
	call	once
	li	a7, 64
	li	s10, 4032
	call	once
	jr	s11

	/* Copies s10 bytes and checks all. The destination is first filled with bytes that differ
	 * from call to call. */
once:
	la	a0, to
	la	a1, from
	addi	s0, s0, 1
	addi	t0, a0, -GUARD
	add	t1, a0, a7
	add	t1, t1, s10
	addi	t1, t1, GUARD
1:	sb	s0, (t0)
	addi	t0, t0, 1
	bne	t0, t1, 1b
	add	a0, a0, a7
	add	a1, a1, a6
	mv	t0, a1			/* the source, of which some lines are modified in the L1D */
	add	t1, a1, s10
2:	slli	t2, t0, 1
	xor	t2, t2, s0
	addi	t2, t2, 1
	sb	t2, (t0)
	addi	t0, t0, 1
	bne	t0, t1, 2b
	mv	a2, s10
	cpy	a2, a0, a1
	bne	a2, s10, bad
	andi	t4, s0, 0xff
	addi	t0, a0, -GUARD		/* before */
3:	lbu	t2, (t0)
	bne	t2, t4, bad
	addi	t0, t0, 1
	bne	t0, a0, 3b
	add	t1, a0, s10		/* copied */
4:	lbu	t2, (t0)
	lbu	t3, (a1)
	bne	t2, t3, bad
	addi	t0, t0, 1
	addi	a1, a1, 1
	bne	t0, t1, 4b
	addi	t1, t1, GUARD		/* behind */
5:	lbu	t2, (t0)
	bne	t2, t4, bad
	addi	t0, t0, 1
	bne	t0, t1, 5b
	ret
bad:	j	fail

	.section .rodata
	.balign	2
lengths:
	.half	1, 2, 3, 7, 8, 9, 15, 17, 57, 63, 64, 65, 129, 300
lengths_end:

	.bss
	.balign	4096
	.skip	GUARD
	.balign	4096
to:	.skip	8192
from:	.skip	4096
