/* SPDX-License-Identifier: Apache-2.0 */
/* Writing the lower bound of a TOR entry moves the range, without any other write. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	PMPADDR	1, region
	PMPADDR	2, region + 4096
	PMPCFG	2, PMP_TOR
	CASE	1
	LOAD_NOT U, a0
	CASE	2
	PMPADDR	1, region + 8
	LOAD_OK	U, a0
	addi	a2, a0, 8
	LOAD_NOT U, a2
	CASE	3
	PMPADDR	1, region
	LOAD_NOT U, a0
	jr	s11

	.bss
	.balign	4096
region:	.skip	4096
