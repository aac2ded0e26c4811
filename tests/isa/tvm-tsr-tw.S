/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that M can deny to S: satp and sfence.vma, sret, wfi. */
#include "test.h"

.macro ONLY bit
	li	a0, MSTATUS_TVM | MSTATUS_TSR | MSTATUS_TW
	csrc	mstatus, a0
	li	a0, \bit
	csrs	mstatus, a0
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* TVM */
	ONLY	MSTATUS_TVM
	TRY	S, csrr a1, satp
	WANT	ILLEGAL
	TRY	S, csrw satp, zero
	WANT	ILLEGAL
	TRY	S, sfence.vma
	WANT	ILLEGAL
	TVAL	0x12000073
	TRY	S, sfence.vma a0, a1
	WANT	ILLEGAL
	TRY	M, csrw satp, zero
	OK	M
	TRY	M, sfence.vma
	OK	M
	CASE	2			/* without it, S may; U never */
	ONLY	MSTATUS_TSR | MSTATUS_TW
	TRY	S, csrw satp, zero
	OK	S
	TRY	S, sfence.vma
	OK	S
	TRY	S, sfence.vma a0, a1
	OK	S
	TRY	U, sfence.vma
	WANT	ILLEGAL
	TRY	U, csrr a1, satp
	WANT	ILLEGAL
	CASE	3			/* TSR */
	ONLY	MSTATUS_TSR
	TRY	S, sret
	WANT	ILLEGAL
	TVAL	0x10200073
	CASE	4			/* TW: nothing is pending, so wfi would wait */
	ONLY	MSTATUS_TW
	TRY	S, wfi
	WANT	ILLEGAL
	TVAL	0x10500073
	CASE	5			/* in U wfi is illegal regardless of TW */
	TRY	U, wfi
	WANT	ILLEGAL
	ONLY	0
	TRY	U, wfi
	WANT	ILLEGAL
	CASE	6			/* with one pending and enabled, S's wfi returns */
	csrsi	mie, 1 << SSI
	csrsi	mip, 1 << SSI
	li	a0, 1 << SSI
	csrw	mideleg, a0
	TRY	S, wfi
	OK	S
	TRY	M, wfi
	OK	M
	jr	s11
