/* SPDX-License-Identifier: Apache-2.0 */
/* Delegated interrupts: never taken in M, in S if SIE is set, in U always. Others: taken
 * in M if MIE is set, in S and U always. */
#include "irq.h"

.macro SIE value
	csrci	mstatus, MSTATUS_SIE
	csrsi	mstatus, \value * MSTATUS_SIE
.endm

	.globl	test
test:
	mv	s11, ra
	.irp cause, SSI, STI, SEI
	li	a1, 1 << \cause
	csrw	mideleg, a1
	csrw	mie, a1
	csrw	mip, a1
	CASE	\cause * 10 + 1		/* not in M, even with MIE */
	csrsi	mstatus, MSTATUS_MIE
	nop
	csrci	mstatus, MSTATUS_MIE
	CASE	\cause * 10 + 2		/* in S only with SIE */
	SIE	0
	TRY	S, nop
	OK	S
	SIE	1
	TAKE_IN	S
	WANT_S	IRQ | \cause
	li	a2, MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE
	and	a2, s5, a2
	EQ	a2, MSTATUS_SPP | MSTATUS_SPIE
	CASE	\cause * 10 + 3		/* in U always */
	SIE	0
	TAKE_IN	U
	WANT_S	IRQ | \cause
	SIE	1
	TAKE_IN	U
	WANT_S	IRQ | \cause
	CASE	\cause * 10 + 4		/* not enabled: nowhere */
	csrw	mie, zero
	SIE	1
	TRY	S, nop
	OK	S
	TRY	U, nop
	OK	U
	CASE	\cause * 10 + 5		/* not delegated: M, regardless of SIE */
	csrw	mideleg, zero
	csrw	mie, a1
	SIE	0
	TAKE_IN	S
	WANT	IRQ | \cause
	TAKE_IN_M
	WANT	IRQ | \cause
	csrw	mip, zero
	.endr
	CASE	1			/* S raises and lowers SSIP itself */
	csrwi	mideleg, 1 << SSI
	csrwi	mie, 1 << SSI
	SIE	1
	TRY	S, csrsi sip, 1 << SSI
	HANDLED_BY S
	EQ	s2, IRQ | SSI
	la	a0, 800b + 4
	EQ_REG	s3, a0
	SIE	0
	TRY	S, csrci sip, 1 << SSI
	OK	S
	csrr	a0, mip
	andi	a0, a0, 2
	EQ	a0, 0
	CASE	2			/* an M-mode interrupt in S's handler */
	SIE	0
	MSIP	1
	csrwi	mie, 1 << MSI
	TAKE_IN	S
	WANT	IRQ | MSI
	jr	s11
