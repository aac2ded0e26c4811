/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed constants and stack-pointer arithmetic, on every register. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	mv	s10, sp

	CASE	1
	.irp imm, -32, -1, 0, 1, 31
	c.li	a0, \imm
	EQ	a0, \imm
	.endr
	c.lui	a0, 1
	EQ	a0, 0x1000
	c.lui	a0, 31
	EQ	a0, 0x1f000
	c.lui	a0, 0xfffe0
	EQ	a0, -0x20000
	c.lui	a0, 0xfffff
	EQ	a0, -0x1000

	CASE	2			/* c.addi16sp: every bit of the offset */
	.irp imm, 16, 32, 64, 128, 256, 496, -16, -512, -272
	li	sp, 0x1000
	c.addi16sp sp, \imm
	EQ	sp, 0x1000 + (\imm)
	.endr

	CASE	3			/* c.addi4spn: every bit, every register */
	.irp imm, 4, 8, 16, 32, 64, 128, 256, 512, 1020
	li	sp, 0x1000
	c.addi4spn a0, sp, \imm
	EQ	a0, 0x1000 + (\imm)
	.endr
	li	sp, 0x1000
	.irp r, 10, 11, 12, 13, 14, 15
	c.addi4spn x\r, sp, 8 * \r
	EQ	x\r, 0x1000 + 8 * \r
	.endr
	li	s8, 0x1040
	c.addi4spn s0, sp, 64
	bne	s0, s8, 1f
	mv	a0, s1
	c.addi4spn s1, sp, 64
	mv	a1, s1
	mv	s1, a0
	bne	a1, s8, 1f
	mv	sp, s10
	j	2f
1:	j	fail

2:	CASE	4			/* registers of the long formats */
	.irp r, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 16, 17, 28, 29, 30, 31
	c.li	x\r, \r
	c.addi	x\r, 1
	c.slli	x\r, 2
	c.addiw	x\r, -4
	EQ	x\r, \r * 4
	c.mv	a0, x\r
	EQ	a0, \r * 4
	c.li	a1, 3
	c.add	a1, x\r
	.if \r != 11
	EQ	a1, \r * 4 + 3
	.endif
	.endr

	CASE	5			/* registers of the short formats */
	.irp r, 8, 10, 11, 12, 13, 14, 15
	li	x\r, 0xf0
	c.srli	x\r, 4
	c.andi	x\r, 9
	EQ	x\r, 9
	li	x9, 3
	c.sub	x\r, x9
	c.xor	x\r, x9
	EQ	x\r, 5
	.endr
	jr	s11
