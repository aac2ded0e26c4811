/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of each event of F and D, checked with code whose count is known. */
#include "run-float.h"
#include "counts.h"

	.globl	test
	.option	norvc
test:
	mv	s11, ra
	la	s10, data
	FLOAT_ON
	COUNTS_EVENTS
	fmv.d.x	fa0, zero
	COUNTS	0, 11, 2, "flw fa1, (s10); fld fa2, 8(s10); fsd fa2, 8(s10); ld a2, (s10); fadd.d fa0, fa0, fa0"
	COUNTS	0, 12, 3, "fsw fa1, (s10); fsd fa2, 8(s10); fsd fa2, 16(s10); sd a2, (s10); flw fa1, (s10)"
	COUNTS	0, 13, 4, "fadd.s fa1, fa0, fa0; fadd.d fa1, fa0, fa0; fsub.s fa1, fa0, fa0; fsub.d fa1, fa0, fa0; fmul.d fa1, fa0, fa0; add a2, a2, a2"
	COUNTS	0, 14, 2, "fmul.s fa1, fa0, fa0; fmul.d fa1, fa0, fa0; mul a2, a2, a2; fmadd.d fa1, fa0, fa0, fa0"
	COUNTS	0, 15, 4, "fmadd.s fa1, fa0, fa0, fa0; fmsub.d fa1, fa0, fa0, fa0; fnmsub.s fa1, fa0, fa0, fa0; fnmadd.d fa1, fa0, fa0, fa0; fmul.d fa1, fa0, fa0"
	COUNTS	0, 16, 4, "fdiv.s fa1, fa0, fa0; fdiv.d fa1, fa0, fa0; fsqrt.s fa1, fa0; fsqrt.d fa1, fa0; div a2, a2, a2; fmul.d fa1, fa0, fa0"
	COUNTS	0, 17, 9, "fsgnj.s fa1, fa0, fa0; fmin.d fa1, fa0, fa0; feq.d a2, fa0, fa0; fclass.s a2, fa0; fmv.x.d a2, fa0; fmv.d.x fa0, zero; fcvt.w.d a2, fa0; fcvt.d.w fa1, zero; fcvt.s.d fa1, fa0; fdiv.d fa1, fa0, fa0; fld fa1, (s10)"
	jr	s11

	.bss
	.balign	64
data:	.skip	64
