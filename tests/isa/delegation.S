/* SPDX-License-Identifier: Apache-2.0 */
/* Exceptions delegated to S: those of S and U trap to S, those of M never. */
#include "test.h"

.macro DELEGATE cause
	li	a0, 1 << \cause
	csrw	medeleg, a0
.endm

.macro S_STATUS bits
	li	s8, MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE
	and	s5, s5, s8
	EQ	s5, \bits
.endm

	.globl	test
test:
	mv	s11, ra
	li	a4, HOLE
	CASE	1
	DELEGATE ILLEGAL
	TRY	U, csrr a0, mstatus
	WANT_S	ILLEGAL
	TVAL	0x30002573
	TRY	S, csrr a0, mstatus
	WANT_S	ILLEGAL
	TRY	M, csrw mhartid, a0
	WANT	ILLEGAL
	CASE	2
	DELEGATE LOAD_ACCESS
	TRY	U, ld a0, 0(a4)
	WANT_S	LOAD_ACCESS
	TVAL	HOLE
	TRY	M, ld a0, 0(a4)
	WANT	LOAD_ACCESS
	CASE	3
	DELEGATE STORE_ACCESS
	TRY	S, sd a0, 0(a4)
	WANT_S	STORE_ACCESS
	TVAL	HOLE
	TRY	S, ld a0, 0(a4)
	WANT	LOAD_ACCESS
	CASE	4
	DELEGATE FETCH_ACCESS
	TRY_JUMP U, a4
	HANDLED_BY S
	EQ	s2, FETCH_ACCESS
	EQ_REG	s3, a4
	EQ_REG	s4, a4
	CASE	5			/* U's ecall; S's still traps to M */
	DELEGATE ECALL_U
	TRY	U, ecall
	WANT_S	ECALL_U
	TVAL	0
	TRY	S, ecall
	WANT	ECALL_S

	CASE	6			/* SPP, SPIE and SIE as saved by the trap */
	DELEGATE ILLEGAL
	li	a0, MSTATUS_SPIE
	csrs	mstatus, a0
	csrsi	mstatus, MSTATUS_SIE
	TRY	U, csrr a0, mstatus
	S_STATUS MSTATUS_SPIE
	csrci	mstatus, MSTATUS_SIE
	TRY	U, csrr a0, mstatus
	S_STATUS 0
	csrsi	mstatus, MSTATUS_SIE
	TRY	S, csrr a0, mstatus
	S_STATUS MSTATUS_SPP | MSTATUS_SPIE

	CASE	7			/* the M-mode CSRs are unchanged */
	csrw	sepc, zero
	csrw	mtval, a4
	csrw	medeleg, zero
	TRY	S, csrr a0, mstatus
	csrr	a0, sepc
	EQ	a0, 0
	DELEGATE ILLEGAL
	csrw	mtval, a4
	TRY	S, csrr a0, mstatus
	csrr	a0, mcause
	EQ	a0, ECALL_S
	jr	s11
