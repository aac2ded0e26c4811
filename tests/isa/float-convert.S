/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions, moves, classes, signs and NaN boxing. */
#include "run-float.h"

	.macro	TO_INT insn, from, value, result, flags
	li	a0, \value
	fmv.\from\().x fa0, a0
	csrw	fcsr, zero
	\insn	a0, fa0, rtz
	EQ	a0, \result
	csrr	a0, fflags
	EQ	a0, \flags
	.endm

	.macro	FROM_INT insn, value, result, flags
	li	a0, \value
	csrw	fcsr, zero
	\insn	fa0, a0
	fmv.x.d	a0, fa0
	EQ	a0, \result
	csrr	a0, fflags
	EQ	a0, \flags
	.endm

	.macro	PAIR insn, a, b, result
	li	a0, \a
	fmv.d.x	fa0, a0
	li	a0, \b
	fmv.d.x	fa1, a0
	\insn	fa2, fa0, fa1
	fmv.x.d	a0, fa2
	EQ	a0, \result
	.endm

	.globl	test
test:
	FLOAT_ON
	CASE	1
	TO_INT	fcvt.w.d, d, 0xbff8000000000000, -1, 1
	TO_INT	fcvt.wu.d, d, 0xbfe8000000000000, 0, 1
	TO_INT	fcvt.wu.d, d, 0xbff0000000000000, 0, 16
	TO_INT	fcvt.w.d, d, 0x41e0000000000000, 0x7fffffff, 16
	TO_INT	fcvt.w.d, d, 0xc1e0000000000000, -0x80000000, 0
	TO_INT	fcvt.wu.d, d, 0x41efffffffe00000, -1, 0
	TO_INT	fcvt.wu.d, d, 0x41f0000000000000, -1, 16
	CASE	2
	TO_INT	fcvt.l.d, d, 0x43e0000000000000, 0x7fffffffffffffff, 16
	TO_INT	fcvt.l.d, d, 0xc3e0000000000000, 0x8000000000000000, 0
	TO_INT	fcvt.lu.d, d, 0x43efffffffffffff, 0xfffffffffffff800, 0
	TO_INT	fcvt.lu.d, d, 0x7ff8000000000000, -1, 16
	TO_INT	fcvt.l.d, d, 0xfff0000000000000, 0x8000000000000000, 16
	CASE	3
	TO_INT	fcvt.w.s, w, 0x7fc00000, 0x7fffffff, 16
	TO_INT	fcvt.l.s, w, 0xbf800000, -1, 0
	TO_INT	fcvt.lu.s, w, 0x5f000000, 0x8000000000000000, 0
	TO_INT	fcvt.wu.s, w, 0x4f7fffff, 0xffffffffffffff00, 0
	CASE	4
	FROM_INT fcvt.d.w, 0x180000000, 0xc1e0000000000000, 0
	FROM_INT fcvt.d.wu, -1, 0x41efffffffe00000, 0
	FROM_INT fcvt.d.l, -1, 0xbff0000000000000, 0
	FROM_INT fcvt.d.lu, -1, 0x43f0000000000000, 1
	FROM_INT fcvt.s.w, 0x7fffffff, 0xffffffff4f000000, 1
	FROM_INT fcvt.s.lu, -1, 0xffffffff5f800000, 1
	FROM_INT fcvt.s.l, 0, 0xffffffff00000000, 0
	CASE	5			/* between the formats */
	FROM_INT fmv.d.x, 0xffffffff7f800001, 0xffffffff7f800001, 0
	fcvt.d.s fa1, fa0
	fmv.x.d	a0, fa1
	EQ	a0, 0x7ff8000000000000
	csrr	a0, fflags
	EQ	a0, 16
	FROM_INT fmv.d.x, 0x3810000000000000, 0x3810000000000000, 0
	fcvt.s.d fa1, fa0
	fmv.x.d	a0, fa1
	EQ	a0, 0xffffffff00800000
	CASE	6			/* a binary32 that is not boxed reads as a NaN */
	FROM_INT fmv.d.x, 0x3f800000, 0x3f800000, 0
	fadd.s	fa1, fa0, fa0
	fmv.x.d	a0, fa1
	EQ	a0, 0xffffffff7fc00000
	csrr	a0, fflags
	EQ	a0, 0
	fclass.s a0, fa0
	EQ	a0, 1 << 9
	fcvt.d.s fa1, fa0
	fmv.x.d	a0, fa1
	EQ	a0, 0x7ff8000000000000
	fsgnj.s	fa1, fa0, fa0
	fmv.x.d	a0, fa1
	EQ	a0, 0xffffffff7fc00000
	CASE	7			/* fmv.x.w copies the low half unchanged */
	fmv.x.w	a0, fa0
	EQ	a0, 0x3f800000
	CASE	8			/* flw boxes, fsw stores the low half */
	la	a1, data
	flw	fa0, 0(a1)
	fmv.x.d	a0, fa0
	EQ	a0, 0xffffffff80000001
	fmv.x.w	a0, fa0
	EQ	a0, -0x7fffffff
	fsw	fa0, 4(a1)
	ld	a0, 0(a1)
	EQ	a0, 0x8000000180000001
	c.fld	fa5, 0(a1)
	c.fsd	fa5, 8(a1)
	ld	a0, 8(a1)
	EQ	a0, 0x8000000180000001
	CASE	9			/* the same relative to sp */
	mv	a2, sp
	mv	sp, a1
	c.fsdsp	fa5, 16(sp)
	c.fldsp	fa4, 16(sp)
	mv	sp, a2
	fmv.x.d	a0, fa4
	EQ	a0, 0x8000000180000001
	CASE	10			/* signs */
	PAIR	fsgnj.d, 1, 0x8000000000000000, 0x8000000000000001
	PAIR	fsgnjn.d, 1, 0x8000000000000000, 1
	PAIR	fsgnjx.d, 0x8000000000000001, 0x8000000000000000, 1
	CASE	11			/* minimum and maximum */
	PAIR	fmin.d, 0, 0x8000000000000000, 0x8000000000000000
	PAIR	fmax.d, 0x8000000000000000, 0, 0
	PAIR	fmin.d, 0x7ff8000000000001, 0x3ff0000000000000, 0x3ff0000000000000
	PAIR	fmax.d, 0x7ff8000000000001, 0xfff8000000000000, 0x7ff8000000000000
	CASE	12			/* each register is separate */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	li	a0, \n
	fmv.d.x	f\n, a0
	.endr
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fmv.x.d	a0, f\n
	EQ	a0, \n
	.endr
	ret

	.data
	.balign	8
data:	.dword	0x80000001, 0, 0
