/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a block of rows; the runner that follows closes and loops over it. */
#ifndef TABLES_H
#define TABLES_H

#include "test.h"

.macro DATA
	.pushsection .rodata
	.balign	8
600:
.endm

.macro END_DATA n
601:
	.popsection
	li	gp, \n
	la	s9, 600b
	la	s10, 601b
.endm

/* Advances to the next row, if there is one. */
.macro NEXT_ROW size
	addi	s9, s9, \size
	beq	s9, s10, 603f
	j	602b
603:
.endm

/* Runs one immediate: operand, result. The program defines the forms in IMM_FORMS. */
.macro RUN_IMM n, op, imm
	END_DATA \n
602:	ld	a0, 0(s9)
	ld	a2, 8(s9)
	IMM_FORMS \op, \imm
	NEXT_ROW 16
.endm

#endif
