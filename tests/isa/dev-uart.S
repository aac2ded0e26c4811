/* SPDX-License-Identifier: Apache-2.0 */
/* The 16550 as drivers probe and use it. */
#include "irq.h"

.macro READS offset, value
	lbu	a1, \offset(a0)
	EQ	a1, \value
.endm

.macro WRITE offset, value
	li	a1, \value
	sb	a1, \offset(a0)
.endm

	.globl	test
test:
	mv	s11, ra
	li	a0, SOC_UART_BASE
	CASE	1			/* idle: transmitter empty, nothing received */
	READS	UART_LSR, 0x60
	CASE	2			/* scratch register */
	WRITE	UART_SCR, 0xa5
	READS	UART_SCR, 0xa5
	WRITE	UART_SCR, 0x5a
	READS	UART_SCR, 0x5a
	CASE	3			/* interrupt enables: four bits */
	WRITE	UART_IER, 0x0d
	READS	UART_IER, 0x0d
	WRITE	UART_IER, 0xf0
	READS	UART_IER, 0
	CASE	4			/* divisor latch selected by DLAB */
	WRITE	UART_LCR, 0x83
	READS	UART_LCR, 0x83
	WRITE	0, 0x34
	WRITE	1, 0x12
	READS	0, 0x34
	READS	1, 0x12
	WRITE	UART_LCR, 0x03
	READS	UART_IER, 0
	CASE	5			/* no interrupt: IIR 1; FIFOs show in bits 7:6 */
	READS	UART_IIR, 0x01
	WRITE	UART_FCR, 0x01
	READS	UART_IIR, 0xc1
	WRITE	UART_FCR, 0x00
	READS	UART_IIR, 0x01
	CASE	6			/* THRE: IIR 2 once, then 1 */
	WRITE	UART_IER, 2
	READS	UART_IIR, 0x02
	READS	UART_IIR, 0x01
	CASE	7			/* a character sent raises it again */
	WRITE	0, 'k'
1:	lbu	a1, UART_LSR(a0)
	andi	a1, a1, 0x40
	beqz	a1, 1b
	READS	UART_IIR, 0x02
	CASE	8			/* enabling again does as well */
	WRITE	UART_IER, 0
	READS	UART_IIR, 0x01
	WRITE	UART_IER, 2
	READS	UART_IIR, 0x02
	WRITE	UART_IER, 0
	jr	s11
