/* SPDX-License-Identifier: Apache-2.0 */
/* PLIC: priorities, thresholds, enables and contexts decide what is claimed. */
#include "irq.h"

.macro READS address, value
	li	a0, \address
	lwu	a1, 0(a0)
	EQ	a1, \value
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* registers hold what is written */
	POKE32	3, PLIC_PRIORITY(5)
	READS	PLIC_PRIORITY(5), 3
	POKE32	0, PLIC_PRIORITY(5)
	READS	PLIC_PRIORITY(5), 0
	POKE32	2, PLIC_THRESHOLD(1)
	READS	PLIC_THRESHOLD(1), 2
	READS	PLIC_THRESHOLD(0), 0
	POKE32	0x420, PLIC_ENABLE(1)
	READS	PLIC_ENABLE(1), 0x420
	READS	PLIC_ENABLE(0), 0
	POKE32	0, PLIC_ENABLE(1)
	CASE	2			/* nothing pending: the claim returns 0 */
	READS	PLIC_CLAIM(0), 0
	READS	PLIC_CLAIM(1), 0
	READS	PLIC_PENDING, 0
	CASE	3			/* pending is visible without being enabled */
	POKE32	0, PLIC_THRESHOLD(1)
	UART_RAISE 1
	READS	PLIC_PENDING, 1 << SOC_UART_IRQ
	AWAIT_MIP 1 << SEI
	READS	PLIC_CLAIM(0), 0	/* not enabled for M */
	CASE	4			/* a threshold equal to the priority masks */
	POKE32	1, PLIC_THRESHOLD(1)
	AWAIT_MIP 0
	POKE32	2, PLIC_PRIORITY(SOC_UART_IRQ)
	AWAIT_MIP 1 << SEI
	POKE32	0, PLIC_THRESHOLD(1)
	CASE	5			/* priority 0 never interrupts */
	POKE32	0, PLIC_PRIORITY(SOC_UART_IRQ)
	AWAIT_MIP 0
	READS	PLIC_CLAIM(1), 0
	POKE32	1, PLIC_PRIORITY(SOC_UART_IRQ)
	AWAIT_MIP 1 << SEI
	CASE	6			/* a claim takes it from both contexts */
	POKE32	1 << SOC_UART_IRQ, PLIC_ENABLE(0)
	POKE32	1, PLIC_PRIORITY(SOC_UART_IRQ)
	AWAIT_MIP (1 << SEI) | (1 << MEI)
	READS	PLIC_CLAIM(1), SOC_UART_IRQ
	AWAIT_MIP 0
	READS	PLIC_CLAIM(0), 0
	CASE	7			/* the line falls, then completion */
	UART_LOWER
	POKE32	SOC_UART_IRQ, PLIC_CLAIM(1)
	AWAIT_MIP 0
	READS	PLIC_PENDING, 0
	jr	s11
