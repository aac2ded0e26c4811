/* SPDX-License-Identifier: Apache-2.0 */
/* TOR: from the previous address to this one; entry 0 from zero; empty ranges. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	la	a2, region + 2044
	CASE	1			/* entries 1 and 2: [region, region + 2044) */
	PMPADDR	1, region
	PMPADDR	2, region + 2044
	PMPCFG	2, PMP_TOR
	LOAD_NOT U, a0
	STORE_NOT S, a0
	LOAD_OK	U, a2
	addi	a3, a0, -1
	LOAD_OK	U, a3
	addi	a3, a2, -1
	LOAD_NOT U, a3
	LOAD_OK	M, a3
	CASE	2			/* empty, and reversed: matches nothing */
	PMPADDR	1, region + 2044
	PMPADDR	2, region + 2044
	LOAD_OK	U, a0
	LOAD_OK	U, a2
	addi	a3, a2, -4		/* around the bound */
	TRY	U, ld a1, 0(a3)
	OK	U
	PMPADDR	1, region + 4096
	PMPADDR	2, region + 2044
	LOAD_OK	U, a0
	LOAD_OK	U, a2
	PMPCFG	2, 0
	CASE	3			/* the previous address applies whatever its
                                         * mode */
	PMPADDR	1, region, 3		/* NAPOT: 32 bytes; as a bound region + 12 */
	PMPCFG	1, PMP_NAPOT | PMP_R | PMP_W | PMP_X
	PMPCFG	2, PMP_TOR
	LOAD_OK	U, a0
	addi	a3, a0, 31
	LOAD_OK	U, a3
	addi	a3, a0, 32
	LOAD_NOT U, a3
	PMPCFG	1, 0
	addi	a3, a0, 12
	LOAD_NOT U, a3
	addi	a3, a0, 11
	LOAD_OK	U, a3
	PMPCFG	2, 0
	CASE	4			/* entry 0 begins at zero */
	PMPADDR	0, region + 4
	PMPCFG	0, PMP_TOR | PMP_R | PMP_X
	addi	a3, a0, 3
	STORE_NOT U, a3
	LOAD_OK	U, a3
	addi	a3, a0, 4
	STORE_OK U, a3
	jr	s11

	.bss
	.balign	4096
	.skip	4096
region:	.skip	8192
