/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions behind a branch that is predicted wrong have no effect, and end: atomics,
 * misaligned accesses, accesses of devices and of nowhere, CSRs, traps, returns, fences. */
#include "test.h"

/* Executes the instructions, or not, by a pseudorandom bit, which a division delays; a5
 * counts how often. A trap ends at 4. */
.macro MAYBE insns:vararg
	li	a3, 60
	la	s1, 4f
1:	mul	t3, t3, t4
	addi	t3, t3, 1234
	srli	t2, t3, 24
	andi	t2, t2, 1
	add	a5, a5, t2
	li	s6, 0
	add	t1, t2, a6
	div	t1, t1, a7
	add	t1, t1, t2
	beqz	t1, 4f
	\insns
4:	addi	a3, a3, -1
	bnez	a3, 1b
.endm

.macro INCREMENT
	ld	t1, 0(a2)
	addi	t1, t1, 1
	sd	t1, 0(a2)
.endm
.macro RESERVED_INCREMENT
	lr.d	t1, (a2)
	addi	t1, t1, 1
	sc.d	t1, t1, (a2)
.endm
.macro CSR_INCREMENT
	csrr	t1, mscratch
	addi	t1, t1, 1
	csrw	mscratch, t1
.endm
.macro RETURN
	li	t1, MSTATUS_MPP
	csrs	mstatus, t1
	csrw	mepc, s1
	mret
.endm

.macro COUNTS
	ld	a1, 0(a2)
	EQ_REG	a1, a5
.endm

	.globl	test
test:
	mv	s11, ra
	li	t3, 0x12345
	li	t4, 1103515245
	la	a0, data + 1
	la	a2, data + 16
	li	a4, HOLE
	li	a6, 1
	li	a7, 1000
	li	a5, 0
	li	t5, SOC_UART_BASE
	CASE	1
	MAYBE	amoadd.d zero, a6, (a2)
	COUNTS
	MAYBE	INCREMENT
	COUNTS
	MAYBE	RESERVED_INCREMENT
	COUNTS
	CASE	2			/* misaligned */
	MAYBE	amoadd.w a1, a6, (a0)
	MAYBE	amoswap.d a1, a0, (a0)
	MAYBE	ld a1, 0(a0)
	MAYBE	sd a0, 0(a0)
	MAYBE	lr.d a1, (a0)
	MAYBE	sc.d a1, a0, (a0)
	ld	a1, -1(a0)
	EQ	a1, 0x0123456789abcdef
	ld	a1, 7(a0)
	EQ	a1, 0x1122334455667788
	CASE	3			/* a device, and nowhere */
	MAYBE	amoadd.w a1, a6, (t5)
	MAYBE	lb a1, 7(t5)
	MAYBE	sb a3, 7(t5)
	MAYBE	ld a1, 0(a4)
	MAYBE	sd a1, 0(a4)
	MAYBE	amoadd.w a1, a6, (a4)
	MAYBE	jr a4
	CASE	4
	csrw	mscratch, zero
	li	a5, 0
	MAYBE	CSR_INCREMENT
	csrr	a1, mscratch
	EQ_REG	a1, a5
	MAYBE	csrrw a1, 0xcff, a1
	MAYBE	.word 0xffffffff
	MAYBE	ecall
	MAYBE	ebreak
	MAYBE	RETURN
	CASE	5
	MAYBE	fence
	MAYBE	fence.i
	MAYBE	sfence.vma
	jr	s11

	.data
	.balign	16
data:	.dword	0x0123456789abcdef, 0x1122334455667788, 0
