/* SPDX-License-Identifier: Apache-2.0 */
/* mstatus and sstatus: the bits that exist, and how each is visible in the other. */
#include "test.h"

#define XL (0xa << 32) /* SXL and UXL: 64 bits */
#define S_BITS                                                                           \
	(MSTATUS_SIE | MSTATUS_SPIE | MSTATUS_SPP | MSTATUS_SUM | MSTATUS_MXR)
#define M_BITS                                                                           \
	(MSTATUS_MIE | MSTATUS_MPIE | MSTATUS_MPP | MSTATUS_MPRV | MSTATUS_TVM |         \
	 MSTATUS_TW | MSTATUS_TSR)

	.globl	test
test:
	CASE	1
	li	a0, -1
	csrw	mstatus, a0
	csrr	a1, mstatus
	csrw	mstatus, zero
	EQ	a1, XL | S_BITS | M_BITS
	CASE	2
	csrr	a1, mstatus
	EQ	a1, XL
	CASE	3			/* through sstatus only S's bits are written */
	csrw	sstatus, a0
	csrr	a1, mstatus
	csrw	sstatus, zero
	EQ	a1, XL | S_BITS
	CASE	4			/* and only they and UXL are seen */
	csrw	mstatus, a0
	csrr	a1, sstatus
	csrw	mstatus, zero
	EQ	a1, (2 << 32) | S_BITS
	CASE	5
	csrw	mstatus, a0
	csrw	sstatus, zero
	csrr	a1, mstatus
	csrw	mstatus, zero
	EQ	a1, XL | M_BITS
	CASE	6			/* the status without F */
	li	a0, 3 << 13
	csrs	mstatus, a0
	csrr	a1, mstatus
	EQ	a1, XL
	ret
