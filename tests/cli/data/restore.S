/* SPDX-License-Identifier: Apache-2.0 */
/* A machine whose registers all have a value of their own, before a program in U-mode
 * that writes a sum of its registers, after many branches, and again after it has seen an
 * interrupt of the UART. */
#include "soc.h"

	.macro	set csr, value
	li	t0, \value
	csrw	\csr, t0
	.endm
	.macro	device address, value, store=sw
	li	t0, \address
	li	t1, \value
	\store	t1, (t0)
	.endm

	.text
	.globl	_start, first, second
	/* Where the jump of soc-restore was is a function of the program. */
	.option	push
	.option	norvc
_start:	j	begin
	xori	x1, x1, 0x5a
	slli	x2, x1, 3
	add	x1, x1, x2
	addi	x1, x1, 0x123
	jr	x9
	.option	pop
begin:	set	pmpaddr0, -1
	set	pmpaddr1, 0x1234567
	set	pmpaddr6, 0x89abcd
	set	pmpaddr7, 0xfedcba9876543
	set	pmpcfg0, 0x030100000007001f
	set	medeleg, 0xb109
	set	mideleg, 0x222
	set	mie, 0x20
	set	mip, 0x2
	set	mscratch, 0x1122334455667788
	set	sscratch, 0x99aabbccddeeff00
	set	stvec, 0x80001235
	set	sepc, 0x123456789a
	set	scause, 0x8000000000000005
	set	stval, 0xfedcba987654
	set	mcounteren, 0x1f5
	set	scounteren, 0x7
	set	menvcfg, 1
	set	senvcfg, 1
	.irp	n, 3, 4, 5, 6, 7, 8
	set	mhpmevent\n, 0x100 << \n
	set	mhpmcounter\n, 0x1234567 * \n
	.endr
	set	mcountinhibit, INHIBIT
	set	mcycle, 0xfffffffffffffff0
	set	minstret, 0x123456789abcdef

	device	SOC_UART_BASE + 3, 0x80, sb
	device	SOC_UART_BASE + 0, 0x12, sb
	device	SOC_UART_BASE + 1, 0x34, sb
	device	SOC_UART_BASE + 3, 3, sb
	device	SOC_UART_BASE + 2, 0x81, sb
	device	SOC_UART_BASE + 4, 0x0b, sb
	device	SOC_UART_BASE + 7, 0x5a, sb
	device	SOC_UART_BASE + 1, 2, sb
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 10, 30, 31
	device	SOC_PLIC_BASE + 4 * \n, \n % 7 + 1
	.endr
	device	SOC_PLIC_BASE + 0x2000, 0x12345400
	device	SOC_PLIC_BASE + 0x2080, 0x7ead0ffe
	device	SOC_PLIC_BASE + 0x200000, 3
	device	SOC_PLIC_BASE + 0x201000, 7
	device	SOC_CLINT_BASE, 1
	device	SOC_CLINT_BASE + SOC_CLINT_MTIMECMP, 0x123456789abc, sd
	device	SOC_CLINT_BASE + SOC_CLINT_MTIME, 0x23456789abcd, sd

	la	t0, table
	srli	t0, t0, 12
	li	t1, 8 << 60 | 0x1234 << 44
	or	t0, t0, t1
	csrw	satp, t0
	sfence.vma
	la	t0, first
	csrw	mepc, t0
	/* FS, MXR, SUM, TSR, SPP, SPIE; MIE by way of MPIE */
	li	t0, 0x4c61a0
	csrw	mstatus, t0
	fscsr	t0
	set	fcsr, 0xa5 & 0x7f
	set	mtvec, 0x80000101
	set	mcause, 0x8000000000000007
	set	mtval, 0x4455667788
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	li	t0, 0x3ff0000000000001 * (\n + 1)
	fmv.d.x	f\n, t0
	.endr
	.irp	n, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	li	x\n, 0x0123456789abcdf1 * \n
	.endr
	mret

	/* x1 becomes a sum of all registers. */
first:	.irp	n, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
		23, 24, 25, 26, 27, 28, 29, 30, 31
	add	x1, x1, x\n
	slli	x2, x1, 7
	xor	x1, x1, x2
	.endr
	.irp	n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	fmv.x.d	x2, f\n
	add	x1, x1, x2
	slli	x2, x1, 7
	xor	x1, x1, x2
	.endr
	frcsr	x2
	add	x1, x1, x2
	la	x3, _start + 4
	jalr	x9, x3
	jal	x3, branches
	jal	x3, print

	/* The UART's interrupt is claimed, ended and completed. */
	li	x4, SOC_PLIC_BASE + 0x201004
	li	x5, SOC_PLIC_BASE + 0x201000
	sw	zero, (x5)
	lw	x6, (x4)
	add	x1, x1, x6
	li	x5, SOC_UART_BASE
	lbu	x7, 2(x5)
	add	x1, x1, x7
	sw	x6, (x4)
second:	jal	x3, branches
	jal	x3, print
	li	x5, SOC_POWER_BASE
	li	x6, SOC_POWER_OFF
	sw	x6, (x5)
1:	j	1b

branches:
	li	x4, 40000
1:	slli	x2, x1, 13
	xor	x1, x1, x2
	srli	x2, x1, 7
	xor	x1, x1, x2
	slli	x2, x1, 17
	xor	x1, x1, x2
	bgez	x1, 2f
	addi	x1, x1, 1
2:	addi	x4, x4, -1
	bnez	x4, 1b
	jr	x3

print:	li	x4, 16
	li	x5, SOC_UART_BASE
	mv	x8, x1
1:	srli	x6, x8, 60
	slli	x8, x8, 4
	la	x7, digits
	add	x7, x7, x6
	lbu	x7, (x7)
	sb	x7, (x5)
	addi	x4, x4, -1
	bnez	x4, 1b
	li	x7, 10
	sb	x7, (x5)
	jr	x3

digits:	.ascii	"0123456789abcdef"

	/* Gigapages for U: devices and memory. */
	.balign	4096
table:	.dword	0xd7, 0, 0x200000df, 0
	.balign	4096
