/* SPDX-License-Identifier: Apache-2.0 */
/* A process of sv32-kernel.S: the function NAME calls itself DEPTH times, then yields. */
	.section .text, "ax"
	.macro function name
	.balign 4
	.globl \name
	.type \name, @function
\name:
	.endm
function _start
	li	s0, 2
1:	li	a0, DEPTH
	call	NAME
	addi	s0, s0, -1
	bnez	s0, 1b
	li	a7, 1
	ecall
1:	j	1b
	.size _start, . - _start
function NAME
	addi	sp, sp, -16
	sw	ra, 12(sp)
	beqz	a0, 1f
	addi	a0, a0, -1
	call	NAME
	j	2f
1:	li	a7, 0
	call	yield
2:	lw	ra, 12(sp)
	addi	sp, sp, 16
	ret
	.size NAME, . - NAME
function yield
	ecall
	ret
	.size yield, . - yield
