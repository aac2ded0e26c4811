/* SPDX-License-Identifier: Apache-2.0 */
/* fcsr and its two fields; mstatus.FS, which becomes dirty when floating-point state is
 * written; SD, and both in sstatus; misa. */
#include "run-float.h"

#define FS_INITIAL (1 << 13)
#define FS_CLEAN   (2 << 13)
#define SD	   (1 << 63)

	.macro	FS_TO state
	li	t0, MSTATUS_FS
	csrc	mstatus, t0
	li	t0, \state
	csrs	mstatus, t0
	.endm

	.macro	FS_IS state
	li	t1, MSTATUS_FS | SD
	.irp csr, mstatus, sstatus
	csrr	t0, \csr
	and	t0, t0, t1
	EQ	t0, \state
	.endr
	.endm

	.globl	test
test:
	FLOAT_ON
	CASE	1			/* fcsr is frm and fflags */
	li	t0, -1
	csrw	fcsr, t0
	csrr	a0, fcsr
	EQ	a0, 0xff
	csrr	a0, frm
	EQ	a0, 7
	csrr	a0, fflags
	EQ	a0, 31
	CASE	2
	csrwi	frm, 2
	csrwi	fflags, 5
	csrr	a0, fcsr
	EQ	a0, 0x45
	CASE	3			/* flags accumulate */
	csrw	fcsr, zero
	fmv.d.x	fa0, zero
	fdiv.d	fa1, fa0, fa0
	csrr	a0, fcsr
	EQ	a0, 16
	li	a1, 1
	fcvt.d.w fa1, a1
	fdiv.d	fa1, fa1, fa0
	csrr	a0, fcsr
	EQ	a0, 24
	CASE	4			/* every state is kept; SD is set for dirty */
	FS_TO	FS_INITIAL
	FS_IS	FS_INITIAL
	FS_TO	FS_CLEAN
	FS_IS	FS_CLEAN
	FS_TO	MSTATUS_FS
	FS_IS	MSTATUS_FS | SD
	CASE	5			/* reading changes nothing */
	FS_TO	FS_CLEAN
	csrr	a0, fcsr
	fmv.x.d	a0, fa0
	fclass.d a0, fa0
	feq.d	a0, fa0, fa0
	la	a1, data
	fsd	fa0, 0(a1)
	FS_IS	FS_CLEAN
	CASE	6			/* writing makes it dirty: a register, */
	fmv.d.x	fa0, zero
	FS_IS	MSTATUS_FS | SD
	CASE	7
	FS_TO	FS_INITIAL
	fld	fa0, 0(a1)
	FS_IS	MSTATUS_FS | SD
	CASE	8			/* a CSR, */
	FS_TO	FS_CLEAN
	csrwi	frm, 0
	FS_IS	MSTATUS_FS | SD
	CASE	9			/* a flag */
	li	a0, 0x7ff0000000000001
	fmv.d.x	fa0, a0
	FS_TO	FS_CLEAN
	feq.d	a0, fa0, fa0
	FS_IS	MSTATUS_FS | SD
	CASE	10			/* sstatus can write it as well */
	li	t0, MSTATUS_FS
	csrc	sstatus, t0
	FS_IS	0
	FLOAT_ON
	CASE	11			/* misa: D and F */
	csrr	a0, misa
	andi	a0, a0, (1 << 3) | (1 << 5)
	EQ	a0, (1 << 3) | (1 << 5)
	ret

	.data
	.balign	8
data:	.dword	0
