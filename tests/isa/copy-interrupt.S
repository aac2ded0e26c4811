/* SPDX-License-Identifier: Apache-2.0 */
/* A timer interrupt at every phase of a loop of copies: it is taken before or after a copy,
 * never within, and the loop continues as if nothing had happened. */
#include "copy.h"

#define PHASES 420
#define LENGTH 700
#ifndef HART
#define HART 0
#endif

	.globl	test
test:
	mv	s11, ra
	la	t0, handler
	csrw	mtvec, t0
	li	t0, 1 << MTI
	csrw	mie, t0
	li	s9, SOC_CLINT_BASE + SOC_CLINT_MTIME
	li	s10, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP + 8 * HART
	li	s7, 0			/* interrupts, and those between copies */
	li	s6, 0
	li	s5, 0			/* the phase */
	/* The loop that waits takes one cycle or two, by the core: s4 is the logarithm. It is in
	 * one fetch block. */
	li	t0, 1000
	csrr	t1, mcycle
	.balign	16
1:	addi	t0, t0, -1
	bnez	t0, 1b
	csrr	s4, mcycle
	sub	s4, s4, t1
	sltiu	s4, s4, 1500
	xori	s4, s4, 1
	CASE	1
1:	ld	t0, (s9)
2:	ld	t1, (s9)		/* just after an increment */
	beq	t0, t1, 2b
	addi	t1, t1, 1
	sd	t1, (s10)
	csrsi	mstatus, MSTATUS_MIE
	li	t0, 2760
	add	t0, t0, s5
	srl	t0, t0, s4
	.balign	16
3:	addi	t0, t0, -1
	bnez	t0, 3b
	la	a0, to + 0xf00
	la	a1, from + 0x103
	li	t3, LENGTH
	add	a3, a0, t3
first:	sub	a2, a3, a0
	cpy	a2, a0, a1
	add	a0, a0, a2
	add	a1, a1, a2
	bltu	a0, a3, first
last:	csrci	mstatus, MSTATUS_MIE
	la	a0, to + 0xf00
	la	a1, from + 0x103
4:	lbu	t0, (a0)
	lbu	t1, (a1)
	bne	t0, t1, bad
	sb	zero, (a0)
	addi	t0, t0, 7
	sb	t0, (a1)
	addi	a0, a0, 1
	addi	a1, a1, 1
	bne	a0, a3, 4b
	addi	s5, s5, 1
	li	t0, PHASES
	bne	s5, t0, 1b
	CASE	2			/* one for each, at some of the copies themselves */
	li	t0, 4
	blt	s6, t0, bad
	li	t0, PHASES
	bgt	s7, t0, bad
	jr	s11
bad:	j	fail

	/* In the loop the address is that of an instruction of it, and the bytes copied so far
	 * are there: those before a0. */
	.balign	4
handler:
	li	t5, -1
	sd	t5, (s10)
	addi	s7, s7, 1
	csrr	t5, mepc
	la	t6, first
	bltu	t5, t6, 5f
	la	t6, last
	bgeu	t5, t6, 5f
	addi	s6, s6, 1
	la	t6, first
	beq	t5, t6, 5f
	addi	t6, t6, 4
	beq	t5, t6, 6f
	j	5f
6:	add	t6, a0, a2		/* before the copy: no byte of it is there */
	lbu	t5, (a0)
	bnez	t5, 7f
	lbu	t5, -1(t6)
	bnez	t5, 7f
5:	mret
7:	j	fail

	.bss
	.balign	4096
to:	.skip	8192
from:	.skip	8192
