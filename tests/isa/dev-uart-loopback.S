/* SPDX-License-Identifier: Apache-2.0 */
/* Loopback, which drivers use to probe: data and modem lines are returned. */
#include "irq.h"

.macro LINES mcr, msr
	li	a1, 0x10 | \mcr
	sb	a1, UART_MCR(a0)
	lbu	a1, UART_MSR(a0)
	andi	a1, a1, 0xf0
	EQ	a1, \msr
.endm

	.globl	test
test:
	mv	s11, ra
	li	a0, SOC_UART_BASE
	CASE	1
	LINES	0, 0
	LINES	1, 0x20			/* DTR is DSR */
	LINES	2, 0x10			/* RTS is CTS */
	LINES	4, 0x40			/* OUT1 is RI */
	LINES	8, 0x80			/* OUT2 is DCD */
	LINES	10, 0x90		/* the value for which Linux checks */
	CASE	2
	li	a1, 'x'
	sb	a1, 0(a0)
1:	lbu	a1, UART_LSR(a0)
	andi	a1, a1, 1
	beqz	a1, 1b
	lbu	a1, 0(a0)
	EQ	a1, 'x'
	sb	zero, UART_MCR(a0)
	lbu	a1, UART_LSR(a0)
	andi	a1, a1, 1
	EQ	a1, 0
	jr	s11
