/* SPDX-License-Identifier: Apache-2.0 */
/* Faults are those of a load of the source, then of a store to the destination: cause, epc,
 * tval. Nothing is written, and the length stays. */
#include "copy.h"

#define PAGE(n) (TEST_VA + 0x1000 * (n))

/* Copies 16 bytes to and from these virtual addresses. */
.macro TRY_COPY mode, to, from
	li	a0, \to
	li	a1, \from
	li	a2, 16
	TRYV	\mode, cpy a2, a0, a1
.endm

/* The fault; the destination's page (that of symbol `sink`) is as before. */
.macro FAULTS cause, address
	WANT	\cause
	TVAL	\address
	EQ	a2, 16
	call	untouched
.endm

.macro COPIES mode
	OK	\mode
	EQ	a2, 16
	la	t0, sink
	la	t1, data
	ld	t2, (t0)
	ld	t1, (t1)
	bne	t2, t1, bad
	sd	zero, (t0)
	sd	zero, 8(t0)
.endm

.macro STATUS bits
	li	t0, MSTATUS_SUM | MSTATUS_MXR
	csrc	mstatus, t0
	li	t0, \bits
	csrs	mstatus, t0
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	SET_PTE	0, data, RWX
	SET_PTE	1, sink, RWX
	CASE	1			/* both are there */
	TRY_COPY S, PAGE(1), PAGE(0)
	COPIES	S
	CASE	2			/* not mapped: source, destination, both */
	TRY_COPY S, PAGE(1), PAGE(9) + 5
	FAULTS	LOAD_PAGE, PAGE(9) + 5
	TRY_COPY S, PAGE(9) + 0xfff, PAGE(0)
	FAULTS	STORE_PAGE, PAGE(9) + 0xfff
	TRY_COPY S, PAGE(9) + 1, PAGE(9) + 2
	FAULTS	LOAD_PAGE, PAGE(9) + 2
	CASE	3			/* the next pages are not needed */
	TRY_COPY S, PAGE(1) + 0xff8, PAGE(0)
	OK	S
	EQ	a2, 8
	TRY_COPY S, PAGE(1), PAGE(0) + 0xffc
	OK	S
	EQ	a2, 4
	call	clear
	CASE	4			/* a destination that is only readable, or not dirty */
	SET_PTE	1, sink, V | R | A | D
	TRY_COPY S, PAGE(1), PAGE(0)
	FAULTS	STORE_PAGE, PAGE(1)
	SET_PTE	1, sink, V | R | W | A
	TRY_COPY S, PAGE(1), PAGE(0)
	FAULTS	STORE_PAGE, PAGE(1)
	SET_PTE	1, sink, V | R | W | A | D
	TRY_COPY S, PAGE(1), PAGE(0)
	COPIES	S
	CASE	5			/* a source that is only executable; MXR */
	SET_PTE	0, data, V | X | A
	TRY_COPY S, PAGE(1), PAGE(0)
	FAULTS	LOAD_PAGE, PAGE(0)
	STATUS	MSTATUS_MXR
	TRY_COPY S, PAGE(1), PAGE(0)
	COPIES	S
	STATUS	0
	SET_PTE	0, data, V | R
	TRY_COPY S, PAGE(1), PAGE(0)	/* not accessed */
	FAULTS	LOAD_PAGE, PAGE(0)
	SET_PTE	0, data, V | R | A
	TRY_COPY S, PAGE(1), PAGE(0)	/* readable is enough */
	COPIES	S
	CASE	6			/* pages of U for S: source, destination; SUM */
	SET_PTE	0, data, RWX | PU
	TRY_COPY S, PAGE(1), PAGE(0)
	FAULTS	LOAD_PAGE, PAGE(0)
	SET_PTE	0, data, RWX
	SET_PTE	1, sink, RWX | PU
	TRY_COPY S, PAGE(1), PAGE(0)
	FAULTS	STORE_PAGE, PAGE(1)
	STATUS	MSTATUS_SUM
	TRY_COPY S, PAGE(1), PAGE(0)
	COPIES	S
	STATUS	0
	CASE	7			/* pages of S for U */
	TRY_COPY U, PAGE(1), PAGE(0)
	FAULTS	LOAD_PAGE, PAGE(0)
	SET_PTE	0, data, RWX | PU
	TRY_COPY U, PAGE(1), PAGE(0)
	COPIES	U
	SET_PTE	1, sink, RWX
	TRY_COPY U, PAGE(1), PAGE(0)
	FAULTS	STORE_PAGE, PAGE(1)
	SET_PTE	0, data, RWX
	CASE	8			/* addresses that are not canonical */
	TRY_COPY S, PAGE(1), 0x4000000000
	FAULTS	LOAD_PAGE, 0x4000000000
	TRY_COPY S, 0x8000000040000000, PAGE(0)
	FAULTS	STORE_PAGE, 0x8000000040000000
	CASE	9			/* MPRV */
	li	a0, PAGE(1)
	li	a1, PAGE(9)
	li	t3, 16
	AS	S, cpy t3, a0, a1
	WANT	LOAD_PAGE
	TVAL	PAGE(9)
	li	a1, PAGE(0)
	AS	S, cpy t3, a0, a1
	EQ	t3, 16
	la	t0, sink
	ld	t1, (t0)
	la	t2, data
	ld	t2, (t2)
	bne	t1, t2, bad
	sd	zero, (t0)
	sd	zero, 8(t0)
	CASE	10			/* no bytes: no translation, no fault */
	li	a0, PAGE(9)
	li	a1, 0x4000000000
	li	a2, 0
	TRYV	S, cpy a2, a0, a1
	OK	S
	EQ	a2, 0
	TRYV	U, cpy a2, a0, a1
	OK	U
	li	a0, SOC_UART_BASE
	li	a1, HOLE
	TRY	M, cpy a2, a0, a1
	OK	M
	EQ	a2, 0
	CASE	11			/* devices, and where there is nothing */
	la	a0, sink
	li	a1, SOC_UART_BASE
	li	a2, 16
	TRY	M, cpy a2, a0, a1
	FAULTS	LOAD_ACCESS, SOC_UART_BASE
	li	a1, HOLE
	TRY	M, cpy a2, a0, a1
	FAULTS	LOAD_ACCESS, HOLE
	la	a1, data
	li	a0, SOC_CLINT_BASE
	TRY	M, cpy a2, a0, a1
	FAULTS	STORE_ACCESS, SOC_CLINT_BASE
	li	a0, HOLE + 3
	TRY	M, cpy a2, a0, a1
	FAULTS	STORE_ACCESS, HOLE + 3
	li	a0, HOLE - 3
	TRY	M, cpy a2, a0, a1
	OK	M
	EQ	a2, 3
	CASE	12			/* rd must not be x0; other functions are reserved */
	TRY	M, .insn r 0x0b, 0, 0, x0, a0, a1
	WANT	ILLEGAL
	TVAL	0x00b5000b
	TRY	M, .insn r 0x0b, 1, 0, a2, a0, a1
	WANT	ILLEGAL
	TRY	M, .insn r 0x0b, 4, 0, a2, a0, a1
	WANT	ILLEGAL
	TRY	M, .insn r 0x0b, 0, 1, a2, a0, a1
	WANT	ILLEGAL
	TRY	M, .insn r 0x0b, 0, 0x40, a2, a0, a1
	WANT	ILLEGAL
	CASE	13			/* rd may be one of the others */
	la	a0, sink
	la	a1, data
	TRY	M, cpy a0, a0, a1	/* to the end of the page */
	OK	M
	li	t0, 4096
	bne	a0, t0, bad
	call	clear
	la	a0, sink
	TRY	M, cpy a1, a0, a1
	OK	M
	li	t0, 4096
	bne	a1, t0, bad
	call	clear
	jr	s11

	/* Returns if the page of the destination is 0. */
untouched:
	la	t0, sink
	la	t1, sink + 0x1000
1:	ld	t2, (t0)
	bnez	t2, bad
	addi	t0, t0, 8
	bne	t0, t1, 1b
	ret
clear:	la	t0, sink
	la	t1, sink + 0x1000
1:	sd	zero, (t0)
	addi	t0, t0, 8
	bne	t0, t1, 1b
	ret
bad:	j	fail

	.data
	.balign	4096
data:	.dword	0x1122334455667788, 0x99aabbccddeeff00
	.balign	4096
	.bss
	.balign	4096
sink:	.skip	4096
