/* SPDX-License-Identifier: Apache-2.0 */
/* The software interrupt of M: raised by the CLINT, masked, taken, lowered. */
#include "irq.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	MSIP	1
	AWAIT_MIP 1 << MSI
	CASE	2			/* only bit 0 of msip exists */
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MSIP
	lw	a1, 0(a0)
	EQ	a1, 1
	MSIP	-2
	AWAIT_MIP 0
	lw	a1, 0(a0)
	EQ	a1, 0
	CASE	3			/* not enabled in mie: not taken */
	MSIP	1
	csrsi	mstatus, MSTATUS_MIE
	nop
	csrci	mstatus, MSTATUS_MIE
	TRY	U, nop
	OK	U
	CASE	4			/* enabled in mie, but not in mstatus */
	li	a0, 1 << MSI
	csrw	mie, a0
	nop
	CASE	5			/* taken in M right after MIE is set */
	TAKE_IN_M
	WANT	IRQ | MSI
	TVAL	0
	li	a0, MSTATUS_MPP | MSTATUS_MPIE | MSTATUS_MIE
	and	a0, s5, a0
	EQ	a0, MSTATUS_MPP | MSTATUS_MPIE
	CASE	6			/* in S and U regardless of MIE */
	TAKE_IN	S
	WANT	IRQ | MSI
	li	a0, MSTATUS_MPP
	and	a0, s5, a0
	EQ	a0, S << 11
	TAKE_IN	U
	WANT	IRQ | MSI
	CASE	7			/* right after mie is written */
	csrw	mie, zero
	csrsi	mstatus, MSTATUS_MIE
	li	a0, 1 << MSI
	la	s1, 1f
	li	s6, 0
	csrw	mie, a0
800:	j	800b
1:	WANT	IRQ | MSI
	CASE	8			/* the write that lowers it is effective at
                                         * once */
	MSIP	0
	AWAIT_MIP 0
	csrsi	mstatus, MSTATUS_MIE
	nop
	csrci	mstatus, MSTATUS_MIE
	jr	s11
