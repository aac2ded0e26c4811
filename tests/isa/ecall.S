/* SPDX-License-Identifier: Apache-2.0 */
/* ecall from each mode: cause, epc, tval 0, and the saved status. */
#include "test.h"

.macro STATUS bits
	li	s8, MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE
	and	s5, s5, s8
	EQ	s5, \bits
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1
	csrsi	mstatus, MSTATUS_MIE
	TRY	M, ecall		/* mret restores MPIE, which was 0 */
	WANT	ECALL_M
	TVAL	0
	li	a0, MSTATUS_MPIE
	csrs	mstatus, a0
	TRY	M, ecall
	WANT	ECALL_M
	TVAL	0
	STATUS	MSTATUS_MPP | MSTATUS_MPIE
	CASE	2
	li	a0, MSTATUS_MPIE
	csrs	mstatus, a0
	TRY	S, ecall
	WANT	ECALL_S
	TVAL	0
	STATUS	(S << 11) | MSTATUS_MPIE
	CASE	3
	li	a0, MSTATUS_MPIE
	csrs	mstatus, a0
	TRY	U, ecall
	WANT	ECALL_U
	TVAL	0
	STATUS	MSTATUS_MPIE
	CASE	4			/* MIE 0 before the trap: MPIE 0 after it */
	li	a0, MSTATUS_MPIE
	csrc	mstatus, a0
	TRY	U, ecall
	WANT	ECALL_U
	STATUS	0
	CASE	5			/* any other bit set: reserved */
	.irp word, 0x000000f3, 0x00008073, 0x00300073, 0x10000073
	TRY	M, .word \word
	WANT	ILLEGAL
	TVAL	\word
	.endr
	jr	s11
