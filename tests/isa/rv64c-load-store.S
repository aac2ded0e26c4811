/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed loads and stores: every bit of the offsets, signs, registers. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	mv	s10, sp

	/* Each word of the area holds its own offset, with the sign bit set. */
	la	a0, area
	li	a1, 0
	li	a2, 0x80000000
1:	add	a3, a0, a1
	or	a4, a1, a2
	sw	a4, 0(a3)
	addi	a1, a1, 4
	li	a3, 1024
	bltu	a1, a3, 1b

	CASE	1
	.irp at, 0, 4, 8, 16, 32, 64, 124
	c.lw	a1, \at(a0)
	EQ	a1, 0xffffffff80000000 + \at
	.endr
	CASE	2
	.irp at, 0, 8, 16, 32, 64, 128, 248
	c.ld	a1, \at(a0)
	EQ	a1, ((0x80000004 + \at) << 32) | (0x80000000 + \at)
	.endr
	CASE	3
	mv	sp, a0
	.irp at, 0, 4, 8, 16, 32, 64, 128, 252
	c.lwsp	a1, \at(sp)
	EQ	a1, 0xffffffff80000000 + \at
	.endr
	CASE	4
	.irp at, 0, 8, 16, 32, 64, 128, 256, 504
	c.ldsp	a1, \at(sp)
	EQ	a1, ((0x80000004 + \at) << 32) | (0x80000000 + \at)
	.endr
	CASE	5
	li	a1, 0x1122334455667788
	.irp at, 0, 4, 8, 16, 32, 64, 124
	c.sw	a1, \at(a0)
	lwu	a2, \at(a0)
	EQ	a2, 0x55667788
	lwu	a2, \at + 4(a0)
	EQ	a2, 0x80000004 + \at
	.endr
	CASE	6
	.irp at, 0, 8, 16, 32, 64, 128, 248
	sd	zero, \at(a0)
	c.sd	a1, \at(a0)
	ld	a2, \at(a0)
	EQ_REG	a2, a1
	.endr
	CASE	7
	addi	sp, a0, 512
	.irp at, 0, 4, 8, 16, 32, 64, 128, 252
	c.swsp	a1, \at(sp)
	lwu	a2, \at(sp)
	EQ	a2, 0x55667788
	lwu	a2, \at + 4(sp)
	EQ	a2, 0x80000204 + \at
	.endr
	CASE	8
	mv	sp, a0
	.irp at, 0, 8, 16, 32, 64, 128, 256, 504
	sd	zero, \at(sp)
	c.sdsp	a1, \at(sp)
	ld	a2, \at(sp)
	EQ_REG	a2, a1
	.endr
	CASE	9			/* stack forms reach every register */
	.irp r, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
	li	x\r, 0x100 + \r
	c.sdsp	x\r, 8(sp)
	c.ldsp	x\r, 8(sp)
	EQ	x\r, 0x100 + \r
	c.swsp	x\r, 16(sp)
	c.lwsp	x\r, 16(sp)
	EQ	x\r, 0x100 + \r
	.endr
	CASE	10			/* short forms: base and data registers */
	la	a0, area
	li	a1, 0x110
	sd	a1, 8(a0)
	.irp r, 8, 10, 11, 12, 13, 14, 15
	la	x\r, area
	c.ld	x\r, 8(x\r)
	EQ	x\r, 0x110
	la	x\r, area
	c.sd	x\r, 0(x\r)
	ld	x9, 0(x\r)
	EQ_REG	x9, x\r
	.endr
	mv	sp, s10
	jr	s11

	.bss
	.balign	8
area:	.skip	1032
