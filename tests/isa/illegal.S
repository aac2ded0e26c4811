/* SPDX-License-Identifier: Apache-2.0 */
/* Reserved 32-bit encodings and instructions of missing extensions are illegal, in M and
 * in U, with the bits in mtval. */
#include "test.h"

	.section .rodata
	.balign	4
words:	/* The number of the case is the row, from 1. */
	.word	0x00003063	/* branch, funct3 3 */
	.word	0x00002063	/* branch, funct3 2 */
	.word	0x00001067	/* jalr, funct3 1 */
	.word	0x00007003	/* load, funct3 7 */
	.word	0x00004023	/* store, funct3 4 */
	.word	0x00007023	/* store, funct3 7 */
	.word	0x04001013	/* slli, funct6 1 */
	.word	0x80005013	/* srli, funct6 0x20 */
	.word	0x44005013	/* srai, funct6 0x11 */
	.word	0x0200101b	/* slliw, shamt 32 */
	.word	0x0200501b	/* srliw, shamt 32 */
	.word	0x4200501b	/* sraiw, shamt 32 */
	.word	0x0000201b	/* op-imm-32, funct3 2 */
	.word	0x0000401b
	.word	0x04000033	/* op, funct7 2 */
	.word	0x40001033	/* op, funct7 0x20 with sll */
	.word	0x40007033	/* andn is not implemented */
	.word	0x80000033
	.word	0x0000203b	/* op-32, funct3 2 */
	.word	0x0200103b	/* mulw's family, funct3 1 */
	.word	0x4000103b	/* op-32, funct7 0x20 with sllw */
	.word	0x0800003b	/* add.uw is not implemented */
	.word	0x0000002f	/* amo, width 0 */
	.word	0x0000102f
	.word	0x0000402f
	.word	0x1010202f	/* lr.w with rs2 */
	.word	0x1010302f	/* lr.d with rs2 */
	.word	0x2800202f	/* amo, funct5 5 */
	.word	0x4800202f	/* amo, funct5 9 */
	.word	0xf800302f	/* amo, funct5 31 */
	.word	0x0000200f	/* misc-mem, funct3 2: no cache-block operations */
	.word	0x0000700f
	.word	0x00004073	/* system, funct3 4 */
	.word	0x00200073	/* uret */
	.word	0x7b200073	/* dret */
	.word	0x10200173	/* sret with rd */
	.word	0x30208073	/* mret with rs1 */
	.word	0x105000f3	/* wfi with rd */
	.word	0x120000f3	/* sfence.vma with rd */
	.word	0x16000073	/* sinval.vma is not implemented */
	.word	0x22000073	/* hfence.bvma */
	.word	0x62000073	/* hfence.gvma */
	.word	0x00002007	/* flw */
	.word	0x00003007	/* fld */
	.word	0x00002027	/* fsw */
	.word	0x00003027	/* fsd */
	.word	0x02007007	/* vle64.v */
	.word	0x00000043	/* fmadd.s */
	.word	0x02000047	/* fmsub.d */
	.word	0x0000004b
	.word	0x0000004f
	.word	0x00000053	/* fadd.s */
	.word	0xf2000053	/* fmv.d.x */
	.word	0x00000057	/* vadd.vv */
	.word	0x0000000b	/* custom-0 */
	.word	0x0000002b	/* custom-1 */
	.word	0x0000005b	/* custom-2 */
	.word	0x0000007b	/* custom-3 */
	.word	0x0000006b
	.word	0x00000077
	.word	0x0000001f	/* longer than 32 bits */
	.word	0x0000003f
	.word	0x0000007f
	.word	0xffffffff
words_end:

	.text
	.globl	test
test:
	la	s9, words
	la	a0, code
	li	gp, 0
1:	addi	gp, gp, 1
	lwu	a1, 0(s9)
	sw	a1, 0(a0)
	fence.i
	TRY_JUMP M, a0
	WANT_AT	ILLEGAL, a0, a1
	TRY_JUMP U, a0
	WANT_AT	ILLEGAL, a0, a1
	addi	s9, s9, 4
	la	a2, words_end
	bne	s9, a2, 1b
	addi	gp, gp, 1		/* immediately after a load */
	mv	s10, ra
	la	a0, behind
	addi	a2, a0, 4
	lwu	a1, 4(a0)
	TRY_JUMP M, a0
	WANT_AT	ILLEGAL, a2, a1
	mv	ra, s10
	ret

	.balign	4
code:	.word	0
	ecall
	.balign	8
behind:	ld	ra, 0(a0)
	.word	0xffffffff
	ecall
