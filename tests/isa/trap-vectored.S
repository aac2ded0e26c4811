/* SPDX-License-Identifier: Apache-2.0 */
/* Vectored mtvec and stvec: exceptions to the base, interrupts to 4 * cause. */
#include "test.h"

/* A table whose entries link to a0 and go to common. */
.macro TABLE common
	.option	push
	.option	norvc
	.rept	16
	jal	a0, \common
	.endr
	.option	pop
.endm

.macro INTERRUPT from, bit, tableaddr
	la	s1, 2f
	la	a0, 1f
	csrw	mepc, a0
	li	a0, MSTATUS_MPP
	csrc	mstatus, a0
	li	a0, (\from << 11) | MSTATUS_MPIE
	csrs	mstatus, a0
	csrw	mie, zero
	csrsi	mip, 1 << SSI
	li	a0, \bit
	csrw	mie, a0
	mret
1:	j	1b
2:	la	a1, \tableaddr
	sub	a0, a0, a1
	csrw	mie, zero
.endm

	.globl	test
test:
	mv	s11, ra
	la	a0, m_table
	ori	a0, a0, 1
	csrw	mtvec, a0
	la	a0, s_table
	ori	a0, a0, 1
	csrw	stvec, a0

	CASE	1			/* exceptions do not use the table */
	la	s1, 1f
	csrr	a0, 0x800
1:	la	a1, m_table + 4
	EQ_REG	a0, a1
	CASE	2			/* software interrupt in M: entry 3 */
	li	a1, SOC_CLINT_BASE + SOC_CLINT_MSIP
	li	a2, 1
	sw	a2, 0(a1)
	INTERRUPT M, 1 << MSI, m_table
	EQ	a0, 4 * MSI + 4
	li	a1, SOC_CLINT_BASE + SOC_CLINT_MSIP
	sw	zero, 0(a1)
	CASE	3			/* S's, not delegated: entry 1 of M */
	INTERRUPT U, 1 << SSI, m_table
	EQ	a0, 4 * SSI + 4
	CASE	4			/* delegated: entry 1 of S */
	csrwi	mideleg, 1 << SSI
	INTERRUPT U, 1 << SSI, s_table
	EQ	a0, 4 * SSI + 4
	CASE	5			/* an exception delegated: base of S */
	csrwi	medeleg, 1 << ILLEGAL
	la	s1, 2f
	la	a0, 1f
	csrw	mepc, a0
	csrw	mstatus, zero
	mret
	.balign	4
1:	csrr	a0, 0x800
2:	la	a1, s_table + 4
	EQ_REG	a0, a1
	jr	s11

	.balign	256
m_table:
	TABLE	m_common
m_common:
	csrr	a1, mcause
	addi	a1, a1, -ECALL_S
	bnez	a1, 1f
	mv	a0, a3			/* where S has trapped to */
1:	jr	s1

	.balign	256
s_table:
	TABLE	s_common
s_common:
	mv	a3, a0
	ecall
