/* SPDX-License-Identifier: Apache-2.0 */
/* Fields of the trap CSRs that keep, drop or ignore written values. */
#include "test.h"

.macro KEEPS csr, written, kept
	li	a0, \written
	csrw	\csr, a0
	csrr	a1, \csr
	EQ	a1, \kept
.endm

	.globl	test
test:
	CASE	1			/* misa: RV64, ACIMSU, read-only */
	csrr	a1, misa
	EQ	a1, (2 << 62) | 0x141105
	KEEPS	misa, 0, (2 << 62) | 0x141105
	KEEPS	misa, -1, (2 << 62) | 0x141105
	CASE	2
	csrr	a1, mvendorid
	EQ	a1, 0
	csrr	a1, marchid
	csrr	a1, mimpid
	CASE	3			/* trap vectors: direct and vectored */
	.irp csr, stvec, mtvec
	csrr	a2, \csr
	KEEPS	\csr, 0x80001000, 0x80001000
	KEEPS	\csr, 0x80001004, 0x80001004
	KEEPS	\csr, 0x80001001, 0x80001001
	KEEPS	\csr, 0xffffffc000000100, 0xffffffc000000100
	csrw	\csr, a2
	.endr
	CASE	4			/* delegation of what S can handle */
	KEEPS	medeleg, 0xb1fe, 0xb1fe
	KEEPS	medeleg, 0, 0
	CASE	5			/* values and causes */
	.irp csr, mtval, stval, mscratch, sscratch
	KEEPS	\csr, -1, -1
	KEEPS	\csr, 0x123456789abcdef0, 0x123456789abcdef0
	.endr
	.irp csr, mcause, scause
	KEEPS	\csr, IRQ | STI, IRQ | STI
	KEEPS	\csr, STORE_PAGE, STORE_PAGE
	.endr
	CASE	6			/* counter enables: cycle, time, instret */
	.irp csr, mcounteren, scounteren
	csrwi	\csr, 0
	csrr	a1, \csr
	EQ	a1, 0
	csrwi	\csr, 7
	csrr	a1, \csr
	EQ	a1, 7
	.endr
	ret
