/* SPDX-License-Identifier: Apache-2.0 */
/* An interrupt that ends a wfi has epc after it, because the wfi has completed. */
#include "irq.h"

	.globl	test
test:
	mv	s11, ra
	li	a2, 1 << MTI
	csrw	mie, a2
	.irp mode, M, S
	CASE	1 + \mode
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIME
	ld	a1, 0(a0)
	addi	a1, a1, 3
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	sd	a1, 0(a0)
	li	a0, MSTATUS_MPIE
	csrs	mstatus, a0
	la	a3, 1f
	TRY_JUMP \mode, a3
	EQ	s2, IRQ | MTI
	addi	a3, a3, 4
	EQ_REG	s3, a3
	.endr
	jr	s11

	.balign	4
1:	wfi
	j	.
