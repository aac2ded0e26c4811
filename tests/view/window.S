/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions of each kind that a pipeline view of the out-of-order core shows differently;
 * window.sh knows what it has to show of these labels. Each part is in a line of its own, so that
 * it is fetched as soon as its first instruction. */
#include "soc.h"

	.option	norvc
	.section .text.start, "ax"
	.globl	_start
_start:
	la	t0, trap
	csrw	mtvec, t0
	la	s0, cold
	la	s1, word
	ld	a0, 0(s1)		/* the page is known from then on */
	and	a0, a0, zero
	add	s0, s0, a0
first_jump:
	j	mispredicted

	/* A branch that waits for a line. It is not known to the predictor, so that what follows it is
	 * executed, up to an instruction that only the oldest executes, and flushed. */
	.balign	64
mispredicted:
missing:
	ld	a0, 0(s0)
branch:
	bnez	a0, right
wrong_done:
	addi	a1, a1, 1
wrong_dependent:
	mul	a1, a1, a1
wrong_load:
	ld	a2, 8(s0)
wrong_serial:
	csrr	a3, mcycle
wrong_group:
	addi	a4, a4, 1
	.rept	5
	addi	a4, a4, 1
	.endr
wrong_last:
	addi	a4, a4, 1
	.balign	64
right:
	ld	a0, 0(s1)
	and	a0, a0, zero
	add	s1, s1, a0
	li	t2, 3
	mul	t1, s1, t2
	j	violated

	/* A load of what an older store is to write, whose address is known later. */
	.balign	64
violated:
	div	t1, t1, t2
late:
	sd	t2, 0(t1)
early:
	ld	a5, 0(s1)
user:
	add	a6, a5, a5
	csrr	t3, mscratch		/* what is behind begins later */

	/* What only the oldest executes; something older takes long. */
	li	t0, SOC_CLINT_BASE
	lwu	t1, 0(t0)
	and	t1, t1, zero
	add	t0, t0, t1
	div	t1, s1, t2
device:
	lwu	t1, 0(t0)
atomic:
	amoadd.d t1, t1, (s1)
system:
	csrr	t1, mscratch
trapping:
	ecall
behind:
	nop
	li	t0, SOC_POWER_BASE
	li	t1, SOC_POWER_OFF
	sw	t1, 0(t0)
1:	j	1b

	.balign	64
trap:
	csrr	t0, mepc
	addi	t0, t0, 4
	csrw	mepc, t0
	mret

	.data
	.balign	64
word:
	.dword	0
	.balign	64
cold:
	.dword	1, 2
