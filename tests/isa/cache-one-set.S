/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores, AMOs and fetches of many lines of one set of the L1 caches, none of which is
 * there: each is executed, at once with others or after them. */
#include "test.h"

	.equ	STRIDE, 4096		/* a multiple of a way */

	.globl	test
test:
	mv	s11, ra
	li	a6, STRIDE
	CASE	1			/* loads at once */
	la	a0, lines
	li	a5, 0
	.rept	16
	ld	a1, 0(a0)
	add	a0, a0, a6
	add	a5, a5, a1
	.endr
	EQ	a5, 0
	CASE	2			/* stores, whose lines the next ones displace */
	la	a0, lines + 64
	li	a3, 1
	.rept	16
	sd	a3, 0(a0)
	sd	a3, 8(a0)
	add	a0, a0, a6
	addi	a3, a3, 1
	.endr
	CASE	3			/* stores and loads, in turn and backwards */
	li	a4, 16
1:	sub	a0, a0, a6
	addi	a3, a3, -1
	ld	a1, 0(a0)
	sd	a1, 16(a0)
	ld	a2, 8(a0)
	EQ_REG	a1, a3
	EQ_REG	a2, a3
	addi	a4, a4, -1
	bnez	a4, 1b
	CASE	4			/* atomics between misses */
	li	a4, 16
	li	a5, 0
2:	ld	a1, 128(a0)
	amoadd.d a2, a4, (a0)
	sd	a2, 24(a0)
	add	a5, a5, a2
	add	a0, a0, a6
	addi	a4, a4, -1
	bnez	a4, 2b
	EQ	a5, 136
	CASE	5			/* a load and a store of each line at once */
	la	a0, lines + 192
	.rept	16
	sw	a6, 0(a0)
	lw	a1, 4(a0)
	add	a0, a0, a6
	.endr
	.rept	16
	sub	a0, a0, a6
	lw	a1, 0(a0)
	EQ_REG	a1, a6
	.endr
	CASE	6			/* fetches */
	la	a0, code
	li	a3, 16
	lw	a1, ret
	lw	a2, increment
3:	sw	a2, 0(a0)
	sw	a1, 4(a0)
	add	a0, a0, a6
	addi	a3, a3, -1
	bnez	a3, 3b
	fence.i
	li	a4, 0
	li	a5, 4
4:	la	a0, code
	li	a3, 16
5:	jalr	a0
	add	a0, a0, a6
	addi	a3, a3, -1
	bnez	a3, 5b
	addi	a5, a5, -1
	bnez	a5, 4b
	EQ	a4, 64
	CASE	7			/* loads, and stores to one line between them, which
					 * take each other's ways */
	.irp distance, 0, 8, 16, 32, 48
	la	a0, lines
	la	a2, lines + 5 * STRIDE
	li	a3, 16
	sd	zero, \distance(a2)
6:	ld	a1, 0(a0)
	.rept	\distance / 8
	nop
	.endr
	sb	a3, \distance(a2)
	add	a0, a0, a6
	addi	a3, a3, -1
	bnez	a3, 6b
	ld	a1, \distance(a2)
	EQ	a1, 1
	.endr
	jr	s11

	.data
	.option	norvc
	.balign	4
ret:	ret
increment:
	addi	a4, a4, 1

	.bss
	.balign	4096
lines:	.skip	16 * STRIDE
code:	.skip	16 * STRIDE
