/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupt completed while its line is still high becomes pending again. */
#include "irq.h"

	.globl	test
test:
	.irp context, 0, 1
	CASE	1 + \context
	li	a3, 1 << (MEI - 2 * \context)
	UART_RAISE \context
	li	a1, PLIC_CLAIM(\context)
	li	a4, 3
1:	csrr	a2, mip
	bne	a2, a3, 1b
	lw	a2, 0(a1)
	EQ	a2, SOC_UART_IRQ
	AWAIT_MIP 0
	li	t1, SOC_UART_BASE		/* a new rising edge waits for
                                                 * completion */
	sb	zero, UART_IER(t1)
	li	t0, 2
	sb	t0, UART_IER(t1)
	AWAIT_MIP 0
	sw	a2, 0(a1)
	addi	a4, a4, -1
	bnez	a4, 1b
	UART_DRAIN \context
	POKE32	0, PLIC_ENABLE(\context)
	.endr
	ret
