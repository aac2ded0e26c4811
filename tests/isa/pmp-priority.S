/* SPDX-License-Identifier: Apache-2.0 */
/* The lowest matching entry decides; without one, only M has access. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	CASE	1			/* 0 before 1, deny before allow */
	PMPADDR	0, region, 0x1ff
	PMPADDR	1, region, 0x3ff
	PMPCFG	1, PMP_NAPOT | PMP_R | PMP_W | PMP_X
	PMPCFG	0, PMP_NAPOT
	LOAD_NOT U, a0
	li	a2, 4096
	add	a2, a2, a0
	LOAD_OK	U, a2
	CASE	2			/* allow before deny */
	PMPCFG	0, PMP_NAPOT | PMP_R
	PMPCFG	1, PMP_NAPOT
	LOAD_OK	U, a0
	STORE_NOT U, a0
	LOAD_NOT U, a2
	CASE	3			/* each of the lower entries works */
	PMPCFG	0, 0
	PMPCFG	1, 0
	.irp n, 0, 1, 2, 3, 4, 5, 6
	PMPADDR	\n, region, 0x1ff
	PMPCFG	\n, PMP_NAPOT
	LOAD_NOT S, a0
	PMPCFG	\n, 0
	LOAD_OK	S, a0
	.endr
	CASE	4			/* no entry matches: M may, others not */
	la	a3, test
	PMPADDR	6, _start, 0x1ff	/* only the code stays accessible */
	PMPCFG	6, PMP_NAPOT | PMP_R | PMP_X
	PMPCFG	7, 0
	LOAD_OK	M, a0
	STORE_OK M, a0
	LOAD_NOT S, a0
	STORE_NOT U, a0
	FETCH_NOT U, a0
	LOAD_OK	U, a3
	jr	s11

	.bss
	.balign	8192
region:	.skip	8192
