/* SPDX-License-Identifier: Apache-2.0 */
/* The program of cva6-real.dasm and cva6-timed.dasm, which a Verilated CVA6 (RV32) wrote:
 * recursion, a system call, and interrupts of a timer, some of them right after a return.
 * The test bench has the timer at 0x10001000 and ends at a store to 0x100000. */
	.cfi_sections .debug_frame
	.section .text.start, "ax"
	.macro function name
	.balign 4
	.globl \name
	.type \name, @function
\name:
	.endm

function _start
	la	sp, stack_top
	la	t0, vectors + 1
	csrw	mtvec, t0
	li	s0, 0x10001000
	li	s1, 29
	sw	s1, (s0)
	li	t0, 0x80
	csrw	mie, t0
	csrsi	mstatus, 8
	li	a0, 9
	call	sum
	csrw	mie, zero
	call	ask
	li	t0, 0x100000
	sw	zero, (t0)
1:	j	1b

function sum
	beqz	a0, 1f
	addi	sp, sp, -16
	sw	ra, 12(sp)
	addi	a0, a0, -1
	call	sum
	call	leaf
	lw	ra, 12(sp)
	addi	sp, sp, 16
1:	ret

function leaf
	ret

function ask
	ecall
	ret

function call_handler
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret

function timer_handler
	addi	sp, sp, -16
	sw	t0, (sp)
	addi	s1, s1, 2
	sw	s1, (s0)
	lw	t0, (s0)
	lw	t0, (sp)
	addi	sp, sp, 16
	mret

	.option norvc
	.balign 256
function vectors
	j	call_handler
	.rept 6
	j	vectors
	.endr
	j	timer_handler
