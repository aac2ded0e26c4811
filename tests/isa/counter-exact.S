/* SPDX-License-Identifier: Apache-2.0 */
/* instret counts each retired instruction once, and no instruction that traps. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	rdinstret a0
	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 1
	CASE	2
	rdinstret a0
	nop
	.option	norvc
	nop
	.option	rvc
	add	a2, a2, a2
	ld	a3, value
	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 6			/* the load is two, the first read itself one */
	CASE	3			/* taken branches, jumps */
	rdinstret a0
	j	1f
	nop
1:	beqz	zero, 1f
	nop
1:	bnez	zero, 1f
1:	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 4
	CASE	4			/* mret does; the ecall and a fault do not */
	la	s1, 1f
	li	s6, 3			/* the recorder then only jumps */
	rdinstret a0
	ecall
1:	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 1 + 2		/* bnez and jr of the recorder */
	la	s1, 1f
	rdinstret a0
	.word	0
1:	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 1 + 2
	CASE	5			/* a loop */
	li	a2, 1000
	rdinstret a0
1:	addi	a2, a2, -1
	bnez	a2, 1b
	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 2001
	CASE	6			/* a write replaces its own increment */
	csrwi	minstret, 0
	csrr	a1, minstret
	EQ	a1, 0
	li	a0, -1
	csrw	minstret, a0
	csrr	a1, minstret
	csrr	a2, minstret
	EQ	a1, -1
	EQ	a2, 0
	CASE	7			/* the user's view is the same counter */
	li	a0, 0x123456789abcdef0
	csrw	minstret, a0
	rdinstret a1
	EQ_REG	a1, a0
	CASE	8			/* inhibited, then not */
	csrwi	mcountinhibit, 4
	csrr	a0, minstret
	nop
	csrr	a1, minstret
	EQ_REG	a1, a0
	csrwi	minstret, 9
	csrr	a1, minstret
	EQ	a1, 9
	csrwi	mcountinhibit, 0
	csrr	a0, minstret
	nop
	csrr	a1, minstret
	sub	a1, a1, a0
	EQ	a1, 2
	CASE	9			/* writing mcountinhibit loses no count */
	rdcycle	a0
	csrwi	mcountinhibit, 0
	csrwi	mcountinhibit, 4
	csrwi	mcountinhibit, 4
	csrwi	mcountinhibit, 0
	rdcycle	a1
	sub	a1, a1, a0
	li	a2, 1000
	bltu	a1, a2, 1f
	j	fail
1:	rdinstret a0
	csrwi	mcountinhibit, 1
	csrwi	mcountinhibit, 0
	rdinstret a1
	sub	a1, a1, a0
	EQ	a1, 3
	jr	s11

	.balign	8
value:	.dword	0
