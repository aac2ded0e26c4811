/* SPDX-License-Identifier: Apache-2.0 */
/* After sfence.vma, in each of its forms, changed entries take effect. */
#include "test.h"

/* Maps page `symbol` in entry 0 of TEST_VA, without a fence. */
.macro MAP page
	la	t0, \page
	srli	t0, t0, 2
	ori	t0, t0, RWX
	la	t1, vm_l0
	sd	t0, 0(t1)
.endm

.macro SEES value
	TRYV	S, ld a1, 0(a0)
	OK	S
	EQ	a1, \value
.endm

	.globl	test
test:
	mv	s11, ra
	la	a1, first
	li	a2, 111
	sd	a2, 0(a1)
	la	a1, second
	li	a2, 222
	sd	a2, 0(a1)
	VM_ON
	li	a0, TEST_VA
	li	a3, 5			/* the ASID in use */
	csrr	a2, satp
	slli	a1, a3, 44
	or	a2, a2, a1
	csrw	satp, a2
	CASE	1
	MAP	first
	sfence.vma
	SEES	111
	MAP	second
	sfence.vma
	SEES	222
	CASE	2			/* an address, all spaces */
	MAP	first
	sfence.vma a0
	SEES	111
	CASE	3			/* any address in the page */
	MAP	second
	li	a4, TEST_VA + 0xabc
	sfence.vma a4
	SEES	222
	CASE	4			/* all of one space */
	MAP	first
	la	a5, second
	sd	a3, 8(a5)
	ld	a3, 8(a5)		/* the operand comes from a load */
	sfence.vma zero, a3
	SEES	111
	CASE	5			/* an address in one space */
	MAP	second
	sfence.vma a0, a3
	SEES	222
	CASE	6			/* executed in S */
	MAP	first
	TRYV	S, sfence.vma a0, a3
	OK	S
	SEES	111
	MAP	second
	TRYV	S, sfence.vma
	OK	S
	SEES	222
	CASE	7			/* an entry made valid */
	la	t1, vm_l0
	sd	zero, 0(t1)
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	MAP	first
	sfence.vma a0
	SEES	111
	CASE	8			/* made invalid, for fetches as well */
	la	t1, vm_l0
	la	a1, first
	li	a2, 0x73		/* ecall */
	sw	a2, 16(a1)
	fence.i
	addi	a4, a0, 16
	TRY_JUMP S, a4
	EQ	s2, ECALL_S
	sd	zero, 0(t1)
	sfence.vma a0
	TRY_JUMP S, a4
	WANT_AT	FETCH_PAGE, a4, a4
	CASE	9			/* a pointer changed, all addresses flushed */
	MAP	first
	sfence.vma
	SEES	111
	la	t1, vm_l1
	sd	zero, 0(t1)
	sfence.vma
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	jr	s11

	.bss
	.balign	4096
first:	.skip	4096
second:	.skip	4096
