/* SPDX-License-Identifier: Apache-2.0 */
/* All six interrupts at the same time are taken in the order MEI MSI MTI SEI SSI STI. */
#include "irq.h"

.macro NEXT mode, cause
	TAKE_IN	\mode
	WANT	IRQ | \cause
	li	a0, 1 << \cause
	csrc	mie, a0
.endm

	.globl	test
test:
	mv	s11, ra
	UART_RAISE 0
	MSIP	1
	MTIMECMP 0
	li	a0, 0x222
	csrs	mip, a0
	AWAIT_MIP 0xaaa
	CASE	1
	li	a0, 0xaaa
	csrw	mie, a0
	NEXT	U, MEI
	NEXT	U, MSI
	NEXT	U, MTI
	NEXT	U, SEI
	NEXT	U, SSI
	NEXT	U, STI
	TRY	U, nop
	OK	U
	CASE	2			/* the same from M */
	li	a0, 0xaaa
	csrw	mie, a0
	.irp cause, MEI, MSI, MTI, SEI, SSI, STI
	TAKE_IN_M
	WANT	IRQ | \cause
	li	a0, 1 << \cause
	csrc	mie, a0
	.endr
	CASE	3			/* delegated ones: M's first, then S's in order */
	li	a0, 0x222
	csrw	mideleg, a0
	li	a0, 0xaaa
	csrw	mie, a0
	NEXT	U, MEI
	NEXT	U, MSI
	NEXT	U, MTI
	.irp cause, SEI, SSI, STI
	TAKE_IN	U
	WANT_S	IRQ | \cause
	li	a0, 1 << \cause
	csrc	mie, a0
	.endr
	CASE	4			/* one delegated, one of lower priority not:
                                         * M's first */
	li	a0, 1 << SEI
	csrw	mideleg, a0
	li	a0, 0x222
	csrw	mie, a0
	NEXT	U, SSI
	NEXT	U, STI
	TAKE_IN	U
	WANT_S	IRQ | SEI
	CASE	5			/* an interrupt has priority over a fault */
	li	a0, 1 << MSI
	csrw	mie, a0
	li	a0, HOLE
	TRY	U, ld a0, 0(a0)
	WANT	IRQ | MSI
	TRY_JUMP U, a0
	EQ	s2, IRQ | MSI
	EQ_REG	s3, a0
	jr	s11
