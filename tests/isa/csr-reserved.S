/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved bits of medeleg, the trap vectors, mepc, sepc, mip, mie, mideleg,
 * mcountinhibit; the ids.
 */
#include "test.h"

	.globl	test
test:
	CASE	1			/* M's ecall and reserved causes stay */
	li	a0, -1
	csrw	medeleg, a0
	csrr	a1, medeleg
	csrw	medeleg, zero
	li	a0, ~0xb3ff
	and	a1, a1, a0
	EQ	a1, 0
	CASE	2			/* reserved vector modes are never seen */
	.irp csr, stvec, mtvec
	csrr	a2, \csr
	li	a0, 0x80001002
	csrw	\csr, a0
	csrr	a1, \csr
	andi	a1, a1, 2
	EQ	a1, 0
	li	a0, 0x80001003
	csrw	\csr, a0
	csrr	a1, \csr
	andi	a1, a1, 2
	EQ	a1, 0
	csrw	\csr, a2
	.endr
	CASE	3
	csrr	a1, marchid
	EQ	a1, 0
	csrr	a1, mimpid
	EQ	a1, 0
	CASE	4			/* exception pcs: bit 0 is 0 */
	.irp csr, sepc, mepc
	.irp value, 0x80000002, 0xffffffc000000000, 0x3ffffffffe
	li	a0, \value
	ori	a1, a0, 1
	csrw	\csr, a1
	csrr	a1, \csr
	EQ_REG	a1, a0
	.endr
	.endr
	CASE	5			/* interrupts: those of M and S */
	li	a0, -1
	csrw	mip, a0
	csrr	a1, mip
	EQ	a1, 0x222
	csrw	mip, zero
	csrr	a1, mip
	EQ	a1, 0
	csrw	mideleg, a0
	csrr	a1, mideleg
	EQ	a1, 0x222
	csrw	mie, a0
	csrr	a1, mie
	csrw	mie, zero
	EQ	a1, 0xaaa
	CASE	6			/* time cannot be inhibited */
	li	a0, 7
	csrw	mcountinhibit, a0
	csrr	a1, mcountinhibit
	csrwi	mcountinhibit, 0
	EQ	a1, 5
	ret
