/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of the events of the in-order pipeline, checked with code whose count is known. */
#include "test.h"
#include "counts.h"

	.globl	test
	.option	norvc
test:
	mv	s11, ra
	la	s10, data
	COUNTS_EVENTS
	COUNTS	1, 0, 2, "nop; nop; ld a2, (s10); add a3, a2, a2; lr.d a2, (s10); nop; add a3, a2, a2; lw a2, (s10); mv a3, a2"
	COUNTS	1, 2, 1, "nop; nop; csrr a2, mscratch; add a3, a2, a2; csrr a2, mscratch; nop; add a3, a2, a2"
	COUNTS	1, 9, 2, "nop; nop; mul a2, a3, a4; add a3, a2, a2; mul a2, a3, a4; nop; mul a2, a3, a4; add a3, a2, a2"
	COUNTS	3, 0, 9, ".rept 8; nop; .endr"
	COUNTS	3, 2, 2, "nop; nop; andi a2, s9, 1; beqz a2, 2f; nop; 2: nop"
	jr	s11

	.bss
	.balign	64
data:	.skip	64
