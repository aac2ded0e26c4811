/* SPDX-License-Identifier: Apache-2.0 */
/* Sv48, Sv57 and Sv64 are not implemented: writes of satp with them are ignored. */
#include "test.h"

	.globl	test
test:
	CASE	1
	li	a0, SATP_SV39 | (0xffff << 44) | 0x80123
	csrw	satp, a0
	.irp mode, 9, 10, 11
	li	a2, (\mode << 60) | 0x80456
	csrw	satp, a2
	csrr	a1, satp
	EQ_REG	a1, a0
	.endr
	csrw	satp, zero
	ret
