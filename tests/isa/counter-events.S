/* SPDX-License-Identifier: Apache-2.0 */
/* The meaning of events that cores share, checked with code whose count is known. */
#include "test.h"
#include "counts.h"

	.globl	test
	.option	norvc
test:
	mv	s11, ra
	la	s10, data
	COUNTS_EVENTS
	COUNTS	0, 0, 1, "la s1, 2f; li s6, 3; ecall; 2:"
	COUNTS	0, 1, 3, "ld a2, (s10); lb a2, 3(s10); lwu a2, 4(s10); sd a2, (s10); lr.d a2, (s10)"
	COUNTS	0, 2, 2, "ld a2, (s10); sb a2, 3(s10); sd a2, 8(s10); amoor.w a2, a2, (s10)"
	COUNTS	0, 3, 3, "lr.d a2, (s10); sc.d a2, a2, (s10); amoadd.w a2, a2, (s10); ld a2, (s10)"
	COUNTS	0, 4, 4, "csrr a2, mscratch; csrwi mscratch, 1; fence.i; add a2, a2, a2"
	COUNTS	0, 5, 5, "add a2, a2, a2; lui a2, 3; auipc a3, 4; fence; sraiw a3, a3, 3; mul a3, a3, a3"
	COUNTS	0, 6, 2, "beq a2, a2, 2f; 2: bne a2, a2, 2f; 2: j 2f; 2: add a2, a2, a2"
	COUNTS	0, 7, 3, "j 2f; 2: j 2f; 2: jal a2, 2f; 2: la a2, 2f; jr a2; 2: nop"
	COUNTS	0, 8, 2, "j 2f; 2: la a2, 2f; jr a2; 2: la a2, 2f; jr a2; 2: nop"
	COUNTS	0, 9, 2, "mul a2, a3, a4; mulhu a2, a3, a4; div a2, a3, a4; add a2, a3, a4"
	COUNTS	0, 10, 3, "mul a2, a3, a4; div a2, a3, a4; rem a2, a3, a4; divuw a2, a3, a4"
	COUNTS	1, 5, 1, "nop; nop; andi a2, s9, 1; beqz a2, 2f; nop; 2: nop"
	COUNTS	1, 6, 0, "nop; nop; andi a2, s9, 1; beqz a2, 2f; nop; 2: nop"
	COUNTS	1, 6, 1, "nop; nop; la a2, 2f; slli a3, s9, 2; add a2, a2, a3; jr a2; 2: nop; nop; nop"
	COUNTS	1, 7, 3, "nop; nop; fence.i; sfence.vma; csrw satp, zero; csrw mscratch, zero"
	COUNTS	2, 0, 1, "nop; nop; la a2, lines; slli a3, s9, 6; add a2, a2, a3; jalr a4, a2"
	COUNTS	2, 1, 1, "nop; nop; slli a3, s9, 6; add a3, s10, a3; ld a2, 8(a3)"
	COUNTS	2, 4, 1, "nop; nop; slli a3, s9, 12; add a3, s10, a3; ld a2, (a3)"
	COUNTS	3, 3, 2, "fence.i; sfence.vma; csrw satp, zero"
	jr	s11

	.balign	64
lines:	.rept	3
	jr	a4
	.balign	64
	.endr

	.bss
	.balign	4096
data:	.skip	3 * 4096
