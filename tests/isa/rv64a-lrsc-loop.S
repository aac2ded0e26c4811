/* SPDX-License-Identifier: Apache-2.0 */
/* Loops of LR and SC end, whatever is in progress before and behind them: a count of the
 * failures has a limit. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, word
	la	a3, lines
	li	a4, 200
	li	a5, 0			/* failures */
	CASE	1
1:	ld	t0, 0(a3)		/* misses, and hits behind them */
	sd	a4, 8(a3)
	ld	t1, 0(a0)
	sd	a4, 16(a3)
	ld	t2, 8(a3)
2:	lr.d	a1, (a0)
	addi	a1, a1, 1
	sc.d	a2, a1, (a0)
	add	a5, a5, a2
	bnez	a2, 2b
	ld	t0, 0(a0)
	sd	t0, 24(a3)
	ld	t1, 64(a3)
	addi	a3, a3, 128
	addi	a4, a4, -1
	bnez	a4, 1b
	ld	a1, 0(a0)
	EQ	a1, 200
	sltiu	a5, a5, 100
	EQ	a5, 1

	CASE	2			/* two in a row, of two words of a line */
	li	a4, 100
	addi	a3, a0, 8
3:	lr.w	a1, (a0)
	addi	a1, a1, -1
	sc.w	a2, a1, (a0)
	bnez	a2, 3b
4:	lr.w	a1, (a3)
	addi	a1, a1, 1
	sc.w	a2, a1, (a3)
	bnez	a2, 4b
	addi	a4, a4, -1
	bnez	a4, 3b
	ld	a1, 0(a0)
	EQ	a1, 100
	ld	a1, 8(a0)
	EQ	a1, 100
	jr	s11

	.bss
	.balign	64
word:	.skip	64
lines:	.skip	128 * 201
