/* SPDX-License-Identifier: Apache-2.0 */
/* Software interrupts wake the other hart from WFI, in turn; each is taken as a trap. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	t0, handler
	csrw	mtvec, t0
	li	t0, 8
	csrw	mie, t0
	csrsi	mstatus, 8
	li	s2, 0			/* interrupts taken */
	li	s3, SOC_CLINT_BASE	/* msip, of the hart and of the other */
	slli	t0, s0, 2
	add	s4, s3, t0
	xori	t0, t0, 4
	add	s5, s3, t0
	BARRIER
	srli	s1, s1, 2
	li	s6, 0
round:
	addi	s6, s6, 1
	bnez	s0, sleep
	li	t0, 1
	sw	t0, 0(s5)
sleep:
1:	csrci	mstatus, 8		/* the check and the WFI are not interrupted */
	beq	s6, s2, 2f
	wfi
	csrsi	mstatus, 8
	j	1b
2:	csrsi	mstatus, 8
	beqz	s0, next
	li	t0, 1
	sw	t0, 0(s5)
next:
	bne	s6, s1, round
	csrci	mstatus, 8
	bne	s2, s1, wrong
	csrw	mie, zero
	mv	ra, s9
	ret
wrong:
	FAIL(1)

	.balign	4
handler:
	csrr	t3, mcause
	li	t4, 3
	slli	t3, t3, 1
	srli	t3, t3, 1
	bne	t3, t4, bad
	sw	zero, 0(s4)
	addi	s2, s2, 1
	mret
bad:
	FAIL(2)
