/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves that point outside RAM, tables and pages denied by the PMP: access faults. */
#include "walk.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	CASE	1			/* the page itself outside */
	la	a2, vm_l0
	li	a3, (HOLE >> 2) | RWX
	sd	a3, 8(a2)
	sfence.vma
	li	a0, TEST_VA + 0x1000
	ALL_DENIED S
	CASE	2			/* a table the PMP hides from S */
	SET_PTE	0, page, RWX
	li	a0, TEST_VA
	la	a2, vm_l0
	srli	a2, a2, 2
	ori	a2, a2, 0x1ff
	csrw	pmpaddr0, a2
	csrr	a4, pmpcfg0
	li	a2, 0x18		/* NAPOT, 4 KiB, no access */
	or	a2, a2, a4
	csrw	pmpcfg0, a2
	sfence.vma
	ALL_DENIED S
	CASE	3			/* a page the PMP hides */
	la	a2, page
	srli	a2, a2, 2
	ori	a2, a2, 0x1ff
	csrw	pmpaddr0, a2
	sfence.vma
	ALL_DENIED S
	csrw	pmpcfg0, a4
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	OK	S
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
