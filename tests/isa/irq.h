/* SPDX-License-Identifier: Apache-2.0 */
/* Macros for interrupts: raise, enable, take. */
#ifndef IRQ_H
#define IRQ_H

#include "test.h"

#define PLIC_PRIORITY(source)  (SOC_PLIC_BASE + 4 * (source))
#define PLIC_PENDING	       (SOC_PLIC_BASE + 0x1000)
#define PLIC_ENABLE(context)   (SOC_PLIC_BASE + 0x2000 + 0x80 * (context))
#define PLIC_THRESHOLD(context) (SOC_PLIC_BASE + 0x200000 + 0x1000 * (context))
#define PLIC_CLAIM(context)    (SOC_PLIC_BASE + 0x200004 + 0x1000 * (context))

#define UART_IER 1
#define UART_IIR 2
#define UART_FCR 2
#define UART_LCR 3
#define UART_MCR 4
#define UART_LSR 5
#define UART_MSR 6
#define UART_SCR 7

.macro MSIP value
	POKE32	\value, SOC_CLINT_BASE + SOC_CLINT_MSIP
.endm

/* Sets mtimecmp: 0 is always reached, -1 never. */
.macro MTIMECMP value
	POKE	\value, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
.endm

/* Waits until exactly these of the six interrupts are set in mip. */
.macro AWAIT_MIP bits
701:	csrr	s8, mip
	li	t0, 0xaaa
	and	s8, s8, t0
	li	t0, \bits
	bne	s8, t0, 701b
.endm

/* Sets MIE in M: the interrupt is taken before the next instruction. */
.macro TAKE_IN_M
	li	s6, 0
	li	s7, 0
	la	s1, 801f
	csrsi	mstatus, MSTATUS_MIE
800:	j	800b
801:
.endm

/* Enters a mode whose first instruction is interrupted. */
.macro TAKE_IN mode
	TRY	\mode, j .
.endm

/* Transmitter-empty interrupt of the UART, routed to one PLIC context. */
.macro UART_RAISE context
	POKE32	1, PLIC_PRIORITY(SOC_UART_IRQ)
	POKE32	0, PLIC_THRESHOLD(\context)
	POKE32	1 << SOC_UART_IRQ, PLIC_ENABLE(\context)
	li	t1, SOC_UART_BASE
	li	t0, 2
	sb	t0, UART_IER(t1)
.endm

/* Lowers the line; requests pending in the PLIC are unchanged. */
.macro UART_LOWER
	li	t1, SOC_UART_BASE
	sb	zero, UART_IER(t1)
.endm

/* Lowers the line and claims a request that the PLIC may still hold. Uses a2. */
.macro UART_DRAIN context
	UART_LOWER
	li	t1, PLIC_CLAIM(\context)
	lw	a2, 0(t1)
	sw	a2, 0(t1)
	AWAIT_MIP 0
.endm

#endif
