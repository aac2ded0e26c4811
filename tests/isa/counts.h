/* SPDX-License-Identifier: Apache-2.0 */
/* Counts of events, checked with code whose count is known. */
#ifndef COUNTS_H
#define COUNTS_H

/* The value of mhpmevent that selects an event: its set and its bit. */
#define EVENT(set, bit) (1 << (8 + (bit)) | (set))

/* Fails with case 254 if the machine counts no events at all, as the functional model. */
.macro COUNTS_EVENTS
	CASE	254
	li	a0, EVENT(3, 0)
	csrw	mhpmcounter3, zero
	csrw	mhpmevent3, a0
	nop
	csrw	mhpmevent3, zero
	csrr	a1, mhpmcounter3
	bnez	a1, 700f
	j	fail
700:
.endm

/* Runs the code twice, with s9 2 and then 1, and counts the second run, in which it is in
 * the cache and known to the predictor. The write that stops counting is included. */
.macro COUNTS set, bit, count, code
	CASE	64 * \set + \bit + 1
	li	a0, EVENT(\set, \bit)
	li	s9, 2
	j	1f
	.balign	64
1:	csrw	mhpmcounter3, zero
	csrw	mhpmevent3, a0
	\code
	csrw	mhpmevent3, zero
	csrr	a1, mhpmcounter3
	addi	s9, s9, -1
	bnez	s9, 1b
	EQ	a1, \count
.endm

#endif
