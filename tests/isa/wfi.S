/* SPDX-License-Identifier: Apache-2.0 */
/* wfi ends for an interrupt enabled in mie, regardless of the global enables. */
#include "irq.h"

/* Sets mtimecmp a few steps ahead, in a1. */
.macro TIMER_AHEAD
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIME
	ld	a1, 0(a0)
	addi	a1, a1, 200
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	sd	a1, 0(a0)
.endm

/* The interrupt arrived during the wfi, or just before it. */
.macro BY_WFI insn
	sub	a4, s3, \insn
	andi	a4, a4, ~4
	EQ	a4, 0
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* already pending: returns at once */
	MSIP	1
	AWAIT_MIP 1 << MSI
	csrwi	mie, 1 << MSI
	wfi
	TRY	S, nop
	EQ	s2, IRQ | MSI
	csrw	mie, zero
	MSIP	0
	AWAIT_MIP 0
	CASE	2			/* MIE clear: continues with the next
                                         * instruction */
	li	a2, 1 << MTI
	csrw	mie, a2
	TIMER_AHEAD
1:	wfi
	csrr	a3, mip
	andi	a3, a3, 1 << MTI
	beqz	a3, 1b
	rdtime	a3
	bgeu	a3, a1, 2f
	j	fail
2:	CASE	3			/* MIE set: trap */
	TIMER_AHEAD
	la	s1, 2f
	li	s6, 0
	csrsi	mstatus, MSTATUS_MIE
1:	wfi
	j	.
2:	EQ	s2, IRQ | MTI
	la	a3, 1b
	BY_WFI	a3
	CASE	4			/* in S, SIE clear, delegated */
	csrwi	mip, 1 << SSI
	csrwi	mideleg, 1 << SSI
	csrwi	mie, 1 << SSI
	TRY	S, wfi
	OK	S
	CASE	5			/* in S, M's timer ends it and is taken */
	li	a2, 1 << MTI
	csrw	mie, a2
	csrw	mip, zero
	TIMER_AHEAD
	la	a3, 3f
	TRY_JUMP S, a3
	EQ	s2, IRQ | MTI
	BY_WFI	a3
	MTIMECMP -1
	jr	s11

	.balign	4
3:	wfi
	j	.
