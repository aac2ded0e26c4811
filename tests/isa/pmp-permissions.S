/* SPDX-License-Identifier: Apache-2.0 */
/* R, W and X of an entry apply to S and U, and to M only when it is locked. */
#include "pmp.h"

.macro REGION bits, load, store, fetch
	PMPCFG	0, PMP_NAPOT | (\bits)
	.irp mode, S, U
	LOAD_\load \mode, a0
	STORE_\store \mode, a2
	TRY	\mode, amoor.w a1, zero, (a2)
	.ifc \store, OK
	OK	\mode
	.else
	WANT	STORE_ACCESS
	EQ_REG	s4, a2
	.endif
	FETCH_\fetch \mode, a0
	.endr
	LOAD_OK	M, a0
	STORE_OK M, a2
	FETCH_OK M, a0
.endm

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	addi	a2, a0, 64
	PMPADDR	0, region, 0x1ff	/* 4 KiB */
	CASE	1
	REGION	PMP_R | PMP_W | PMP_X, OK, OK, OK
	CASE	2
	REGION	PMP_R, OK, NOT, NOT
	CASE	3
	REGION	PMP_R | PMP_W, OK, OK, NOT
	CASE	4
	REGION	PMP_R | PMP_X, OK, NOT, OK
	CASE	5
	PMPCFG	0, PMP_NAPOT | PMP_X
	LOAD_NOT U, a0
	STORE_NOT U, a0
	FETCH_OK U, a0
	CASE	6
	PMPCFG	0, PMP_NAPOT
	LOAD_NOT U, a0
	STORE_NOT S, a0
	FETCH_NOT S, a0
	LOAD_OK	M, a0
	FETCH_OK M, a0
	CASE	7			/* off again: entry 7 decides */
	PMPCFG	0, 0
	LOAD_OK	U, a0
	STORE_OK U, a2
	FETCH_OK U, a0
	jr	s11

	.data
	.balign	4096
region:	ecall
	.balign	4096
