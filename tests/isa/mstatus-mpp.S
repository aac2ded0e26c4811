/* SPDX-License-Identifier: Apache-2.0 */
/* mstatus.MPP never holds the reserved mode 2. */
#include "test.h"

	.globl	test
test:
	CASE	1
	.irp before, U, S, M
	li	a0, MSTATUS_MPP
	csrc	mstatus, a0
	li	a0, \before << 11
	csrs	mstatus, a0
	csrr	a1, mstatus
	li	a0, MSTATUS_MPP
	or	a1, a1, a0
	li	a0, 1 << 11
	xor	a1, a1, a0
	csrw	mstatus, a1
	csrr	a1, mstatus
	srli	a1, a1, 11
	andi	a1, a1, 3
	addi	a1, a1, -2
	bnez	a1, 1f
	j	fail
1:
	.endr
	ret
