/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code of programs of two harts, pass, fail and a barrier. With HARTS=1, hart 1
 * sleeps. */
#include "smp.h"

	.section .text.start, "ax"
	.globl	_start
_start:
	csrr	s0, mhartid
	la	t0, trapped
	csrw	mtvec, t0
	csrw	mie, zero
	li	s1, ROUNDS
	li	s10, 0
	la	sp, stacks
	addi	t0, s0, 1
	slli	t0, t0, 10
	add	sp, sp, t0
#if HARTS == 1
	bnez	s0, park
#endif
	call	barrier
	call	test
	call	barrier
	bnez	s0, park
	li	t0, SOC_POWER_OFF
	j	power_off
park:
	wfi
	j	park

	/* a0: the case; 0: a trap */
	.globl	fail
fail:
	slli	t0, a0, 16
	li	t1, SOC_POWER_FAIL
	or	t0, t0, t1
power_off:
	li	t1, SOC_POWER_BASE
	sw	t0, 0(t1)
1:	j	1b

	.balign	4
trapped:
	li	a0, 255
	j	fail

	/* Each hart counts its arrivals in s10 and in its place, and waits for the other. */
	.globl	barrier
barrier:
#if HARTS == 1
	ret
#endif
	addi	s10, s10, 1
	la	t0, arrivals
	slli	t1, s0, 6
	add	t1, t0, t1
	fence
	sd	s10, 0(t1)
	xori	t1, s0, 1
	slli	t1, t1, 6
	add	t0, t0, t1
1:	ld	t1, 0(t0)
	blt	t1, s10, 1b
	fence
	ret

	.bss
	.balign	64
arrivals:
	.skip	128
	.balign	16
stacks:
	.skip	2048
