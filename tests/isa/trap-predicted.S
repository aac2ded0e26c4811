/* SPDX-License-Identifier: Apache-2.0 */
/* epc is that of the instruction, and the way on that of the program, where a jump was in
 * its place before, or at the same place of another block: no prediction is seen. */
#include "test.h"

/* Runs the jump of `place` often, then puts the instruction there and runs that. */
.macro REPLACED insn
	la	a0, place
	lw	a1, jump
	sw	a1, 0(a0)
	fence.i
	li	a3, 8
1:	call	around
	addi	a3, a3, -1
	bnez	a3, 1b
	la	a2, 3f
	lw	a1, 0(a2)
	sw	a1, 0(a0)
	fence.i
	la	s1, 2f
	li	s6, 0
	li	a4, 0
	call	around
	j	fail
	.pushsection .data
	.balign	4
3:	\insn
	.popsection
2:	EQ	a4, 1			/* what is before has been executed */
	EQ	s6, M
	EQ_REG	s3, a0
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1
	REPLACED ecall
	EQ	s2, ECALL_M
	EQ	s4, 0
	CASE	2
	REPLACED ebreak
	EQ	s2, BREAKPOINT
	CASE	3
	REPLACED ".word 0xffffffff"
	EQ	s2, ILLEGAL
	EQ	s4, 0xffffffff
	CASE	4
	li	a7, HOLE
	REPLACED "ld a5, 0(a7)"
	EQ	s2, LOAD_ACCESS
	EQ_REG	s4, a7
	CASE	5
	REPLACED "csrr a5, 0xcff"
	EQ	s2, ILLEGAL

	CASE	6			/* an addition instead: what follows is executed */
	la	a0, place
	lw	a1, jump
	sw	a1, 0(a0)
	fence.i
	li	a3, 8
1:	call	around
	addi	a3, a3, -1
	bnez	a3, 1b
	lw	a1, add
	sw	a1, 0(a0)
	fence.i
	la	s1, 2f
	li	s6, 0
	li	a4, 0
	call	around			/* to the ebreak behind it */
	j	fail
2:	EQ	a4, 3
	EQ	s2, BREAKPOINT
	la	a1, behind
	EQ_REG	s3, a1
	jr	s11

	.data
	.option	norvc
	.balign	4
jump:	.word	0x00c0006f		/* j landing, from place */
add:	addi	a4, a4, 2

	.text
	.balign	16
around:
	addi	a4, a4, 1
place:	nop
behind:	ebreak
	nop
landing:
	ret
