/* SPDX-License-Identifier: Apache-2.0 */
/* Bits 5 and 6 of a configuration and 63:54 of an address are 0;
 * entries 8 to 15 are always off.
 */
#include "pmp.h"

	.globl	test
test:
	CASE	1
	li	a0, 0x1f00006060606060
	csrw	pmpcfg0, a0
	csrr	a1, pmpcfg0
	EQ	a1, 0x1f00000000000000
	li	a0, 0x1f00060206020602	/* W without R is never seen */
	csrw	pmpcfg0, a0
	csrr	a1, pmpcfg0
	srli	a2, a1, 1
	not	a1, a1
	and	a1, a1, a2
	li	a2, 0x0101010101010101
	and	a1, a1, a2
	EQ	a1, 0
	CASE	2
	li	a0, 0x1f1f1f1f1f1f1f1f
	csrw	pmpcfg2, a0
	csrr	a1, pmpcfg2
	EQ	a1, 0
	li	a0, -1
	.irp n, 8, 9, 10, 11, 12, 13, 14, 15
	csrw	pmpaddr\n, a0
	csrr	a1, pmpaddr\n
	EQ	a1, 0
	.endr
	CASE	3			/* addresses have 54 bits */
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7
	csrw	pmpaddr\n, a0
	csrr	a1, pmpaddr\n
	EQ	a1, 0x3fffffffffffff
	.endr
	ret
