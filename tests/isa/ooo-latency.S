/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles from an instruction to one that reads its result, on the out-of-order core: the
 * table of rtl/core/ooo/README.md. A chain of them takes so many cycles each. */
#include "test.h"
#include "counts.h"

#define CHAIN 64

/* Runs the chain four times, and measures the last one: instructions and predictor are warm. The
 * first instruction waits for nothing, and reading mcycle adds the same to each. */
.macro TAKES number, cycles, insn:vararg
	CASE	\number
	li	s9, 4
	.balign	64
1:	csrr	a1, mcycle
	.rept	CHAIN
	\insn
	.endr
	csrr	a2, mcycle
	addi	s9, s9, -1
	bnez	s9, 1b
	sub	a2, a2, a1
	addi	a2, a2, -4
	EQ	a2, CHAIN * (\cycles)
.endm

	.globl	test
	.option	norvc
	.option	arch, +f, +d
test:
	mv	s11, ra
	COUNTS_EVENTS
	la	a5, pointer
	sd	a5, (a5)
	li	a3, 3
	li	a4, 1
	TAKES	1, 1, add a3, a3, a4
	TAKES	2, 2, mul a3, a3, a3
	TAKES	3, 2, ld a5, (a5)
	/* As in order: 2, and 1 for each significant bit of the dividend. */
	li	a3, 0x7f
	li	a4, 1
	TAKES	4, 3, div a3, a4, a3
	csrr	a6, misa
	andi	a6, a6, 1 << 3
	beqz	a6, 2f
	li	a3, 0x6000
	csrs	mstatus, a3
	li	a3, 3
	fcvt.d.w fa0, a3
	fcvt.d.w fa1, a3
	TAKES	5, 5, fadd.d fa0, fa0, fa1
	TAKES	6, 5, fmadd.d fa0, fa1, fa1, fa0
	TAKES	7, 2, fsgnj.d fa0, fa0, fa1
	TAKES	8, 31, fdiv.d fa0, fa0, fa1
	fcvt.s.w fa0, a3
	li	a3, 1			/* so that the quotient does not become 0 */
	fcvt.s.w fa1, a3
	TAKES	9, 16, fdiv.s fa0, fa0, fa1
2:	jr	s11

	.data
	.balign	64
pointer:
	.dword	0
