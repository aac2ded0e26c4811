/* SPDX-License-Identifier: Apache-2.0 */
/* Start and end of the programs that compare the core with QEMU: they print numbers to the
 * UART. A program defines `test`, and ends with a jump to print_state or finish. */

	.section .text.start, "ax"
	.globl	_start
_start:
	/* QEMU needs a PMP entry for user mode; the core has none, and goes on at 1. */
	la	t0, 1f
	csrw	mtvec, t0
	li	t1, -1
	csrw	pmpaddr0, t1
	li	t1, 0x1f
	csrw	pmpcfg0, t1
	.balign	4
1:	la	t0, unexpected
	csrw	mtvec, t0
	.option push
	.option norelax
	la	gp, memory
	.option pop
	la	sp, memory
	la	s1, memory + 128
	j	test

	.balign	4
unexpected:
	csrr	a0, mcause
	call	print_hex
	csrr	a0, mepc
	call	print_hex
	j	finish

	/* Prints x5 to x31, but for x9, and a sum of the memory. */
	.globl	print_state
print_state:
	la	ra, registers
	.irp	r, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 20, 28, 31
	sw	x\r, 4 * \r(ra)
	.endr
	la	s0, registers
	li	s2, 32
1:	lw	a0, (s0)
	call	print_hex
	addi	s0, s0, 4
	addi	s2, s2, -1
	bnez	s2, 1b
	la	s0, memory
	li	s2, 1024
	li	a0, 0
1:	lbu	t0, (s0)
	slli	t1, a0, 5
	sub	a0, t1, a0
	add	a0, a0, t0
	addi	s0, s0, 1
	addi	s2, s2, -1
	bnez	s2, 1b
	call	print_hex

	.globl	finish
finish:
	li	t0, 0x100000
	li	t1, 0x5555
	sw	t1, (t0)
1:	j	1b

	/* Prints a0 and a line feed. Changes t0 to t3. */
	.globl	print_hex
print_hex:
	li	t0, 0x10000000
	li	t1, 28
1:	srl	t2, a0, t1
	andi	t2, t2, 15
	addi	t3, t2, 48
	sltiu	t2, t2, 10
	bnez	t2, 2f
	addi	t3, t3, 39
2:	sb	t3, (t0)
	addi	t1, t1, -4
	bgez	t1, 1b
	li	t3, 10
	sb	t3, (t0)
	ret

	.bss
	.balign	16
registers:
	.skip	128
	.globl	memory
memory:
	.skip	1024
