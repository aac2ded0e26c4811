/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses whose bits 63:39 are not copies of bit 38 raise page faults. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	VM_ON
	/* The last gigabyte of each half is mapped to RAM. */
	li	a3, (SOC_RAM_BASE >> 2) | RWX
	la	a2, vm_root + 8 * 255
	sd	a3, 0(a2)
	sd	a3, 8(a2)
	la	a2, vm_root + 8 * 511
	sd	a3, 0(a2)
	sfence.vma
	CASE	1			/* canonical ones work */
	.irp va, 0x3fc0000000, 0xffffffc000000000, 0xffffffffc0000000
	li	a0, \va
	TRYV	S, ld a1, 0(a0)
	OK	S
	.endr
	CASE	2			/* the same with one wrong bit or more */
	.irp va, 0x7fc0000000, 0x4000000000, 0x80000000bfc00000, 0xffffff8000000000, 0x0000008080000000, 0x8000000080000000, 0x4000000080000000, 0xffffff7fc0000000, 0x003fffffc0000000
	li	a0, \va
	TRYV	S, ld a1, 0(a0)
	WANT	LOAD_PAGE
	EQ_REG	s4, a0
	TRYV	S, sd a1, 0(a0)
	WANT	STORE_PAGE
	EQ_REG	s4, a0
	TRY_JUMP S, a0
	WANT_AT	FETCH_PAGE, a0, a0
	.endr
	CASE	3			/* a jump to one, from inside */
	li	a0, 0x8000000080000000
	TRYV	S, jr a0
	HANDLED_BY M
	EQ	s2, FETCH_PAGE
	EQ_REG	s3, a0
	EQ_REG	s4, a0
	jr	s11
