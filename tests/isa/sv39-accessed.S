/* SPDX-License-Identifier: Apache-2.0 */
/* A=0 faults on any access, D=0 on stores; the entry is never changed. */
#include "test.h"

.macro PTE_IS bits
	la	a1, vm_l0
	ld	a1, 0(a1)
	andi	a1, a1, 0xff
	EQ	a1, \bits
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	li	a0, TEST_VA
	CASE	1			/* A=0 */
	SET_PTE	0, page, V | R | W | X | D
	TRYV	S, lw a1, 4(a0)
	WANT	LOAD_PAGE
	TVAL	TEST_VA + 4
	TRYV	S, sw a1, 4(a0)
	WANT	STORE_PAGE
	TVAL	TEST_VA + 4
	TRYV	S, amoadd.w a1, a1, (a0)
	WANT	STORE_PAGE
	TVAL	TEST_VA
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a0
	PTE_IS	V | R | W | X | D
	CASE	2			/* D=0 */
	SET_PTE	0, page, V | R | W | X | A
	TRYV	S, lw a1, 4(a0)
	OK	S
	TRYV	S, lr.d a1, (a0)
	OK	S
	TRY_JUMP S, a0
	EQ	s2, ECALL_S
	TRYV	S, sw a1, 4(a0)
	WANT	STORE_PAGE
	TVAL	TEST_VA + 4
	TRYV	S, sc.d a1, a1, (a0)
	WANT	STORE_PAGE
	TVAL	TEST_VA
	TRYV	S, amoor.d a1, zero, (a0)
	WANT	STORE_PAGE
	TVAL	TEST_VA
	PTE_IS	V | R | W | X | A
	CASE	3			/* for U as well */
	SET_PTE	0, page, V | R | W | X | PU | D
	TRYV	U, lw a1, 4(a0)
	WANT	LOAD_PAGE
	TRY_JUMP U, a0
	WANT_AT	FETCH_PAGE, a0, a0
	SET_PTE	0, page, V | R | W | X | PU | A
	TRYV	U, lw a1, 4(a0)
	OK	U
	TRYV	U, sw a1, 4(a0)
	WANT	STORE_PAGE
	CASE	4			/* of a superpage, the same */
	la	a2, vm_root
	li	a3, (SOC_RAM_BASE >> 2) | V | R | W | X | D
	sd	a3, 40(a2)
	li	a3, (SOC_RAM_BASE >> 2) | V | R | W | X | A
	sd	a3, 48(a2)
	sfence.vma
	li	a0, 5 << 30
	TRYV	S, lw a1, 0(a0)
	WANT	LOAD_PAGE
	li	a0, 6 << 30
	TRYV	S, lw a1, 0(a0)
	OK	S
	TRYV	S, sw a1, 0(a0)
	WANT	STORE_PAGE
	CASE	5			/* the second half of an instruction */
	li	a1, 0x0013		/* half of nop */
	la	a0, page + 0xffe
	sh	a1, 0(a0)
	fence.i
	SET_PTE	0, page, RWX
	SET_PTE	1, page, V | R | W | X | D
	li	a0, TEST_VA + 0xffe
	addi	a2, a0, 2
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a2
	CASE	6			/* the page was not written */
	la	a0, page
	lw	a1, 4(a0)
	EQ	a1, 0
	jr	s11

	.data
	.balign	4096
page:	ecall
	.balign	4096
