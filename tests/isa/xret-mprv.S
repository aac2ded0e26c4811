/* SPDX-License-Identifier: Apache-2.0 */
/* A return to a mode below M clears MPRV. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* by mret */
	.irp mode, S, U
	li	a0, MSTATUS_MPRV
	csrs	mstatus, a0
	TRY	\mode, ecall
	OK	\mode
	csrr	a1, mstatus
	srli	a1, a1, 17
	andi	a1, a1, 1
	EQ	a1, 0
	.endr
	CASE	2			/* by sret in M */
	.irp mode, S, U
	la	a0, 1f
	csrw	sepc, a0
	la	s1, 2f
	li	s6, 0
	li	a0, (\mode << 8) | MSTATUS_MPRV
	csrw	mstatus, a0
	sret
1:	ecall
2:	EQ	s2, (8 + \mode)
	csrr	a1, mstatus
	srli	a1, a1, 17
	andi	a1, a1, 1
	EQ	a1, 0
	.endr
	jr	s11
