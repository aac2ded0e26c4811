/* SPDX-License-Identifier: Apache-2.0 */
/* Jumps in S from page to page, in more pages than the ITLB has entries. Each has a line
 * of another set of the L1I; the entries of the page table are in the L1D. */
#include "slots.inc"

	PROGRAM	40

	.option	norvc
setup:
	mv	s5, ra
	call	vm_on
	la	a0, vm_l0
	la	a1, pages
	srli	a1, a1, 2
	ori	a1, a1, RWX
	li	a2, 97
1:	sd	a1, (a0)
	addi	a0, a0, 8
	addi	a1, a1, 1024
	addi	a2, a2, -1
	bnez	a2, 1b
	li	a0, MSTATUS_MPP
	csrc	mstatus, a0
	li	a0, 1 << 11
	csrs	mstatus, a0
	jr	s5

	/* Both recorders of traps end at s1, in M. */
work:
	li	s6, 0
	la	s1, 1f
	li	a0, TEST_VA
	csrw	mepc, a0
	mret
1:	li	a0, 1 << 11
	csrs	mstatus, a0
	ret

	.balign	4096
pages:
	.set	page, 0
	.rept	96
	j	1f
	.set	page, page + 1
	.balign	4096
	.skip	64 * (page % 64)
1:
	.endr
	addi	s9, s9, -1
	beqz	s9, 1f
	li	a0, TEST_VA
	jr	a0
1:	ecall
