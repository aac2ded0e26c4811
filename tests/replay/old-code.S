/* SPDX-License-Identifier: Apache-2.0 */
/* Executes code, overwrites it without fence.i, and executes it again: the hardware may
 * still use the old instructions, and does where this checks it. */
#include "test.h"

/* Replaces 4 bytes at a label by li a0, 9. */
.macro REPLACE at
	la	s2, \at
	lw	s3, nine
	sw	s3, 0(s2)
.endm

/* Calls code that traps, replaces it, and calls it until fence.i. */
.macro TRAPS at, cause
	la	a5, \at
	TRY_JUMP M, a5
	EQ	s2, \cause
	REPLACE	\at
	TRY_JUMP M, a5
	EQ	s2, \cause
	EQ_REG	s3, a5
	fence.i
	jal	ra, \at
	EQ	a0, 9
.endm

/* Calls an instruction that crosses lines, replaces half of it, and calls it until fence.i. */
.macro CROSSES at
	jal	ra, \at
	EQ	a0, 6
	la	s2, \at
	li	s3, 0x0090
	sh	s3, 2(s2)
	jal	ra, \at
	EQ	a0, 6
	fence.i
	jal	ra, \at
	EQ	a0, 9
.endm

	.globl	test
test:
	mv	s11, ra

	CASE	1			/* a plain instruction, until fence.i */
	jal	ra, plain
	EQ	a0, 1
	REPLACE	plain
	jal	ra, plain
	EQ	a0, 1
	fence.i
	jal	ra, plain
	EQ	a0, 9

	CASE	2			/* a branch that is no longer there */
	jal	ra, branch
	EQ	a0, 2
	REPLACE	branch
	jal	ra, branch
	EQ	a0, 2
	fence.i
	jal	ra, branch
	EQ	a0, 3

	CASE	3			/* compressed ones */
	jal	ra, short
	EQ	a0, 5
	REPLACE	short
	jal	ra, short
	EQ	a0, 5
	fence.i
	jal	ra, short
	EQ	a0, 9

	CASE	4			/* a read of the time, of a device */
	jal	ra, time
	REPLACE	time
	li	a0, 9
	jal	ra, time
	fence.i
	jal	ra, time
	EQ	a0, 9
	li	a1, SOC_UART_BASE
	jal	ra, device
	REPLACE	device
	jal	ra, device
	EQ	a0, 0x60
	fence.i
	jal	ra, device
	EQ	a0, 9

	CASE	5			/* exceptions, with and without their bits */
	TRAPS	illegal, ILLEGAL
	CASE	6
	TRAPS	breaks, BREAKPOINT
	CASE	7
	TRAPS	breaks_short, BREAKPOINT
	CASE	8
	TRAPS	calls, ECALL_M

	CASE	9			/* half of one that crosses lines, in two pages */
	CROSSES	crosses
	CROSSES	crosses_next_page

	CASE	10			/* in the middle of a block */
	jal	ra, middle
	EQ	a0, 8
	REPLACE	replaced
	jal	ra, middle
	EQ	a0, 8
	fence.i
	jal	ra, middle
	EQ	a0, 9
	jr	s11

	.balign	4
	.option	norvc
nine:	li	a0, 9
	.balign	64
plain:	li	a0, 1
	ret
	.balign	64
branch:	beqz	zero, 1f
	li	a0, 3
	ret
1:	li	a0, 2
	ret
	.balign	64
time:	csrr	a0, time
	ret
	.balign	64
device:	lb	a0, 5(a1)
	ret
	.balign	64
illegal:
	.word	0
	ret
	.balign	64
breaks:	ebreak
	ret
	.balign	64
calls:	ecall
	ret
	.option	rvc
	.balign	64
short:	c.li	a0, 3
	c.addi	a0, 2
	ret
	.balign	64
breaks_short:
	c.ebreak
	c.nop
	ret
	.balign	64
	.zero	62
	.option	norvc
crosses:
	li	a0, 6
	ret
	.zero	4096 - 8
crosses_next_page:
	li	a0, 6
	ret
	.balign	64
middle:	li	a0, 4
	.option	rvc
	c.nop
	c.nop
	.option	norvc
replaced:
	li	a0, 8
	ret
