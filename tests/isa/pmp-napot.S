/* SPDX-License-Identifier: Apache-2.0 */
/* NAPOT regions of each size from 8 bytes to 8 KiB: both ends, inside and outside. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	PMPCFG	0, PMP_NAPOT | PMP_R
	la	a0, region		/* aligned to 16 KiB, offset 8 KiB */
	li	a3, 8192
	add	a0, a0, a3
	li	a3, 8			/* size */
	li	gp, 0
1:	addi	gp, gp, 1
	srli	t0, a0, 2
	srli	t1, a3, 3
	addi	t1, t1, -1
	or	t0, t0, t1
	csrw	pmpaddr0, t0
	sfence.vma
	STORE_NOT U, a0
	add	a2, a0, a3
	STORE_OK U, a2
	addi	a2, a2, -1
	STORE_NOT S, a2
	addi	a2, a0, -1
	STORE_OK S, a2
	LOAD_OK	U, a0
	slli	a3, a3, 1
	li	a4, 8192
	bleu	a3, a4, 1b
	jr	s11

	.bss
	.balign	16384
region:	.skip	32768
