/* SPDX-License-Identifier: Apache-2.0 */
/* The rounding modes of an instruction and of frm; reserved modes are illegal, but only
 * in instructions that round. */
#include "run-float.h"

	/* 1 + 2^-53, a tie */
	.macro	ROUNDED mode, sum
	fadd.d	fa2, fa0, fa1, \mode
	fmv.x.d	a0, fa2
	EQ	a0, \sum
	.endm

	.globl	test
test:
	mv	s11, ra
	FLOAT_ON
	li	a0, 0x3ff0000000000000
	fmv.d.x	fa0, a0
	li	a0, 0x3ca0000000000000
	fmv.d.x	fa1, a0
	CASE	1
	csrwi	frm, 3			/* the instruction's mode has precedence */
	ROUNDED	rne, 0x3ff0000000000000
	ROUNDED	rtz, 0x3ff0000000000000
	ROUNDED	rdn, 0x3ff0000000000000
	ROUNDED	rup, 0x3ff0000000000001
	ROUNDED	rmm, 0x3ff0000000000001
	CASE	2
	ROUNDED	dyn, 0x3ff0000000000001
	csrwi	frm, 0
	ROUNDED	dyn, 0x3ff0000000000000
	csrwi	frm, 4
	ROUNDED	dyn, 0x3ff0000000000001
	CASE	3			/* fadd.d ft0, ft0, ft0 by mode 5 and 6 */
	.irp bits, 0x02005053, 0x02006053
	TRY	M, .word \bits
	WANT	ILLEGAL
	TVAL	\bits
	.endr
	CASE	4			/* frm has a reserved mode */
	.irp mode, 5, 6, 7
	csrwi	frm, \mode
	TRY	M, fadd.d ft0, ft0, ft0
	WANT	ILLEGAL
	TRY	M, fmadd.s ft0, ft0, ft0, ft0
	WANT	ILLEGAL
	TRY	M, fcvt.w.d a0, ft0, dyn
	WANT	ILLEGAL
	TRY	M, fadd.d ft0, ft0, ft0, rne
	OK	M
	TRY	M, fsgnj.d ft0, ft0, ft0
	OK	M
	TRY	M, feq.d a0, ft0, ft0
	OK	M
	TRY	M, fmin.d ft0, ft0, ft0
	OK	M
	.endr
	CASE	5			/* invalid encodings: other formats, fsqrt with
                                         * rs2 */
	csrwi	frm, 0
	.irp bits, 0x04000053, 0x06000053, 0x5a100053, 0x40000053, 0x42100053, 0xc2400053, 0xe0002053, 0xf0100053, 0xa2003053, 0x22003053, 0x2a002053
	TRY	M, .word \bits
	WANT	ILLEGAL
	TVAL	\bits
	.endr
	jr	s11
