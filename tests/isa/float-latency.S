/* SPDX-License-Identifier: Apache-2.0 */
/* The cycles that instructions of F and D lose: each row of rtl/README.md. A machine that
 * counts no events takes a cycle for each instruction. */
#include "run-float.h"
#include "counts.h"

/* Runs the code twice, and measures the second run. */
.macro LOSES number, cycles, code
	CASE	\number
	li	s9, 2
	j	1f
	.balign	64
1:	csrr	a1, mcycle
	csrr	a2, minstret
	nop
	nop
	nop
	\code
	nop
	nop
	nop
	nop
	csrr	a3, mcycle
	csrr	a4, minstret
	addi	s9, s9, -1
	bnez	s9, 1b
	sub	a3, a3, a1
	sub	a4, a4, a2
	sub	a3, a3, a4
	EQ	a3, \cycles
.endm

	.globl	test
	.option	norvc
test:
	mv	s11, ra
	la	s10, data
	FLOAT_ON
	COUNTS_EVENTS
	li	a0, 3
	fcvt.d.w fa0, a0
	fcvt.s.w fa1, a0
	li	a0, -3
	fcvt.d.w fa2, a0
	fcvt.s.w fa3, a0
	fmv.d.x	fa4, zero
	fmv.w.x	fa5, zero

	/* One addition, multiplication or multiply-add in each cycle. */
	LOSES	1, 0, "fadd.d ft0, fa0, fa0; fmul.s ft1, fa1, fa1; fmadd.d ft2, fa0, fa0, fa0; fsub.s ft3, fa1, fa1; fnmsub.d ft4, fa0, fa0, fa0; fmul.d ft5, fa0, fa0"
	/* Their results, used by the next instruction and by later ones. */
	LOSES	2, 3, "fadd.d ft0, fa0, fa0; fmul.d ft1, ft0, ft0"
	LOSES	3, 3, "fmul.s ft0, fa1, fa1; fmadd.s ft1, fa1, fa1, ft0"
	LOSES	4, 3, "fmadd.d ft0, fa0, fa0, fa0; fsd ft0, (s10)"
	LOSES	5, 3, "fnmadd.s ft0, fa1, fa1, fa1; fmv.x.w a0, ft0"
	LOSES	6, 2, "fadd.d ft0, fa0, fa0; nop; fmul.d ft1, ft0, ft0"
	LOSES	7, 1, "fadd.d ft0, fa0, fa0; nop; nop; fmul.d ft1, ft0, ft0"
	LOSES	8, 0, "fadd.d ft0, fa0, fa0; nop; nop; nop; fmul.d ft1, ft0, ft0"
	/* The next instruction writes the same register. */
	LOSES	9, 1, "fadd.d ft0, fa0, fa0; fld ft0, (s10)"
	LOSES	19, 1, "fadd.d ft0, fa0, fa0; fmul.d ft0, fa0, fa0"

	/* Division and square root. */
	LOSES	10, 29, "fdiv.d ft0, fa0, fa2"
	LOSES	11, 29, "fdiv.d ft0, fa0, fa2; fadd.d ft1, ft0, ft0"
	LOSES	12, 29, "fsqrt.d ft0, fa0; fadd.d ft1, ft0, ft0"
	LOSES	13, 14, "fdiv.s ft0, fa1, fa3; fadd.s ft1, ft0, ft0"
	LOSES	14, 14, "fsqrt.s ft0, fa1; fadd.s ft1, ft0, ft0"
	LOSES	15, 1, "fdiv.d ft0, fa0, fa4"
	LOSES	16, 1, "fdiv.s ft0, fa5, fa1"
	LOSES	17, 1, "fsqrt.d ft0, fa2"
	LOSES	18, 1, "fsqrt.s ft0, fa5"

	/* All others. */
	LOSES	20, 0, "fsgnj.d ft0, fa0, fa0; fmin.d ft1, ft0, ft0; fcvt.s.d ft1, ft1; fcvt.w.s a0, ft1; fcvt.d.w ft1, a0; feq.d a0, ft1, ft1; fmv.d.x ft2, a0; fclass.d a0, ft2; add a0, a0, a0"
	/* Loads, as those of integers. */
	LOSES	21, 1, "fld ft0, (s10); fadd.d ft1, ft0, ft0"
	LOSES	22, 0, "flw ft0, (s10); nop; fadd.s ft1, ft0, ft0"

	/* CSR instructions. */
	LOSES	23, 2, "csrr a0, mscratch; fsgnj.d ft0, fa0, fa0"
	LOSES	24, 2, "fadd.d ft0, fa0, fa0; csrr a0, fflags"
	LOSES	25, 0, "fadd.d ft0, fa0, fa0; csrr a0, mscratch"
	jr	s11

	.bss
	.balign	64
data:	.skip	64
