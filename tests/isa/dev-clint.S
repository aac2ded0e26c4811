/* SPDX-License-Identifier: Apache-2.0 */
/* CLINT registers as firmware uses them: widths and values after reset. */
#include "irq.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, SOC_CLINT_BASE
	li	a1, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	li	a2, SOC_CLINT_BASE + SOC_CLINT_MTIME
	CASE	1
	lw	a3, SOC_CLINT_MSIP(a0)
	EQ	a3, 0
	CASE	2			/* mtimecmp holds 64 bits, in halves as well */
	li	a3, 0x123456789abcdef0
	sd	a3, 0(a1)
	ld	a4, 0(a1)
	EQ_REG	a4, a3
	lwu	a4, 0(a1)
	EQ	a4, 0x9abcdef0
	lwu	a4, 4(a1)
	EQ	a4, 0x12345678
	li	a3, -1
	sw	a3, 4(a1)
	ld	a4, 0(a1)
	EQ	a4, 0xffffffff9abcdef0
	sw	zero, 0(a1)
	ld	a4, 0(a1)
	EQ	a4, 0xffffffff00000000
	CASE	3			/* mtime halves */
	li	a3, 0x500000000
	sd	a3, 0(a2)
	lwu	a4, 4(a2)
	EQ	a4, 5
	ld	a4, 0(a2)
	srli	a4, a4, 32
	EQ	a4, 5
	CASE	4			/* comparing is unsigned, and at equality */
	li	a3, -1
	sd	a3, 0(a1)
	AWAIT_MIP 0
	li	a3, 0x400000000
	sd	a3, 0(a1)
	AWAIT_MIP 1 << MTI
	sd	zero, 0(a2)
	AWAIT_MIP 0
	jr	s11
