/* SPDX-License-Identifier: Apache-2.0 */
/* Uses translations, changes their page-table entries without sfence.vma, and uses them
 * again: the hardware may still have the old ones, and does where this checks it. */
#include "test.h"

#define PAGE 37			/* of TEST_VA; a0 has its address */
#define ENTRY (vm_l0 + 8 * PAGE)

/* Maps the page to that of the symbol, without a fence. */
.macro MAP page, bits
	la	t0, \page
	srli	t0, t0, 2
	ori	t0, t0, \bits
	la	t1, ENTRY
	sd	t0, 0(t1)
.endm

.macro USE insn:vararg
	TRYV	S, \insn
	OK	S
.endm

.macro SEES value
	USE	ld a1, 0(a0)
	EQ	a1, \value
.endm

/* The first 8 bytes of a page, by its physical address. */
.macro HAS page, value
	la	t0, \page
	ld	a1, 0(t0)
	EQ	a1, \value
.endm

.macro PUT page, value
	la	t0, \page
	li	t1, \value
	sd	t1, 0(t0)
.endm

.macro CALLS value
	TRY_JUMP S, a4
	EQ	s2, ECALL_S
	EQ	a1, \value
.endm

	.globl	test
test:
	mv	s11, ra
	li	a0, TEST_VA + 4096 * PAGE
	VM_ON

	CASE	1			/* a load, until a fence of the page */
	PUT	first, 111
	PUT	second, 222
	MAP	first, RWX		/* a page that was no table before */
	SEES	111
	MAP	second, RWX
	SEES	111
	MAP	first, RWX		/* not changed, as it turns out */
	SEES	111
	SEES	111
	MAP	second, RWX
	li	a2, TEST_VA
	sfence.vma a2
	SEES	111
	sfence.vma a0
	SEES	222

	CASE	2			/* a store */
	MAP	first, RWX
	li	a1, 5
	USE	sd a1, 0(a0)
	HAS	second, 5
	HAS	first, 111
	sfence.vma
	li	a1, 6
	USE	sw a1, 0(a0)
	HAS	first, 6

	CASE	3			/* an entry made invalid */
	la	t1, ENTRY
	sd	zero, 0(t1)
	SEES	6
	li	a1, 7
	USE	sd a1, 0(a0)
	HAS	first, 7
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE

	CASE	4			/* one made read-only */
	MAP	first, RWX
	sfence.vma
	li	a1, 8
	USE	sd a1, 0(a0)
	MAP	first, (V | R | A | D)
	li	a1, 9
	USE	sd a1, 0(a0)
	HAS	first, 9
	sfence.vma
	TRYV	S, sd a1, 0(a0)
	WANT	STORE_PAGE

	CASE	5			/* atomic operations; an SC that fails */
	MAP	first, RWX
	sfence.vma
	SEES	9
	li	a1, 1
	USE	amoadd.d a1, a1, (a0)
	MAP	second, RWX
	li	a1, 1
	USE	amoadd.d a1, a1, (a0)
	EQ	a1, 10
	HAS	first, 11
	HAS	second, 5
	la	t1, ENTRY
	sd	zero, 0(t1)
	USE	sc.d a1, a1, (a0)
	EQ	a1, 1
	USE	lr.d a1, (a0)
	EQ	a1, 11

	CASE	6			/* a device, and no longer one */
	li	t0, SOC_UART_BASE >> 2
	ori	t0, t0, RWX
	la	t1, ENTRY
	sd	t0, 0(t1)
	sfence.vma
	USE	lb a1, 5(a0)
	EQ	a1, 0x60
	MAP	first, RWX
	USE	lb a1, 5(a0)
	EQ	a1, 0x60
	sfence.vma
	USE	lb a1, 5(a0)
	EQ	a1, 0

	CASE	7			/* a pointer to a table */
	SEES	11
	la	t0, other_l0
	srli	t1, t0, 2
	ori	t1, t1, V
	la	t2, vm_l1
	sd	t1, 0(t2)
	SEES	11
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	la	t0, vm_l0
	srli	t1, t0, 2
	ori	t1, t1, V
	la	t2, vm_l1
	sd	t1, 0(t2)
	sfence.vma

	CASE	8			/* a global page, after a fence of a space */
	MAP	first, (RWX | G)
	sfence.vma
	SEES	11
	MAP	second, RWX
	sfence.vma zero, a0
	SEES	11
	sfence.vma
	SEES	5

	CASE	9			/* code of another page; of none */
	la	a2, codes
	ld	a3, 0(a2)
	la	t0, first
	sd	a3, 64(t0)
	ld	a3, 8(a2)
	la	t0, second
	sd	a3, 64(t0)
	fence.i
	addi	a4, a0, 64
	MAP	first, RWX
	sfence.vma
	CALLS	1
	MAP	second, RWX
	CALLS	1
	sfence.vma
	CALLS	2
	la	t1, ENTRY
	sd	zero, 0(t1)
	CALLS	2
	sfence.vma
	TRY_JUMP S, a4
	WANT_AT	FETCH_PAGE, a4, a4

	CASE	10			/* changed in S; used by the next instruction */
	MAP	first, RWX
	la	t0, second
	srli	a2, t0, 2
	ori	a2, a2, RWX
	sfence.vma
	SEES	11
	la	a3, ENTRY
	la	a4, changes
	TRY_JUMP S, a4
	EQ	s2, ECALL_S
	EQ	a1, 11
	EQ	a5, 5

	CASE	11			/* another root with the same ASID */
	MAP	first, RWX
	sfence.vma
	SEES	11
	la	t0, other_root
	la	t1, vm_root
	ld	a1, 16(t1)
	sd	a1, 16(t0)		/* the code */
	la	a1, other_l1
	srli	a1, a1, 2
	ori	a1, a1, V
	sd	a1, 8(t0)
	la	t0, other_l1
	la	a1, other_l0
	srli	a1, a1, 2
	ori	a1, a1, V
	sd	a1, 0(t0)
	la	t0, second
	srli	a1, t0, 2
	ori	a1, a1, RWX
	la	t0, other_l0 + 8 * PAGE
	sd	a1, 0(t0)
	csrr	a2, satp
	la	t0, other_root
	srli	t0, t0, 12
	li	t1, SATP_SV39
	or	a3, t0, t1
	csrw	satp, a3
	SEES	11
	sfence.vma
	SEES	5
	csrw	satp, a2
	SEES	5
	sfence.vma
	SEES	11

	CASE	12			/* with the same table */
	la	t0, other_root
	la	t1, vm_root
	ld	a1, 8(t1)
	sd	a1, 8(t0)
	csrw	satp, a3
	SEES	11
	sd	zero, 8(t0)
	SEES	11
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	csrw	satp, a2
	sfence.vma

	CASE	13			/* a fault of a page that shares the entry */
	SEES	11
	li	a1, TEST_VA + 4096 * (PAGE + 64)
	TRYV	S, ld a1, 0(a1)
	WANT	LOAD_PAGE
	MAP	second, RWX
	SEES	11
	sfence.vma
	SEES	5

	CASE	14			/* one of two from a table, the other fenced */
	li	a2, TEST_VA + 4096 * (PAGE + 1)
	MAP	first, RWX
	sd	t0, 8(t1)
	sfence.vma
	SEES	11
	USE	ld a1, 0(a2)
	EQ	a1, 11
	sfence.vma a0
	MAP	second, RWX
	sd	t0, 8(t1)
	SEES	5
	USE	ld a1, 0(a2)
	EQ	a1, 11

	CASE	15			/* a table that nothing came from for a while */
	sfence.vma
	MAP	second, RWX
	MAP	first, RWX
	SEES	11
	MAP	second, RWX
	SEES	11
	sfence.vma
	SEES	5
	jr	s11

	.balign	64
changes:
	sd	a2, 0(a3)
	ld	a1, 0(a0)
	sfence.vma
	ld	a5, 0(a0)
	ecall

	.option	norvc
	.balign	8
codes:	li	a1, 1
	ecall
	li	a1, 2
	ecall

	.bss
	.balign	4096
first:	.skip	4096
second:	.skip	4096
other_l0: .skip	4096
other_l1: .skip	4096
other_root: .skip 4096
