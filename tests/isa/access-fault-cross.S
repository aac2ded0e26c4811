/* SPDX-License-Identifier: Apache-2.0 */
/* The last halfword of RAM: a compressed instruction executes there, half of a 32-bit one
 * faults with the address of its missing half. */
#include "test.h"

	.globl	test
test:
	li	a4, HOLE - 2
	addi	a5, a4, 2
	CASE	1
	li	a1, 0x8082		/* c.jr ra */
	sh	a1, 0(a4)
	fence.i
	mv	a3, ra
	jalr	ra, 0(a4)
	mv	ra, a3
	CASE	2
	li	a1, 0x0013		/* half of nop */
	sh	a1, 0(a4)
	fence.i
	TRY_JUMP M, a4
	WANT_AT	FETCH_ACCESS, a4, a5
	CASE	3			/* a compressed one runs on past the end of RAM */
	li	a1, 0x0001		/* c.nop */
	sh	a1, 0(a4)
	fence.i
	TRY_JUMP U, a4
	WANT_AT	FETCH_ACCESS, a5, a5
	ret
