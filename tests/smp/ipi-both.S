/* SPDX-License-Identifier: Apache-2.0 */
/* Both harts interrupt each other at the same time: each sends the next software interrupt
 * when the other has counted the one before, so none may be lost. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	t0, handler
	csrw	mtvec, t0
	li	s3, SOC_CLINT_BASE	/* msip, of the hart and of the other */
	slli	t0, s0, 2
	add	s4, s3, t0
	xori	t0, t0, 4
	add	s5, s3, t0
	la	s2, taken		/* interrupts taken, by the hart and by the other */
	slli	t0, s0, 6
	add	s6, s2, t0
	xori	t0, t0, 64
	add	s7, s2, t0
	li	t0, 8
	csrw	mie, t0
	csrsi	mstatus, 8
	BARRIER
	li	s8, 0
round:
	addi	s8, s8, 1
	slli	t0, s8, 2		/* their distance in time changes */
	add	t0, t0, s8
	srl	t0, t0, s0
	andi	t0, t0, 63
3:	addi	t0, t0, -1
	bgez	t0, 3b
	li	t0, 1
	sw	t0, 0(s5)
1:	ld	t0, 0(s7)
	blt	t0, s8, 1b
	bne	s8, s1, round
2:	ld	t0, 0(s6)
	bne	t0, s1, 2b
	csrci	mstatus, 8
	csrw	mie, zero
	mv	ra, s9
	ret

	.balign	4
handler:
	sw	zero, 0(s4)
	ld	t3, 0(s6)
	addi	t3, t3, 1
	sd	t3, 0(s6)
	mret

	.data
	VARIABLE(taken)
	VARIABLE(taken_by_1)
