/* SPDX-License-Identifier: Apache-2.0 */
/* The UART receives "abc" and a newline: data ready, its interrupt, end of input. */
#include "irq.h"

.macro AWAIT_DATA
1:	lbu	a1, UART_LSR(a0)
	andi	a1, a1, 1
	beqz	a1, 1b
.endm

	.globl	test
test:
	mv	s11, ra
	li	a0, SOC_UART_BASE
	CASE	1			/* polled */
	AWAIT_DATA
	lbu	a1, 0(a0)
	EQ	a1, 'a'
	CASE	2			/* with its interrupt: IIR 4 until it is read */
	POKE32	1, PLIC_PRIORITY(SOC_UART_IRQ)
	POKE32	1 << SOC_UART_IRQ, PLIC_ENABLE(1)
	li	a1, 1
	sb	a1, UART_IER(a0)
	AWAIT_MIP 1 << SEI
	lbu	a1, UART_IIR(a0)
	EQ	a1, 4
	lbu	a1, UART_IIR(a0)
	EQ	a1, 4
	li	a2, PLIC_CLAIM(1)
	lw	a3, 0(a2)
	EQ	a3, SOC_UART_IRQ
	lbu	a1, 0(a0)
	EQ	a1, 'b'
	sb	zero, UART_IER(a0)
	sw	a3, 0(a2)
	CASE	3
	AWAIT_DATA
	lbu	a1, 0(a0)
	EQ	a1, 'c'
	AWAIT_DATA
	lbu	a1, 0(a0)
	EQ	a1, '\n'
	CASE	4			/* nothing left: not ready, still idle */
	lbu	a1, UART_LSR(a0)
	EQ	a1, 0x60
	jr	s11
