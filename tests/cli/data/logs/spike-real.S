/* SPDX-License-Identifier: Apache-2.0 */
/* The program of spike-real.log, which Spike wrote: calls, recursion, a system call. */
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
	la	t0, handler
	csrw	mtvec, t0
	li	a0, 3
	call	sum
	call	ask
	tail	stop

function sum
	beqz	a0, 1f
	addi	sp, sp, -16
	sd	ra, 8(sp)
	addi	a0, a0, -1
	call	sum
	ld	ra, 8(sp)
	addi	sp, sp, 16
1:	ret

function ask
	ecall
	ret

function handler
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret

function stop
	la	t0, tohost
	li	t1, 1
	sd	t1, (t0)
1:	j	1b

	.section .tohost, "aw"
	.balign 64
	.globl tohost
tohost:
	.dword	0
