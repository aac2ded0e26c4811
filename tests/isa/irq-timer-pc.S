/* SPDX-License-Identifier: Apache-2.0 */
/* A timer that fires in the middle of a loop: no iteration is lost or repeated. */
#include "irq.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, handler
	csrw	mtvec, a0
	li	a6, SOC_CLINT_BASE + SOC_CLINT_MTIME
	li	a7, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	li	s9, 0			/* interrupts seen */
	li	s10, 10			/* number to wait for */
	sd	zero, 0(a7)
	li	a0, 1 << MTI
	csrw	mie, a0
	li	a1, 0
	li	a2, 0
	CASE	1
	csrsi	mstatus, MSTATUS_MIE
1:	addi	a1, a1, 1
	xori	a3, a1, 0x55
	addi	a2, a2, 2
	slli	a4, a1, 1
	bne	a4, a2, 2f
	xori	a3, a3, 0x55
	bne	a3, a1, 2f
	bltu	s9, s10, 1b
	csrci	mstatus, MSTATUS_MIE
	csrw	mie, zero
	jr	s11
2:	j	fail

	.balign	4
handler:
	csrr	t0, mcause
	li	t1, IRQ | MTI
	bne	t0, t1, 2b
	addi	s9, s9, 1
	ld	t0, 0(a6)
	addi	t0, t0, 50
	sd	t0, 0(a7)
	mret
