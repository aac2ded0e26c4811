/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction whose second half is in another region: each half needs permission. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a5, halves
	addi	a4, a5, 2
	PMPADDR	0, halves + 2
	PMPCFG	0, PMP_NA4
	CASE	1			/* the second half is denied */
	TRY_JUMP U, a5
	WANT_AT	FETCH_ACCESS, a5, a4
	TRY_JUMP S, a5
	WANT_AT	FETCH_ACCESS, a5, a4
	CASE	2			/* behind one that is allowed */
	addi	a3, a5, -2
	TRY_JUMP U, a3
	WANT_AT	FETCH_ACCESS, a5, a4
	CASE	3			/* two bytes, all before the region */
	la	a3, short
	PMPADDR	0, short + 2
	li	a0, 0
	addi	a4, a3, 2
	TRY_JUMP U, a3
	WANT_AT	FETCH_ACCESS, a4, a4
	EQ	a0, 7
	CASE	4			/* the first half is denied */
	PMPADDR	0, halves - 2
	TRY_JUMP U, a5
	WANT_AT	FETCH_ACCESS, a5, a5
	CASE	5			/* each half is allowed by another entry */
	PMPADDR	0, halves + 2
	PMPCFG	0, PMP_NA4 | PMP_R | PMP_X
	li	a0, 0
	TRY_JUMP U, a5
	OK	U
	EQ	a0, 5
	CASE	6			/* M-mode, to which the entry does not apply */
	PMPCFG	0, PMP_NA4
	li	a0, 0
	TRY_JUMP M, a5
	OK	M
	EQ	a0, 5
	jr	s11

	.balign	8
	.option	rvc
	c.nop
	c.nop
	c.nop
halves:
	.option	norvc
	li	a0, 5
	ecall
	.option	rvc
	.balign	8
	c.nop
short:	c.li	a0, 7
	.option	norvc
	ecall
