/* SPDX-License-Identifier: Apache-2.0 */
/* With MPRV the PMP checks M's loads and stores as those of MPP. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region
	PMPADDR	0, region, 0x1ff
	PMPCFG	0, PMP_NAPOT | PMP_R
	.irp mode, S, U
	CASE	1 + \mode
	AS	\mode, sw a1, 0(a0)
	WANT	STORE_ACCESS
	EQ_REG	s4, a0
	AS	\mode, lw a1, 0(a0)
	EQ	s6, 0
	.endr
	CASE	4
	AS	M, sw a1, 0(a0)
	EQ	s6, 0
	jr	s11

	.bss
	.balign	4096
region:	.skip	4096
