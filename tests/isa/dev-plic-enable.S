/* SPDX-License-Identifier: Apache-2.0 */
/* PLIC: enabling a source that is already pending interrupts; source 0 does not exist. */
#include "irq.h"

	.globl	test
test:
	CASE	1
	UART_RAISE 1
	AWAIT_MIP 1 << SEI
	POKE32	0, PLIC_ENABLE(1)
	AWAIT_MIP 0
	POKE32	1 << SOC_UART_IRQ, PLIC_ENABLE(1)
	AWAIT_MIP 1 << SEI
	UART_DRAIN 1
	CASE	2
	POKE32	-1, PLIC_ENABLE(0)
	li	a0, PLIC_ENABLE(0)
	lw	a1, 0(a0)
	EQ	a1, -2
	POKE32	7, PLIC_PRIORITY(0)
	li	a0, PLIC_PRIORITY(0)
	lw	a1, 0(a0)
	EQ	a1, 0
	CASE	3			/* completion of a source not enabled is
                                         * ignored */
	POKE32	0, PLIC_ENABLE(0)
	UART_RAISE 1
	AWAIT_MIP 1 << SEI
	li	a0, PLIC_CLAIM(1)
	lw	a1, 0(a0)
	EQ	a1, SOC_UART_IRQ
	POKE32	SOC_UART_IRQ, PLIC_CLAIM(0)
	AWAIT_MIP 0
	sw	a1, 0(a0)
	AWAIT_MIP 1 << SEI
	ret
