/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic with 12-bit immediates. */
#include "tables.h"

.macro IMM_FORMS op, imm
	\op	a4, a0, \imm
	EQ_REG	a4, a2
	\op	a0, a0, \imm
	EQ_REG	a0, a2
	\op	zero, a0, \imm
	EQ_REG	zero, x0
.endm

	.globl	test
test:
	mv	s11, ra
	.include "op-imm.inc"
	jr	s11
