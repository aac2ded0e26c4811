/* SPDX-License-Identifier: Apache-2.0 */
/* The UART's empty transmitter interrupts M and S through the PLIC. */
#include "irq.h"

/* Raises it for a context, takes it, claims, completes, and lowers it. */
.macro EXTERNAL context, mode, cause
	UART_RAISE \context
	AWAIT_MIP 1 << \cause
	li	a0, 1 << \cause
	csrw	mie, a0
	TAKE_IN	\mode
	csrw	mie, zero
.endm

.macro CLAIM context
	li	a1, PLIC_CLAIM(\context)
	lw	a2, 0(a1)
	EQ	a2, SOC_UART_IRQ
	AWAIT_MIP 0			/* claimed: no longer pending */
	lw	a2, 0(a1)
	EQ	a2, 0
	UART_LOWER
	li	a2, SOC_UART_IRQ
	sw	a2, 0(a1)
	POKE32	0, PLIC_ENABLE(\context)
	AWAIT_MIP 0
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* context 0 is M's */
	EXTERNAL 0, U, MEI
	WANT	IRQ | MEI
	TVAL	0
	CLAIM	0
	CASE	2			/* context 1 is S's, here not delegated */
	EXTERNAL 1, S, SEI
	WANT	IRQ | SEI
	CLAIM	1
	CASE	3			/* delegated */
	li	a0, 1 << SEI
	csrw	mideleg, a0
	csrsi	mstatus, MSTATUS_SIE
	EXTERNAL 1, U, SEI
	WANT_S	IRQ | SEI
	TVAL	0
	CLAIM	1
	CASE	4			/* SEIP: the PLIC's or M's own bit */
	UART_RAISE 1
	AWAIT_MIP 1 << SEI
	csrw	mip, zero
	AWAIT_MIP 1 << SEI
	CLAIM	1
	li	a0, 1 << SEI
	csrs	mip, a0
	AWAIT_MIP 1 << SEI
	csrc	mip, a0
	AWAIT_MIP 0
	CASE	5			/* a bit written to mip does not latch the line */
	UART_RAISE 1
	AWAIT_MIP 1 << SEI
	csrrsi	a0, mip, 1 << SSI
	li	a1, 1 << SEI
	and	a0, a0, a1
	EQ_REG	a0, a1
	csrci	mip, 1 << SSI
	UART_DRAIN 1
	jr	s11
