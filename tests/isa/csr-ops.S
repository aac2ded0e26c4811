/* SPDX-License-Identifier: Apache-2.0 */
/* The six CSR instructions on mscratch: old value, new value, x0 and 0. */
#include "test.h"

.macro SCRATCH value
	csrr	a5, mscratch
	EQ	a5, \value
.endm

	.globl	test
test:
	CASE	1
	li	a0, 0x123456789abcdef0
	csrw	mscratch, a0
	li	a1, -1
	csrrw	a2, mscratch, a1
	EQ_REG	a2, a0
	SCRATCH	-1
	csrrw	a1, mscratch, a0	/* swap */
	csrrw	a1, mscratch, a1
	EQ_REG	a1, a0
	SCRATCH	-1
	csrrw	a2, mscratch, zero
	EQ	a2, -1
	SCRATCH	0
	CASE	2
	csrw	mscratch, a0
	li	a1, 0x0f
	csrrs	a2, mscratch, a1
	EQ_REG	a2, a0
	SCRATCH	0x123456789abcdeff
	csrrs	a2, mscratch, zero
	EQ	a2, 0x123456789abcdeff
	csrs	mscratch, a1
	SCRATCH	0x123456789abcdeff
	csrrs	a1, mscratch, a1	/* rd is rs1 */
	EQ	a1, 0x123456789abcdeff
	CASE	3
	li	a1, 0xff
	csrrc	a2, mscratch, a1
	EQ	a2, 0x123456789abcdeff
	SCRATCH	0x123456789abcde00
	csrrc	a2, mscratch, zero
	SCRATCH	0x123456789abcde00
	li	a1, -1
	csrc	mscratch, a1
	SCRATCH	0
	CASE	4
	csrrwi	a2, mscratch, 31
	EQ	a2, 0
	SCRATCH	31
	csrrwi	a2, mscratch, 0
	EQ	a2, 31
	SCRATCH	0
	CASE	5
	csrrsi	a2, mscratch, 0x15
	EQ	a2, 0
	SCRATCH	0x15
	csrrsi	a2, mscratch, 0
	EQ	a2, 0x15
	SCRATCH	0x15
	CASE	6
	csrrci	a2, mscratch, 0x11
	EQ	a2, 0x15
	SCRATCH	4
	csrci	mscratch, 0
	SCRATCH	4
	CASE	7			/* S's own scratch is another register */
	csrwi	sscratch, 9
	SCRATCH	4
	csrr	a2, sscratch
	EQ	a2, 9
	ret
