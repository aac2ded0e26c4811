/* SPDX-License-Identifier: Apache-2.0 */
/* A reservation covers 64 bytes, and any store by the hart ends it. */
#include "test.h"

	.globl	test
test:
	la	a0, line
	CASE	1			/* SC elsewhere in the line succeeds */
	addi	a3, a0, 56
	lr.d	a1, (a0)
	sc.d	a2, a0, (a3)
	EQ	a2, 0
	ld	a1, 0(a3)
	EQ_REG	a1, a0
	CASE	2			/* with another width as well */
	addi	a3, a0, 4
	lr.d	a1, (a0)
	sc.w	a2, a0, (a3)
	EQ	a2, 0
	lr.w	a1, (a3)
	sc.d	a2, a0, (a0)
	EQ	a2, 0
	CASE	3			/* but not in the next line */
	addi	a3, a0, 64
	lr.d	a1, (a0)
	sc.d	a2, a0, (a3)
	EQ	a2, 1
	addi	a3, a0, -8
	lr.d	a1, (a0)
	sc.d	a2, a0, (a3)
	EQ	a2, 1

	CASE	4			/* a store ends it, even of the same value */
	lr.d	a1, (a0)
	sd	a1, 0(a0)
	sc.d	a2, a1, (a0)
	EQ	a2, 1
	CASE	5			/* even of a byte far away */
	lr.d	a1, (a0)
	sb	zero, 512(a0)
	sc.d	a2, a1, (a0)
	EQ	a2, 1
	CASE	6			/* an AMO is a store as well */
	lr.d	a1, (a0)
	addi	a3, a0, 512
	amoor.w	a4, zero, (a3)
	sc.d	a2, a1, (a0)
	EQ	a2, 1
	CASE	7			/* a load is not */
	lr.d	a1, (a0)
	ld	a4, 8(a0)
	sc.d	a2, a1, (a0)
	EQ	a2, 0
	ret

	.bss
	.balign	64
	.skip	64
line:	.skip	1024
