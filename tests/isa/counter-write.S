/* SPDX-License-Identifier: Apache-2.0 */
/* minstret and mcycle after a write, however many instructions retire together before and
 * after it. */
#include "test.h"

.macro GROUP before, after
	.rept	\before
	addi	a2, a2, 1
	.endr
	csrw	minstret, a3
	.rept	\after
	addi	a2, a2, 1
	.endr
	csrr	a1, minstret
	sub	a1, a1, a3
	EQ	a1, \after
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1
	li	a3, 0
	.irp before, 0, 1, 2, 3, 4, 5
	.irp after, 0, 1, 2, 3, 4, 5, 8
	GROUP	\before, \after
	.endr
	.endr
	CASE	2			/* a carry */
	li	a3, 0xfffffffe
	.irp after, 0, 1, 2, 3, 4, 5
	GROUP	2, \after
	.endr
	CASE	3			/* stopped and started */
	csrsi	mcountinhibit, 4
	csrr	a3, minstret
	.rept	7
	addi	a2, a2, 1
	.endr
	csrr	a1, minstret
	EQ_REG	a1, a3
	csrw	minstret, a2
	.rept	7
	addi	a4, a4, 1
	.endr
	csrr	a1, minstret
	EQ_REG	a1, a2
	csrci	mcountinhibit, 4
	CASE	4			/* cycles go on */
	li	a3, -20
	csrw	mcycle, a3
	csrr	a1, mcycle
	sub	a1, a1, a3
	sltiu	a1, a1, 1000
	EQ	a1, 1
	jr	s11
