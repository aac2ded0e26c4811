/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the rows of tests/isa/run-float.h without CSRs, for a core in lockstep: frm is
 * that of the run, and the model knows results and flags. */
#ifndef RUN_FLOAT_H
#define RUN_FLOAT_H

#include "tables.h"

.macro FLOAT_ON
.endm

.macro RUN_FLOAT n, op, operands:vararg
	END_DATA \n
602:	fld	fa0, 0(s9)
	fld	fa1, 8(s9)
	fld	fa2, 16(s9)
	\op	ft0, \operands
	NEXT_ROW 48
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
	END_DATA \n
602:	fld	fa0, 0(s9)
	fld	fa1, 8(s9)
	\op	a0, fa0, fa1
	NEXT_ROW 48
.endm

#endif
