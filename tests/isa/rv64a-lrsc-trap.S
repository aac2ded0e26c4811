/* SPDX-License-Identifier: Apache-2.0 */
/* A trap and a trap return end a reservation; LR faults as a load. */
#include "test.h"

	.globl	test
test:
	la	a0, word
	CASE	1			/* mret */
	lr.d	a1, (a0)
	TRY	M, sc.d a2, a1, (a0)
	OK	M
	EQ	a2, 1

	CASE	2			/* trap: the recorder does not return */
	TRY	U, lr.d a1, (a0)
	OK	U
	sc.d	a2, a1, (a0)
	EQ	a2, 1

	CASE	3			/* sret */
	la	a3, 1f
	csrw	sepc, a3
	lr.d	a1, (a0)
	li	a3, MSTATUS_SPP
	csrs	mstatus, a3
	sret
	.balign	4
1:	sc.d	a2, a1, (a0)
	la	s1, 2f
	li	s6, 0
	ecall
2:	EQ	s2, ECALL_S
	EQ	a2, 1

	CASE	4			/* LR faults as a load */
	li	a4, HOLE
	TRY	M, lr.d a1, (a4)
	WANT	LOAD_ACCESS
	TVAL	HOLE
	la	a4, word + 2
	TRY	M, lr.w a1, (a4)
	WANT	LOAD_MISALIGNED
	EQ_REG	s4, a4
	la	a4, word + 4
	TRY	M, lr.d a1, (a4)
	WANT	LOAD_MISALIGNED
	EQ_REG	s4, a4
	ret

	.bss
	.balign	64
word:	.skip	64
