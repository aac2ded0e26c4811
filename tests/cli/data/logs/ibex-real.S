/* SPDX-License-Identifier: Apache-2.0 */
/* The program of ibex-real.log, which Ibex's tracer wrote: recursion, a system call, and
 * two interrupts of a timer, whose handlers a table of jumps enters. Ibex starts at 0x80
 * of its first page; the test bench ends at a store to 0x80100000. */
	.cfi_sections .debug_frame
	.section .text.start, "ax"
	.macro function name
	.balign 4
	.globl \name
	.type \name, @function
\name:
	.endm

	.org	0x80
function _start
	la	sp, stack_top
	la	t0, vectors
	csrw	mtvec, t0
	li	t0, 0x80
	csrw	mie, t0
	csrsi	mstatus, 8
	li	a0, 9
	call	sum
	call	ask
	li	t0, 0x80100000
	sw	zero, (t0)

function sum
	beqz	a0, 1f
	addi	sp, sp, -16
	sw	ra, 12(sp)
	addi	a0, a0, -1
	call	sum
	lw	ra, 12(sp)
	addi	sp, sp, 16
1:	ret

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
	li	t0, 0x80200000
	sw	zero, (t0)
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
