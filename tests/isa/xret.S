/* SPDX-License-Identifier: Apache-2.0 */
/* mret and sret: mode, interrupt enables, MPRV, and where they are illegal. */
#include "test.h"

/* Sets mstatus to these bits, executes the return, and checks the bits afterwards. */
.macro RETURNS insn, epc, before, after
	li	a0, \before
	csrw	mstatus, a0
	la	a1, 1f
	csrw	\epc, a1
	\insn
	j	fail
	.balign	4
1:	csrr	a2, mstatus		/* traps unless in M */
	li	a3, 0xffffffff
	and	a2, a2, a3
	EQ	a2, \after
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* mret to M: MIE is MPIE, MPIE 1, MPP U */
	RETURNS	mret, mepc, MSTATUS_MPP, MSTATUS_MPIE
	RETURNS	mret, mepc, MSTATUS_MPP | MSTATUS_MPIE, MSTATUS_MIE | MSTATUS_MPIE
	RETURNS	mret, mepc, MSTATUS_MPP | MSTATUS_MIE, MSTATUS_MPIE
	CASE	2			/* S's bits are unchanged */
	RETURNS	mret, mepc, MSTATUS_MPP | MSTATUS_SPP | MSTATUS_SIE, MSTATUS_MPIE | MSTATUS_SPP | MSTATUS_SIE
	CASE	3			/* MPRV stays on a return to M */
	RETURNS	mret, mepc, MSTATUS_MPP | MSTATUS_MPRV, MSTATUS_MPIE | MSTATUS_MPRV
	csrw	mstatus, zero

	CASE	4			/* sret in M goes to SPP */
	.irp mode, S, U
	la	a0, 1f
	csrw	sepc, a0
	la	s1, 2f
	li	s6, 0
	li	a0, \mode << 8
	csrw	mstatus, a0
	sret
	.balign	4
1:	ecall
2:	EQ	s2, (8 + \mode)
	csrr	a0, sepc
	EQ_REG	s3, a0
	csrr	a2, mstatus
	li	a3, MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE
	and	a2, a2, a3
	EQ	a2, MSTATUS_SPIE
	.endr

	CASE	5			/* sret in S: SIE is SPIE, SPIE 1, SPP U */
	la	a0, 1f
	csrw	sepc, a0
	li	a0, MSTATUS_SPP | MSTATUS_SPIE
	csrw	mstatus, a0
	TRY	S, sret
	.balign	4
1:	la	s1, 2f
	li	s6, 0
	ecall
2:	EQ	s2, ECALL_S
	csrr	a1, sstatus
	li	a2, MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE
	and	a1, a1, a2
	EQ	a1, MSTATUS_SPIE | MSTATUS_SIE
	csrw	mstatus, zero

	CASE	6			/* where they are illegal */
	TRY	S, mret
	WANT	ILLEGAL
	TVAL	0x30200073
	TRY	U, mret
	WANT	ILLEGAL
	TRY	U, sret
	WANT	ILLEGAL
	TVAL	0x10200073

	CASE	7			/* to an odd halfword */
	la	a0, 1f
	TRY_JUMP U, a0
	EQ	s2, ECALL_U
	EQ_REG	s3, a0
	CASE	8			/* sret in S to U */
	csrw	mstatus, zero
	la	a0, 1f
	csrw	sepc, a0
	TRY	S, sret
	EQ	s2, ECALL_U
	EQ_REG	s3, a0
	jr	s11

	.balign	4
	c.nop
1:	ecall
