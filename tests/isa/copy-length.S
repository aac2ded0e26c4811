/* SPDX-License-Identifier: Apache-2.0 */
/* How many bytes are copied: up to the end of the page of either end; of ranges that overlap,
 * the distance; and all of a range copied to itself. A loop copies any length. */
#include "copy.h"

/* Copies length bytes from source to destination (offsets in pages); n of them are copied. */
.macro COUNT length, destination, source, n
	la	a0, pages + \destination
	la	a1, pages + \source
	li	a2, \length
	cpy	a2, a0, a1
	EQ	a2, \n
	la	a0, pages + \destination
	la	a1, pages + \source
	li	a4, \n
	call	same
	bnez	a5, 705f
	j	706f
705:	j	fail
706:
.endm

	.globl	test
test:
	mv	s11, ra
	call	fill
	CASE	1			/* the end of the source's page */
	COUNT	100, 0x3000, 0x1ff0, 16
	COUNT	2, 0x3000, 0x1fff, 1
	COUNT	1, 0x3000, 0x1fff, 1
	COUNT	0x7fffffffffffffff, 0x3000, 0x1001, 0xfff
	CASE	2			/* of the destination's */
	COUNT	100, 0x3fe9, 0x1003, 23
	COUNT	2, 0x3fff, 0x1003, 1
	COUNT	-1, 0x3001, 0x1000, 0xfff
	CASE	3			/* of both; of neither */
	COUNT	64, 0x3ffd, 0x1ffd, 3
	COUNT	64, 0x3ffe, 0x1ffd, 2
	COUNT	64, 0x3fc0, 0x1fc0, 64
	COUNT	-1, 0x3000, 0x1000, 0x1000
	COUNT	0x1001, 0x3000, 0x1000, 0x1000
	CASE	4			/* the length counts as unsigned: more than the page */
	COUNT	0x8000000000000000, 0x3000, 0x1f00, 0x100
	CASE	5			/* the lines of both ends are the same */
	COUNT	20, 0x1020, 0x1000, 20
	COUNT	20, 0x1001, 0x1021, 20
	CASE	6			/* overlap */
	call	fill
	COUNT	100, 0x1010, 0x1000, 16
	call	fill
	COUNT	100, 0x1001, 0x1000, 1
	call	fill
	COUNT	4096, 0x1803, 0x1000, 0x7fd
	call	fill
	COUNT	100, 0x1000, 0x1040, 64
	call	fill
	COUNT	100, 0x1007, 0x1008, 1
	CASE	7			/* to itself: nothing changes */
	call	fill
	COUNT	100, 0x1003, 0x1003, 100
	la	t0, pages + 0x1000
	la	t1, pages + 0x1080
1:	slli	t2, t0, 3
	xor	t2, t2, t0
	ld	t3, (t0)
	bne	t3, t2, 9f
	addi	t0, t0, 8
	bne	t0, t1, 1b
	CASE	8			/* a loop over several pages */
	call	fill
	la	a0, pages + 0x4123
	la	a1, pages + 0x0456
	li	a4, 0x3210
	add	a3, a0, a4
1:	sub	a2, a3, a0
	cpy	a2, a0, a1
	add	a0, a0, a2
	add	a1, a1, a2
	bltu	a0, a3, 1b
	la	a0, pages + 0x4123
	la	a1, pages + 0x0456
	call	same
	bnez	a5, 9f
	jr	s11
9:	j	fail

	/* Fills all pages with words that depend on their address. */
fill:	la	t0, pages
	la	t1, pages_end
1:	slli	t2, t0, 3
	xor	t2, t2, t0
	sd	t2, (t0)
	addi	t0, t0, 8
	bne	t0, t1, 1b
	ret

	/* Sets a5 to whether any of the a4 bytes at a0 and a1 differ. */
same:	li	a5, 0
1:	lbu	t0, (a0)
	lbu	t1, (a1)
	xor	t0, t0, t1
	or	a5, a5, t0
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a4, a4, -1
	bnez	a4, 1b
	ret

	.bss
	.balign	4096
pages:	.skip	0x8000
pages_end:
