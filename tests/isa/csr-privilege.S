/* SPDX-License-Identifier: Apache-2.0 */
/* CSRs above the current mode, and those that do not exist, are illegal. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, -1
	csrw	mcounteren, a0
	csrw	scounteren, a0
	CASE	1			/* M's registers, from S and U */
	.irp csr, mvendorid, mhartid, mstatus, misa, medeleg, mideleg, mie, mtvec, mcounteren, mscratch, mepc, mcause, mtval, mip, pmpcfg0, pmpaddr0, pmpaddr7, mcycle, minstret, mhpmcounter3, mhpmevent3, mcountinhibit
	TRY	S, csrr a0, \csr
	WANT	ILLEGAL
	TRY	U, csrr a0, \csr
	WANT	ILLEGAL
	.endr
	CASE	2			/* S's registers, from U */
	.irp csr, sstatus, sie, stvec, scounteren, sscratch, sepc, scause, stval, sip, satp
	TRY	U, csrr a0, \csr
	WANT	ILLEGAL
	TRY	S, csrr a1, \csr
	OK	S
	TRY	M, csrr a1, \csr
	OK	M
	.endr
	EQ	a0, -1
	CASE	3			/* writes from S and U change nothing */
	csrwi	sscratch, 5
	csrwi	mscratch, 6
	TRY	U, csrw sscratch, zero
	WANT	ILLEGAL
	TRY	S, csrw mscratch, zero
	WANT	ILLEGAL
	csrr	a1, sscratch
	EQ	a1, 5
	csrr	a1, mscratch
	EQ	a1, 6
	CASE	4			/* registers that do not exist */
	.irp csr, 0x000, 0x001, 0x003, 0x004, 0x041, 0x102, 0x103, 0x145, 0x181, 0x1ff, 0x200, 0x600, 0x602, 0x680, 0x30c, 0x346, 0x3a1, 0x3f0, 0x5c0, 0x7a8, 0x7b0, 0x7c0, 0x800, 0x9ff, 0xb01, 0xc80, 0xcc0, 0xe12, 0xf10, 0xfff
	TRY	M, csrr a1, \csr
	WANT	ILLEGAL
	.endr
	jr	s11
