/* SPDX-License-Identifier: Apache-2.0 */
/* satp: a write with an unknown mode changes nothing at all. */
#include "test.h"

	.globl	test
test:
	CASE	1
	li	a0, SATP_SV39 | (0x1234 << 44) | 0x80123
	csrw	satp, a0
	csrr	a1, satp
	EQ_REG	a1, a0
	CASE	2			/* reserved, 32-bit and custom modes */
	.irp mode, 1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15
	li	a2, (\mode << 60) | (0x4321 << 44) | 0x80456
	csrw	satp, a2
	csrr	a1, satp
	EQ_REG	a1, a0
	.endr
	CASE	3			/* Bare */
	csrw	satp, zero
	csrr	a1, satp
	EQ	a1, 0
	.irp mode, 1, 7, 12, 15
	li	a2, (\mode << 60) | 0x80456
	csrw	satp, a2
	csrr	a1, satp
	EQ	a1, 0
	.endr
	ret
