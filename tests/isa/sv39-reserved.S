/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved bits of an entry fault: 63:54 in a leaf or pointer; U, A, D in a pointer. G
 * and the RSW bits do not. */
#include "test.h"

/* Page 0 of TEST_VA with bit n of its entry set, at level l. */
.macro WITH_BIT table, index, n
	la	a2, \table + 8 * \index
	ld	a3, 0(a2)
	li	a4, 1 << \n
	xor	a4, a4, a3
	sd	a4, 0(a2)
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	sd	a3, 0(a2)
	sfence.vma
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	SET_PTE	0, page, RWX
	li	a0, TEST_VA
	.irp n, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63
	CASE	\n
	WITH_BIT vm_l0, 0, \n
	WANT	LOAD_PAGE
	WITH_BIT vm_l1, 0, \n
	WANT	LOAD_PAGE
	WITH_BIT vm_root, 1, \n
	WANT	LOAD_PAGE
	.endr
	.irp n, 4, 6, 7			/* U, A, D of a pointer */
	CASE	\n
	WITH_BIT vm_l1, 0, \n
	WANT	LOAD_PAGE
	WITH_BIT vm_root, 1, \n
	WANT	LOAD_PAGE
	.endr
	CASE	8			/* RSW and G anywhere */
	.irp n, 5, 8, 9
	WITH_BIT vm_l0, 0, \n
	OK	S
	WITH_BIT vm_l1, 0, \n
	OK	S
	WITH_BIT vm_root, 1, \n
	OK	S
	.endr
	CASE	9			/* the last level must be a leaf */
	la	a2, vm_l0
	srli	a3, a2, 2
	ori	a3, a3, V
	sd	a3, 0(a2)
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	TVAL	TEST_VA
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
