/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces: a new root with a new ASID needs no fence; global pages. */
#include "test.h"

.macro SPACE root, asid
	la	a2, \root
	srli	a2, a2, 12
	li	a3, SATP_SV39 | (\asid << 44)
	or	a2, a2, a3
	csrw	satp, a2
.endm

.macro SEES value
	TRYV	S, ld a1, 0(a0)
	OK	S
	EQ	a1, \value
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	/* other_root: the same RAM, and another small page at TEST_VA. */
	la	a0, other_root
	la	a1, vm_root
	ld	a2, 16(a1)
	sd	a2, 16(a0)
	ld	a2, 24(a1)
	sd	a2, 24(a0)
	la	a2, other_l1
	srli	a3, a2, 2
	ori	a3, a3, V
	sd	a3, 8(a0)
	la	a1, other_l0
	srli	a3, a1, 2
	ori	a3, a3, V
	sd	a3, 0(a2)
	la	a0, second
	srli	a3, a0, 2
	ori	a3, a3, RWX
	sd	a3, 0(a1)
	li	a2, 222
	sd	a2, 0(a0)
	la	a0, first
	li	a2, 111
	sd	a2, 0(a0)
	SET_PTE	0, first, RWX
	li	a0, TEST_VA
	sfence.vma

	CASE	1			/* back and forth, several times */
	.rept	3
	SPACE	vm_root, 1
	SEES	111
	SPACE	other_root, 2
	SEES	222
	.endr
	CASE	2			/* the highest ASID is kept in satp */
	SPACE	other_root, 0xffff
	SEES	222
	csrr	a1, satp
	EQ_REG	a1, a2
	SPACE	vm_root, 0x7fff
	SEES	111
	CASE	3			/* the same ASID for another root, after a fence */
	SPACE	vm_root, 7
	SEES	111
	li	a3, 7
	sfence.vma zero, a3
	SPACE	other_root, 7
	sfence.vma zero, a3
	SEES	222
	CASE	4			/* Bare and back */
	csrw	satp, zero
	la	a4, first
	sfence.vma
	TRY	S, ld a1, 0(a4)
	OK	S
	EQ	a1, 111
	SPACE	vm_root, 7
	sfence.vma
	SEES	111
	CASE	5			/* a fence of one space keeps global pages
                                         * correct */
	la	a1, vm_l0
	ld	a2, 0(a1)
	ori	a2, a2, G
	sd	a2, 0(a1)
	sfence.vma
	SEES	111
	li	a3, 7
	sfence.vma zero, a3
	SEES	111
	CASE	6			/* changed, with a fence of all spaces: visible */
	la	a2, second
	srli	a2, a2, 2
	ori	a2, a2, RWX | G
	la	a1, vm_l0
	sd	a2, 0(a1)
	sfence.vma a0
	SEES	222
	jr	s11

	.bss
	.balign	4096
other_root: .skip 4096
other_l1: .skip	4096
other_l0: .skip	4096
first:	.skip	4096
second:	.skip	4096
