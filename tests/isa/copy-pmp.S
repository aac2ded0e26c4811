/* SPDX-License-Identifier: Apache-2.0 */
/* The PMP checks both ends; where an entry covers part of a page, a copy ends with the aligned
 * 4 bytes. */
#include "copy.h"

/* Entry 0 is this range (NAPOT, n bytes) with these permissions. */
.macro ENTRY_0 symbol, n, bits
	la	t0, \symbol
	srli	t0, t0, 2
	addi	t0, t0, (\n) / 8 - 1
	csrw	pmpaddr0, t0
	li	t0, 0xff
	csrc	pmpcfg0, t0
	li	t0, 0x18 | (\bits)
	csrs	pmpcfg0, t0
	sfence.vma
.endm

.macro COPY_S to, from, n
	la	a0, \to
	la	a1, \from
	li	a2, \n
	TRY	S, cpy a2, a0, a1
.endm

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* a whole page: no access, only reads */
	ENTRY_0	page, 4096, 0
	COPY_S	sink, page, 32
	WANT	LOAD_ACCESS
	la	t0, page
	EQ_REG	s4, t0
	COPY_S	page + 8, sink, 32
	WANT	STORE_ACCESS
	la	t0, page + 8
	EQ_REG	s4, t0
	ENTRY_0	page, 4096, 1
	COPY_S	sink, page, 32
	OK	S
	EQ	a2, 32
	COPY_S	page, sink, 32
	WANT	STORE_ACCESS
	CASE	2			/* M is not affected */
	la	a0, page
	la	a1, sink
	li	a2, 32
	cpy	a2, a0, a1
	EQ	a2, 32
	CASE	3			/* 16 bytes of a page cannot be read */
	ENTRY_0	page + 0x40, 16, 0
	COPY_S	sink, page + 0x38, 32
	OK	S
	EQ	a2, 4
	COPY_S	sink, page + 0x3d, 32
	OK	S
	EQ	a2, 3
	COPY_S	sink, page + 0x43, 32
	WANT	LOAD_ACCESS
	COPY_S	sink, page + 0x50, 32
	OK	S
	EQ	a2, 4
	CASE	4			/* nor written */
	COPY_S	page + 0x3e, sink, 32
	OK	S
	EQ	a2, 2
	COPY_S	page + 0x4f, sink, 32
	WANT	STORE_ACCESS
	la	t0, page + 0x4f
	EQ_REG	s4, t0
	COPY_S	page + 0x800, sink, 3
	OK	S
	EQ	a2, 3
	CASE	5			/* the same for M, with the page split for all modes */
	la	a0, page + 0x40
	la	a1, sink
	li	a2, 32
	cpy	a2, a0, a1
	EQ	a2, 4
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
sink:	.skip	4096
