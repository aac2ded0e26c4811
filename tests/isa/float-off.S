/* SPDX-License-Identifier: Apache-2.0 */
/* While mstatus.FS is off, instructions and CSRs of F and D are illegal; tval has the
 * instruction as in memory. */
#include "run-float.h"

	.macro	ILLEGAL_WORD bits
	CASE	(case_number)
	.set	case_number, case_number + 1
	TRY	M, .word \bits
	WANT	ILLEGAL
	TVAL	\bits
	.endm

	.macro	ILLEGAL_HALF bits
	CASE	(case_number)
	.set	case_number, case_number + 1
	TRY	M, .half \bits
	WANT	ILLEGAL
	TVAL	\bits
	.endm

	.globl	test
test:
	mv	s11, ra
	.set	case_number, 1
	la	a0, data
	li	t0, MSTATUS_FS
	csrc	mstatus, t0
	ILLEGAL_WORD 0x00053007		/* fld ft0, 0(a0) */
	ILLEGAL_WORD 0x00052007		/* flw ft0, 0(a0) */
	ILLEGAL_WORD 0x00053027		/* fsd ft0, 0(a0) */
	ILLEGAL_WORD 0x00052027		/* fsw ft0, 0(a0) */
	ILLEGAL_WORD 0x02007053		/* fadd.d ft0, ft0, ft0 */
	ILLEGAL_WORD 0x02007043		/* fmadd.d ft0, ft0, ft0, ft0 */
	ILLEGAL_WORD 0xe20005d3		/* fmv.x.d a1, ft0 */
	ILLEGAL_WORD 0x003025f3		/* csrr a1, fcsr */
	ILLEGAL_WORD 0x00101073		/* csrw fflags, zero */
	ILLEGAL_WORD 0x00202573		/* csrr a0, frm */
	ILLEGAL_HALF 0x2108		/* c.fld fa0, 0(a0) */
	ILLEGAL_HALF 0xa108		/* c.fsd fa0, 0(a0) */
	ILLEGAL_HALF 0x2502		/* c.fldsp fa0, 0(sp) */
	ILLEGAL_HALF 0xa02a		/* c.fsdsp fa0, 0(sp) */
	CASE	(case_number)
	FLOAT_ON			/* no other state of FS makes them illegal */
	TRY	U, fadd.d fa0, fa0, fa0
	OK	U
	jr	s11

	.data
	.balign	8
data:	.dword	0
