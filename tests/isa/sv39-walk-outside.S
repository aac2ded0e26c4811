/* SPDX-License-Identifier: Apache-2.0 */
/* A page table at an unmapped address: access faults of the access's kind. */
#include "walk.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	CASE	1			/* the second level */
	la	a2, vm_root
	li	a3, (HOLE >> 2) | V
	sd	a3, 40(a2)
	sfence.vma
	li	a0, 5 << 30
	ALL_DENIED S
	ALL_DENIED U
	CASE	2			/* the third */
	la	a2, vm_l1
	sd	a3, 8(a2)
	sfence.vma
	li	a0, TEST_VA + 0x200ff8
	ALL_DENIED S
	CASE	3			/* the root, while S executes: its own fetch */
	li	a2, SATP_SV39 | (HOLE >> 12)
	csrw	satp, a2
	sfence.vma
	la	a0, test
	TRY_JUMP S, a0
	WANT_AT	FETCH_ACCESS, a0, a0
	jr	s11
