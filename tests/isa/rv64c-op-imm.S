/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed arithmetic and shifts with immediates. */
#include "tables.h"

.macro IMM_FORMS op, imm
	mv	a4, a0
	\op	a4, \imm
	EQ_REG	a4, a2
	mv	s0, a0
	\op	s0, \imm
	EQ_REG	s0, a2
.endm

	.globl	test
test:
	mv	s11, ra
	.include "c-imm.inc"
	.include "c-shift.inc"
	jr	s11
