/* SPDX-License-Identifier: Apache-2.0 */
/* The other counters and their events exist, read 0, and ignore writes. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, -1
	csrw	mcounteren, a0
	csrw	scounteren, a0
	CASE	1
	.irp n, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	csrw	mhpmcounter\n, a0
	csrw	mhpmevent\n, a0
	csrr	a1, mhpmcounter\n
	EQ	a1, 0
	csrr	a1, mhpmevent\n
	EQ	a1, 0
	csrr	a1, hpmcounter\n
	EQ	a1, 0
	.endr
	jr	s11
