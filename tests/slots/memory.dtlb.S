/* SPDX-License-Identifier: Apache-2.0 */
/* Loads from more pages than the DTLB has entries, in S by way of MPRV. All are the same page of
 * memory, which is in the L1D, as their entries of the page table. */
#include "slots.inc"

	PROGRAM	20

	.option	norvc
setup:
	mv	s5, ra
	call	vm_on
	la	a0, vm_l0
	la	a1, data
	srli	a1, a1, 2
	ori	a1, a1, RWX
	li	a2, 128
1:	sd	a1, (a0)
	addi	a0, a0, 8
	addi	a2, a2, -1
	bnez	a2, 1b
	li	a0, MSTATUS_MPP
	csrc	mstatus, a0
	li	a0, MSTATUS_MPRV | 1 << 11
	csrs	mstatus, a0
	li	a2, 4096
	jr	s5

work:
1:	li	a0, TEST_VA
	.rept	128
	ld	a1, (a0)
	add	a0, a0, a2
	.endr
	AGAIN	1b

	.bss
	.balign	4096
data:	.skip	4096
