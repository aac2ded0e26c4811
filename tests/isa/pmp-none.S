/* SPDX-License-Identifier: Apache-2.0 */
/* With every entry off, M has full access, S and U have none. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	PMPCFG	7, 0
	CASE	1
	LOAD_OK	M, a0
	STORE_OK M, a0
	CASE	2
	FETCH_NOT S, a0
	FETCH_NOT U, a0
	jr	s11

	.data
	.balign	8
region:	ecall
