/* SPDX-License-Identifier: Apache-2.0 */
/* Event counters: the first six are implemented, with events of four sets and 40 bits;
 * the others and their event selectors read 0 and ignore writes. While no event is
 * selected, or mcountinhibit is set, they keep the value written. */
#include "test.h"

#define EVENT_MASK 0x3ffff03 /* selected events, and their set */

	.globl	test
test:
	mv	s11, ra
	li	a0, -1
	csrw	mcounteren, a0
	csrw	scounteren, a0
	CASE	1			/* not implemented */
	.irp n, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	csrw	mhpmcounter\n, a0
	csrw	mhpmevent\n, a0
	csrr	a1, mhpmcounter\n
	EQ	a1, 0
	csrr	a1, mhpmevent\n
	EQ	a1, 0
	csrr	a1, hpmcounter\n
	EQ	a1, 0
	.endr
	CASE	2			/* mcountinhibit has their bits */
	csrw	mcountinhibit, a0
	csrr	a1, mcountinhibit
	EQ	a1, 0x1fd
	.irp n, 3, 4, 5, 6, 7, 8
	CASE	10 * \n			/* legal bits only */
	li	a0, -1
	csrw	mhpmevent\n, a0
	csrr	a1, mhpmevent\n
	EQ	a1, EVENT_MASK
	csrw	mhpmcounter\n, a0
	csrr	a1, mhpmcounter\n
	EQ	a1, (1 << 40) - 1
	CASE	10 * \n + 1		/* each has a separate value */
	li	a0, \n * 0x100
	csrw	mhpmevent\n, a0
	li	a0, \n * 0x123456789
	csrw	mhpmcounter\n, a0
	.endr
	CASE	100
	.irp n, 3, 4, 5, 6, 7, 8
	csrr	a1, mhpmevent\n
	EQ	a1, \n * 0x100
	csrr	a1, mhpmcounter\n
	EQ	a1, \n * 0x123456789
	csrr	a1, hpmcounter\n
	EQ	a1, \n * 0x123456789
	.endr
	CASE	101			/* set and clear */
	li	a0, 0x7f000
	csrs	mhpmevent3, a0
	csrr	a1, mhpmevent3
	EQ	a1, 0x7f300
	li	a0, 0xff00
	csrc	mhpmevent3, a0
	csrr	a1, mhpmevent3
	EQ	a1, 0x70000
	li	a0, 0xf0
	csrw	mhpmcounter3, a0
	csrsi	mhpmcounter3, 15
	csrci	mhpmcounter3, 5
	csrr	a1, mhpmcounter3
	EQ	a1, 0xfa
	CASE	102			/* nothing selected, whatever the set */
	csrw	mhpmevent3, zero
	csrw	mhpmevent4, 3
	csrr	a1, mhpmevent4
	EQ	a1, 0
	csrw	mcountinhibit, zero
	csrr	a1, mhpmcounter3
	EQ	a1, 0xfa
	csrr	a1, mhpmcounter4
	EQ	a1, 4 * 0x123456789
	CASE	103			/* S and U read them if enabled */
	li	a0, 1 << 3
	csrw	mcounteren, a0
	csrw	scounteren, zero
	TRY	S, csrr a2, hpmcounter3
	OK	S
	EQ	a2, 0xfa
	TRY	U, csrr a2, hpmcounter3
	WANT	ILLEGAL
	TRY	S, csrr a2, hpmcounter4
	WANT	ILLEGAL
	TRY	S, csrr a2, mhpmcounter3
	WANT	ILLEGAL
	TRY	S, csrr a2, mhpmevent3
	WANT	ILLEGAL
	csrw	scounteren, a0
	li	a0, 1 << 3
	csrw	scounteren, a0
	TRY	U, csrr a2, hpmcounter3
	OK	U
	EQ	a2, 0xfa
	TRY	U, csrw hpmcounter3, a2
	WANT	ILLEGAL
	jr	s11
