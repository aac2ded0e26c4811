/* SPDX-License-Identifier: Apache-2.0 */
/* PMP registers: the bits that exist, byte by byte, and all written at once. */
#include "pmp.h"

	.globl	test
test:
	CASE	1			/* addresses: 54 bits, granularity 4 bytes */
	.irp n, 0, 1, 2, 3, 4, 5, 6
	li	a0, 0x3fffffffffffff
	csrw	pmpaddr\n, a0
	csrr	a1, pmpaddr\n
	EQ_REG	a1, a0
	csrw	pmpaddr\n, zero
	csrr	a1, pmpaddr\n
	EQ	a1, 0
	.endr
	CASE	2			/* every mode and every legal permission */
	.irp bits, 0x00, 0x01, 0x03, 0x04, 0x05, 0x07, 0x08, 0x0f, 0x10, 0x17, 0x18, 0x1d
	li	a0, 0x1f00000000000000 | (\bits << 32) | (\bits << 8) | \bits
	csrw	pmpcfg0, a0
	csrr	a1, pmpcfg0
	EQ_REG	a1, a0
	.endr
	ret
