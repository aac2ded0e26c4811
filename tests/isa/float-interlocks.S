/* SPDX-License-Identifier: Apache-2.0 */
/* fp_interlock of the in-order pipeline, checked with code whose count is known. */
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
	COUNTS	1, 10, 2, "nop; nop; nop; csrr a2, mscratch; fsgnj.d fa1, fa0, fa0; nop; nop; nop"
	COUNTS	1, 10, 0, "nop; nop; nop; fsgnj.d fa1, fa0, fa0; fmin.d fa1, fa1, fa1; nop; nop; nop"
	COUNTS	1, 10, 3, "nop; nop; nop; fadd.d fa1, fa0, fa0; fmul.d fa2, fa1, fa1; nop; nop; nop"
	COUNTS	1, 10, 1, "nop; nop; nop; fadd.d fa1, fa0, fa0; nop; nop; fsd fa1, 8(s10); nop; nop; nop"
	COUNTS	1, 10, 0, "nop; nop; nop; fadd.d fa1, fa0, fa0; nop; nop; nop; fsd fa1, 8(s10); nop; nop; nop"
	COUNTS	1, 10, 2, "nop; nop; nop; fmadd.d fa1, fa0, fa0, fa0; csrr a2, fflags; nop; nop; nop"
	COUNTS	1, 10, 0, "nop; nop; nop; fdiv.d fa1, fa0, fa0; nop; nop; nop; nop"
	COUNTS	1, 10, 1, "nop; nop; nop; fdiv.d fa1, fa0, fa0; fsd fa1, 8(s10); nop; nop; nop"
	jr	s11

	.bss
	.balign	64
data:	.skip	64
