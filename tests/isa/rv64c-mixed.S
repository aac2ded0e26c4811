/* SPDX-License-Identifier: Apache-2.0 */
/* 32-bit instructions at odd halfwords, across lines and pages; mepc there. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	jal	ra, at_page_end
	EQ	a0, 0x123
	jal	ra, at_line_end
	EQ	a0, 0x456

	CASE	2			/* a trap at an odd halfword: mepc says so */
	la	a1, odd_ecall
	TRY_JUMP M, a1
	EQ	s2, ECALL_M
	EQ_REG	s3, a1

	CASE	3			/* mret returns to one as well */
	la	a1, odd_addi
	TRY_JUMP U, a1
	EQ	s2, ECALL_U
	EQ	a0, 0x789
	addi	a1, a1, 4
	EQ_REG	s3, a1

	CASE	4			/* a branch into the upper half executes that
                                         * code */
	la	a1, 1f + 2
	jalr	ra, 0(a1)
	EQ	a0, 9
	jr	s11

	.balign	4
1:	.word	0x45250537		/* lui a0; upper half: c.li a0, 9 */
	ret

	.balign	64
	.skip	64 - 2
at_line_end:
	.option	norvc
	addi	a0, zero, 0x456
	.option	rvc
	ret
	.balign	4
	c.nop
	.option	norvc
odd_ecall:
	ecall
odd_addi:
	addi	a0, zero, 0x789
	ecall
	.option	rvc
	.balign	4096
	.skip	4096 - 2
at_page_end:
	.option	norvc
	addi	a0, zero, 0x123
	.option	rvc
	ret
