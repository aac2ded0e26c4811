/* SPDX-License-Identifier: Apache-2.0 */
/* Copies from and to pages whose page-table entries were written without sfence.vma: the
 * hardware may still have the old translations, and does where this checks it. */
#include "copy.h"

#define FROM 37			/* pages of TEST_VA; a0 has the second's address, a1 the first's */
#define TO   38

.macro MAP page, symbol
	la	t0, \symbol
	srli	t0, t0, 2
	ori	t0, t0, RWX
	la	t1, vm_l0 + 8 * (\page)
	sd	t0, 0(t1)
.endm

.macro PUT symbol, value
	la	t0, \symbol
	li	t1, \value
	sd	t1, 0(t0)
.endm

.macro HAS symbol, value
	la	t0, \symbol
	ld	t1, 0(t0)
	EQ	t1, \value
.endm

.macro COPIES
	li	a2, 8
	TRYV	S, cpy a2, a0, a1
	OK	S
	EQ	a2, 8
.endm

	.globl	test
test:
	mv	s11, ra
	li	a1, TEST_VA + 4096 * FROM
	li	a0, TEST_VA + 4096 * TO
	VM_ON
	PUT	one, 1
	PUT	two, 2
	CASE	1			/* the source */
	MAP	FROM, one
	MAP	TO, three
	sfence.vma
	COPIES
	HAS	three, 1
	MAP	FROM, two
	PUT	one, 11
	COPIES
	HAS	three, 11
	sfence.vma
	COPIES
	HAS	three, 2
	CASE	2			/* the destination; both */
	MAP	TO, four
	COPIES
	HAS	three, 2
	HAS	four, 0
	MAP	FROM, one
	PUT	two, 22
	COPIES
	HAS	three, 22
	sfence.vma
	COPIES
	HAS	four, 11
	CASE	3			/* a copy of nothing */
	MAP	FROM, two
	li	a2, 0
	TRYV	S, cpy a2, a0, a1
	OK	S
	EQ	a2, 0
	CASE	4			/* a page table is written by a copy */
	la	t0, vm_l0
	srli	t0, t0, 2
	ori	t0, t0, RWX
	la	t1, vm_l0 + 8 * TO
	sd	t0, 0(t1)
	sfence.vma
	li	a0, TEST_VA + 4096 * TO + 8 * FROM
	la	a5, two
	srli	a5, a5, 2
	ori	a5, a5, RWX
	la	t0, one
	sd	a5, 0(t0)
	MAP	FROM, one
	sfence.vma
	COPIES
	li	a0, TEST_VA + 4096 * FROM
	TRYV	S, ld a3, 0(a0)
	OK	S
	EQ_REG	a3, a5
	sfence.vma
	TRYV	S, ld a3, 0(a0)
	OK	S
	EQ	a3, 22
	jr	s11

	.bss
	.balign	4096
one:	.skip	4096
two:	.skip	4096
three:	.skip	4096
four:	.skip	4096
