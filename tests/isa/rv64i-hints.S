/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions with x0 as destination are hints, and do nothing. */
#include "test.h"

	.globl	test
test:
	CASE	1
	li	a0, 0x1234
	li	a1, -5
	.irp insn, lui, auipc
	\insn	zero, 0x12345
	.endr
	.irp insn, addi, slti, sltiu, xori, ori, andi, slli, srli, srai, addiw, slliw, srliw, sraiw
	\insn	zero, a0, 7
	\insn	zero, zero, 31
	.endr
	.irp insn, add, sub, sll, slt, sltu, xor, srl, sra, or, and, addw, subw, sllw, srlw, sraw
	\insn	zero, a0, a1
	.endr
	EQ	zero, 0
	EQ	a0, 0x1234
	EQ	a1, -5

	CASE	2			/* semihosting's markers around an ebreak */
	slli	zero, zero, 0x1f
	srai	zero, zero, 7
	EQ	zero, 0

	CASE	3			/* the markers used as triggers by the profiler */
	addi	zero, ra, 0x7ff
	addi	zero, ra, -0x800
	EQ	zero, 0

	CASE	4			/* fences: any sets, any mode, any registers */
	fence
	fence	r, w
	fence.tso
	.word	0x0100000f		/* pause */
	.word	0x0000000f		/* empty sets */
	.word	0x7ff0000f		/* reserved mode */
	.word	0x0ff5058f		/* reserved registers */
	EQ	a0, 0x1234
	EQ	a1, -5

	CASE	5			/* fence.i, with its reserved fields set */
	fence.i
	.word	0x7ff5158f
	EQ	a1, -5

	CASE	6			/* everything in U-mode as well */
	.irp word, 0x0ff0000f, 0x0100000f, 0x0000100f, 0x8330000f
	TRY	U, .word \word
	OK	U
	.endr
	ret
