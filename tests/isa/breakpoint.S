/* SPDX-License-Identifier: Apache-2.0 */
/* ebreak traps in every mode, with epc at the ebreak. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	.irp mode, M, S, U
	TRY	\mode, .word 0x00100073
	WANT	BREAKPOINT
	TRY	\mode, c.ebreak
	WANT	BREAKPOINT
	.endr
	CASE	2
	li	a0, 1 << BREAKPOINT
	csrw	medeleg, a0
	TRY	U, ebreak
	WANT_S	BREAKPOINT
	TRY	S, ebreak
	WANT_S	BREAKPOINT
	TRY	M, ebreak
	WANT	BREAKPOINT
	jr	s11
