/* SPDX-License-Identifier: Apache-2.0 */
/* A load of a device gets what the device has, not what a store before it wrote; and
 * accesses of devices are in the order of the program, each once. */
#include "irq.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, SOC_UART_BASE
	li	a1, 0x10		/* loop-back */
	sb	a1, UART_MCR(a0)
	CASE	1			/* FCR is written where IIR is read */
	li	a3, 50
1:	li	a1, 0x07
	sb	a1, 2(a0)
	lbu	a2, 2(a0)
	andi	a2, a2, 0x0f
	EQ	a2, 1
	addi	a3, a3, -1
	bnez	a3, 1b
	CASE	2			/* THR is written where RBR is read */
	li	a4, 0x30
2:	lbu	a1, UART_LSR(a0)
	andi	a1, a1, 1
	bnez	a1, 3f
	sb	a4, 0(a0)
	j	2b
3:	lbu	a1, 0(a0)
	EQ	a1, 0x30
	CASE	3			/* the scratch register, with results in between */
	li	a3, 100
4:	sb	a3, 7(a0)
	lbu	a1, 7(a0)
	EQ_REG	a1, a3
	addi	a2, a3, 1
	sb	a2, 7(a0)
	sb	a3, 7(a0)
	lbu	a1, 7(a0)
	EQ_REG	a1, a3
	addi	a3, a3, -1
	bnez	a3, 4b
	jr	s11
