/* SPDX-License-Identifier: Apache-2.0 */
/* A walk sees the store of its page-table entry, with only sfence.vma between the store and
 * the access: loads, stores and fetches, for two pages in turn. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	la	a4, vm_l0
	la	t0, page0
	srli	a5, t0, 2
	ori	a5, a5, RWX
	la	t0, page1
	srli	a6, t0, 2
	ori	a6, a6, RWX
	li	t0, MSTATUS_MPP
	csrc	mstatus, t0
	li	t0, S << 11
	csrs	mstatus, t0
	la	t0, 1f
	csrw	mepc, t0
	la	s1, done
	li	s6, 0
	mret
	/* In S */
1:	li	a0, TEST_VA
	li	a3, 256
	CASE	1
2:	sd	a5, 0(a4)
	sfence.vma a0, zero
	ld	a1, 0(a0)
	sd	a6, 0(a4)
	sfence.vma a0, zero
	ld	a2, 0(a0)
	EQ	a1, 0x1111
	EQ	a2, 0x2222
	sd	a5, 0(a4)
	sfence.vma
	sd	a3, 8(a0)
	sd	a6, 0(a4)
	sfence.vma
	sd	zero, 8(a0)
	ld	a1, 8(a0)
	EQ	a1, 0
	sd	a5, 0(a4)
	sfence.vma a0, zero
	ld	a1, 8(a0)
	EQ_REG	a1, a3
	addi	a4, a4, 8		/* the next page, whose entry was never used */
	li	a1, 4096
	add	a0, a0, a1
	addi	a3, a3, -1
	bnez	a3, 2b
	CASE	2			/* fetches */
	li	a3, 200
	li	a7, 16
	add	a0, a0, a7
3:	sd	a5, 0(a4)
	sfence.vma
	jalr	ra, 0(a0)
	EQ	a1, 1
	sd	a6, 0(a4)
	sfence.vma
	jalr	ra, 0(a0)
	EQ	a1, 2
	addi	a4, a4, 8
	li	a1, 4096
	add	a0, a0, a1
	addi	a3, a3, -1
	bnez	a3, 3b
	ecall
done:	EQ	s2, ECALL_S
	csrw	satp, zero
	sfence.vma
	jr	s11

	.data
	.balign	4096
page0:	.dword	0x1111, 0
	li	a1, 1
	ret
	.balign	4096
page1:	.dword	0x2222, 0
	li	a1, 2
	ret
	.balign	4096
