/* SPDX-License-Identifier: Apache-2.0 */
/* A locked entry also applies to M, and neither it nor its bounds can be written. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	PMPADDR	1, region
	PMPADDR	2, region + 4096
	CASE	1			/* TOR, locked: read and execute */
	PMPCFG	2, PMP_TOR | PMP_L | PMP_R | PMP_X
	LOAD_OK	M, a0
	STORE_NOT M, a0
	TRY	M, amoor.w a1, zero, (a0)
	WANT	STORE_ACCESS
	FETCH_OK M, a0
	STORE_NOT S, a0
	STORE_NOT U, a0
	CASE	2			/* the configuration stays */
	csrr	a2, pmpcfg0
	PMPCFG	2, 0
	csrr	a3, pmpcfg0
	EQ_REG	a3, a2
	CASE	3			/* so do its address and, for TOR, the one before */
	csrr	a2, pmpaddr2
	csrw	pmpaddr2, zero
	csrr	a3, pmpaddr2
	EQ_REG	a3, a2
	csrr	a2, pmpaddr1
	csrw	pmpaddr1, zero
	csrr	a3, pmpaddr1
	EQ_REG	a3, a2
	CASE	4			/* its neighbours are writable */
	PMPCFG	1, PMP_R
	csrr	a3, pmpcfg0
	srli	a3, a3, 8
	andi	a3, a3, 0xff
	EQ	a3, PMP_R
	PMPCFG	1, 0
	csrwi	pmpaddr0, 5
	csrr	a3, pmpaddr0
	EQ	a3, 5
	csrwi	pmpaddr3, 6
	csrr	a3, pmpaddr3
	EQ	a3, 6
	CASE	5			/* no access at all, NAPOT */
	la	a0, closed
	PMPADDR	4, closed, 0x1ff
	PMPCFG	4, PMP_NAPOT | PMP_L
	LOAD_NOT M, a0
	STORE_NOT M, a0
	FETCH_NOT M, a0
	LOAD_NOT U, a0
	csrwi	pmpaddr3, 7		/* not a bound of a NAPOT entry */
	csrr	a2, pmpaddr3
	EQ	a2, 7
	jr	s11

	.data
	.balign	4096
region:	ecall
	.balign	4096
closed:	ecall
	.balign	4096
