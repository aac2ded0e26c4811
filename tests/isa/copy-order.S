/* SPDX-License-Identifier: Apache-2.0 */
/* A copy sees all earlier stores, and later loads, fetches and walks see the copy; it ends a
 * reservation as a store does. */
#include "copy.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* a store just before, a load just after */
	la	a0, to
	la	a1, from
	li	t2, 200
1:	sd	t2, (a1)
	sb	t2, 20(a1)
	li	a2, 24
	cpy	a2, a0, a1
	ld	t0, (a0)
	bne	t0, t2, bad
	lbu	t1, 20(a0)
	andi	t0, t2, 0xff
	bne	t0, t1, bad
	sd	zero, (a0)		/* modified in the L1D, and written by the next copy */
	addi	t2, t2, -1
	bnez	t2, 1b
	CASE	2			/* its number is forwarded */
	li	a2, 10
	cpy	a2, a0, a1
	addi	a2, a2, 1
	EQ	a2, 11
	li	t0, 3
	addi	t0, t0, 1
	cpy	t0, a0, a1		/* the length, too */
	EQ	t0, 4
	la	t3, four
	ld	t0, (t3)
	cpy	t0, a0, a1
	EQ	t0, 4
	li	t1, 12
	li	t0, 3
	div	t0, t1, t0
	cpy	t0, a0, a1
	EQ	t0, 4
	CASE	3			/* a copy of what was copied */
	la	a3, to + 0x100
	li	a2, 24
	cpy	a2, a0, a1
	cpy	a2, a3, a0
	ld	t0, (a1)
	ld	t1, (a3)
	bne	t0, t1, bad
	CASE	4			/* reservations: of the destination, elsewhere, no bytes */
	lr.d	t0, (a0)
	cpy	a2, a0, a1
	sc.d	t1, t0, (a0)
	EQ	t1, 1
	lr.d	t0, (a3)
	cpy	a2, a0, a1
	sc.d	t1, t0, (a3)
	EQ	t1, 1
	lr.d	t0, (a0)
	li	a2, 0
	cpy	a2, a0, a1
	sc.d	t1, t0, (a0)
	EQ	t1, 0
	CASE	5			/* code, after fence.i */
	la	a0, code
	la	a1, code_1
	li	a2, 8
	cpy	a2, a0, a1
	fence.i
	jalr	a0
	EQ	a3, 1
	la	a1, code_2
	cpy	a2, a0, a1
	fence.i
	jalr	a0
	EQ	a3, 2
	CASE	6			/* page tables, after sfence.vma */
	VM_ON
	SET_PTE	0, to, RWX
	la	a0, from
	li	t0, 0x1234
	sd	t0, (a0)
	li	a4, TEST_VA
	TRYV	S, ld a5, (a4)
	OK	S
	la	t0, from
	srli	t0, t0, 12
	slli	t0, t0, 10
	ori	t0, t0, RWX
	la	a1, four
	sd	t0, (a1)
	la	a0, vm_l0
	li	a2, 8
	cpy	a2, a0, a1
	sfence.vma
	TRYV	S, ld a5, (a4)
	OK	S
	EQ	a5, 0x1234
	jr	s11
bad:	j	fail

	.balign	8
code_1:	li	a3, 1
	ret
	.balign	8
code_2:	li	a3, 2
	ret
	.balign	64
code:	.dword	0

	.data
	.balign	8
four:	.dword	4
	.bss
	.balign	4096
to:	.skip	4096
from:	.skip	4096
