/* SPDX-License-Identifier: Apache-2.0 */
/* ebreak and c.ebreak trap in every mode; tval is the pc. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	.irp mode, M, S, U
	TRY	\mode, .word 0x00100073
	WANT	BREAKPOINT
	EQ_REG	s4, s3
	TRY	\mode, c.ebreak
	WANT	BREAKPOINT
	EQ_REG	s4, s3
	.endr
	CASE	2			/* delegated: stval is the pc as well */
	li	a0, 1 << BREAKPOINT
	csrw	medeleg, a0
	TRY	U, ebreak
	WANT_S	BREAKPOINT
	EQ_REG	s4, s3
	jr	s11
