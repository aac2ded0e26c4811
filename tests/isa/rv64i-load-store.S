/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores of every width: signs, offsets, lanes, overlap. */
#include "test.h"

.macro LOADS op, offset, value
	\op	a1, \offset(a0)
	EQ	a1, \value
	\op	a1, \offset - 2032(a2)
	EQ	a1, \value
	mv	a3, a0
	\op	a3, \offset(a3)
	EQ	a3, \value
.endm

/* Stores all ones into zeros: only these bytes change. */
.macro STORES op, offset, value
	sd	zero, 0(a0)
	\op	a4, \offset(a0)
	ld	a1, 0(a0)
	EQ	a1, \value
	\op	a4, \offset - 2032(a2)
	ld	a1, 0(a0)
	EQ	a1, \value
.endm

	.globl	test
test:
	la	a0, pattern
	addi	a2, a0, 2032
	CASE	1
	LOADS	lb, 0, 0x10
	LOADS	lb, 2, 0x54
	LOADS	lb, 3, 0x76
	LOADS	lb, 4, -0x68
	LOADS	lb, 7, -2
	CASE	2
	LOADS	lbu, 0, 0x10
	LOADS	lbu, 4, 0x98
	LOADS	lbu, 7, 0xfe
	LOADS	lbu, -1, 0x81
	LOADS	lb, -1, -0x7f
	CASE	3
	LOADS	lh, 0, 0x3210
	LOADS	lh, 2, 0x7654
	LOADS	lh, 4, 0xffffffffffffba98
	LOADS	lh, 6, 0xfffffffffffffedc
	CASE	4
	LOADS	lhu, 0, 0x3210
	LOADS	lhu, 4, 0xba98
	LOADS	lhu, 6, 0xfedc
	CASE	5
	LOADS	lw, 0, 0x76543210
	LOADS	lw, 4, 0xfffffffffedcba98
	CASE	6
	LOADS	lwu, 0, 0x76543210
	LOADS	lwu, 4, 0xfedcba98
	CASE	7
	LOADS	ld, 0, 0xfedcba9876543210
	LOADS	ld, -8, 0x8182838485868788
	CASE	8			/* a load to x0 leaves it */
	lw	zero, 0(a0)
	ld	zero, 0(a0)
	EQ	zero, 0

	la	a0, scratch
	addi	a2, a0, 2032
	li	a4, -1
	CASE	9
	STORES	sb, 0, 0xff
	STORES	sb, 3, 0xff000000
	STORES	sb, 7, 0xff00000000000000
	CASE	10
	STORES	sh, 0, 0xffff
	STORES	sh, 2, 0xffff0000
	STORES	sh, 6, 0xffff000000000000
	CASE	11
	STORES	sw, 0, 0xffffffff
	STORES	sw, 4, 0xffffffff00000000
	CASE	12
	STORES	sd, 0, -1
	CASE	13			/* only the low bits are stored */
	li	a4, 0x1122334455667788
	STORES	sb, 1, 0x8800
	STORES	sh, 4, 0x778800000000
	STORES	sw, 4, 0x5566778800000000
	CASE	14			/* a store is seen by the next load */
	sd	zero, 0(a0)
	sb	a4, 5(a0)
	lw	a1, 4(a0)
	EQ	a1, 0x8800
	sh	a4, 6(a0)
	ld	a1, 0(a0)
	EQ	a1, 0x7788880000000000
	sd	a0, 0(a0)		/* the address stored at itself */
	ld	a1, 0(a0)
	EQ_REG	a1, a0
	CASE	15			/* the ends of the offset range */
	addi	a1, a0, 2047
	addi	a1, a1, 1
	sd	a4, -2048(a1)
	ld	a3, 0(a0)
	EQ	a3, 0x1122334455667788
	ret

	.data
	.balign	8
	.dword	0x8182838485868788
pattern: .dword	0xfedcba9876543210
scratch: .dword	0
