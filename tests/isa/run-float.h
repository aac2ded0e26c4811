/* SPDX-License-Identifier: Apache-2.0 */
/* Runs rows of floating-point operands: a, b, c, rounding mode, result, flags. */
#ifndef RUN_FLOAT_H
#define RUN_FLOAT_H

#include "tables.h"

#define MSTATUS_FS (3 << 13)

/* Turns the floating-point unit on, with all flags clear. */
.macro FLOAT_ON
	li	t0, MSTATUS_FS
	csrs	mstatus, t0
	csrw	fcsr, zero
.endm

.macro FIRST_ROW n
	END_DATA \n
602:	fld	fa0, 0(s9)
	fld	fa1, 8(s9)
	fld	fa2, 16(s9)
	ld	t0, 24(s9)
	ld	a1, 32(s9)
	ld	a2, 40(s9)
	slli	t0, t0, 5
	csrw	fcsr, t0
.endm

/* Checks the result in a0. */
.macro CHECK_ROW
	csrr	a3, fflags
	EQ_REG	a0, a1
	EQ_REG	a3, a2
	NEXT_ROW 48
.endm

.macro RUN_FLOAT n, op, operands:vararg
	FIRST_ROW \n
	\op	ft0, \operands
	fmv.x.d	a0, ft0
	CHECK_ROW
.endm
.macro RUN_FLOAT1 n, op
	RUN_FLOAT \n, \op, fa0
.endm
.macro RUN_FLOAT2 n, op
	RUN_FLOAT \n, \op, fa0, fa1
.endm
.macro RUN_FLOAT3 n, op
	RUN_FLOAT \n, \op, fa0, fa1, fa2
.endm
.macro RUN_FLOAT_INT2 n, op
	FIRST_ROW \n
	\op	a0, fa0, fa1
	CHECK_ROW
.endm

#endif
