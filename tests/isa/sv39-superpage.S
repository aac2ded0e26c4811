/* SPDX-License-Identifier: Apache-2.0 */
/* Pages of 2 MiB and 1 GiB: the offset reaches every byte; misaligned superpages
 * fault. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	CASE	1			/* 1 GiB, at both ends of RAM */
	la	a4, mark
	li	a5, 0x1234
	sd	a5, 0(a4)
	li	a5, HOLE - 8
	li	a6, 0x5678
	sd	a6, 0(a5)
	la	a2, vm_root
	li	a3, (SOC_RAM_BASE >> 2) | RWX
	sd	a3, 40(a2)
	li	a0, (5 << 30) - SOC_RAM_BASE
	add	a4, a4, a0
	add	a5, a5, a0
	sfence.vma
	TRYV	S, ld a1, 0(a4)
	OK	S
	EQ	a1, 0x1234
	TRYV	S, ld a1, 0(a5)
	OK	S
	EQ	a1, 0x5678
	CASE	2			/* its PPN must be aligned, each bit */
	.irp bit, 10, 18, 19, 27
	li	a3, ((SOC_RAM_BASE >> 2) | RWX) + (1 << \bit)
	sd	a3, 40(a2)
	sfence.vma
	TRYV	S, ld a1, 0(a4)
	WANT	LOAD_PAGE
	EQ_REG	s4, a4
	TRYV	S, sd a1, 0(a4)
	WANT	STORE_PAGE
	TRY_JUMP S, a4
	WANT_AT	FETCH_PAGE, a4, a4
	.endr
	CASE	3			/* 2 MiB: the last of RAM */
	la	a2, vm_l1
	li	a3, ((HOLE - 0x200000) >> 2) | RWX
	sd	a3, 8(a2)
	sfence.vma
	li	a4, TEST_VA + 0x3ffff8
	TRYV	S, ld a1, 0(a4)
	OK	S
	EQ	a1, 0x5678
	li	a4, TEST_VA + 0x200000
	li	a5, 0x9abc
	TRYV	S, sd a5, 0(a4)
	OK	S
	li	a0, HOLE - 0x200000
	ld	a1, 0(a0)
	EQ	a1, 0x9abc
	CASE	4
	.irp bit, 10, 14, 18
	li	a3, (((HOLE - 0x400000) >> 2) | RWX) + (1 << \bit)
	sd	a3, 8(a2)
	sfence.vma
	TRYV	S, ld a1, 0(a4)
	WANT	LOAD_PAGE
	EQ_REG	s4, a4
	.endr
	CASE	5			/* U of a superpage */
	li	a3, ((HOLE - 0x200000) >> 2) | RWX | PU
	sd	a3, 8(a2)
	sfence.vma
	TRYV	U, ld a1, 0(a4)
	OK	U
	EQ	a1, 0x9abc
	TRYV	S, ld a1, 0(a4)
	WANT	LOAD_PAGE
	jr	s11

	.bss
	.balign	8
mark:	.skip	8
