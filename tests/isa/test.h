/* SPDX-License-Identifier: Apache-2.0 */
/* Macros of the self-checking programs: cases, expected traps, page tables.
 *
 * A program defines `test`, called in M-mode with the PMP open (entry 7) and no
 * delegation. Returning passes; a failed check powers off with the number of
 * the case (1 to 255) as its status. gp holds that number; s1 to s8 belong to
 * the macros, everything else to the program.
 *
 *	CASE 3				number the checks that follow
 *	TRY S, csrr a0, mstatus		run it in S, then ecall; back in M
 *	WANT ILLEGAL			cause, epc and that M-mode took it
 *	TVAL 0x30002573			mtval (or stval after WANT_S)
 *	OK S				it did not trap
 */
#ifndef TEST_H
#define TEST_H

#include "soc.h"

#define U 0
#define S 1
#define M 3

#define FETCH_ACCESS	 1
#define ILLEGAL		 2
#define BREAKPOINT	 3
#define LOAD_MISALIGNED	 4
#define LOAD_ACCESS	 5
#define STORE_MISALIGNED 6
#define STORE_ACCESS	 7
#define ECALL_U		 8
#define ECALL_S		 9
#define ECALL_M		 11
#define FETCH_PAGE	 12
#define LOAD_PAGE	 13
#define STORE_PAGE	 15
#define IRQ		 0x8000000000000000
#define SSI		 1
#define MSI		 3
#define STI		 5
#define MTI		 7
#define SEI		 9
#define MEI		 11

#define MSTATUS_SIE  (1 << 1)
#define MSTATUS_MIE  (1 << 3)
#define MSTATUS_SPIE (1 << 5)
#define MSTATUS_MPIE (1 << 7)
#define MSTATUS_SPP  (1 << 8)
#define MSTATUS_MPP  (3 << 11)
#define MSTATUS_MPRV (1 << 17)
#define MSTATUS_SUM  (1 << 18)
#define MSTATUS_MXR  (1 << 19)
#define MSTATUS_TVM  (1 << 20)
#define MSTATUS_TW   (1 << 21)
#define MSTATUS_TSR  (1 << 22)

/* Page-table entry bits. */
#define V   0x01
#define R   0x02
#define W   0x04
#define X   0x08
#define PU  0x10
#define G   0x20
#define A   0x40
#define D   0x80
#define RWX (V | R | W | X | A | D)

/* After vm_on: RAM is mapped at its address for S and at +USER_ALIAS for U;
 * the 512 small pages from TEST_VA are vm_l0's, for the program to fill. */
#define USER_ALIAS 0x40000000
#define TEST_VA	   0x40000000
#define SATP_SV39  (8 << 60)

/* An unmapped physical address, just after RAM. */
#define HOLE (SOC_RAM_BASE + SOC_RAM_DEFAULT_SIZE)

.macro CASE n
	li	gp, \n
.endm

.macro EQ reg, value
	li	s8, \value
	beq	\reg, s8, 700f
	j	fail
700:
.endm

.macro EQ_REG reg, other
	beq	\reg, \other, 700f
	j	fail
700:
.endm

/* Runs one instruction in a mode, at its own address plus s7. */
.macro TRY_AT mode, insn:vararg
	li	s6, 0
	li	s1, MSTATUS_MPP
	csrc	mstatus, s1
	li	s1, \mode << 11
	csrs	mstatus, s1
	la	s1, 800f
	add	s1, s1, s7
	csrw	mepc, s1
	la	s1, 801f
	mret
	.balign	4
800:	\insn
	ecall
801:
.endm

.macro TRY mode, insn:vararg
	li	s7, 0
	TRY_AT	\mode, \insn
.endm

/* The same under the page table of vm_on. */
.macro TRYV mode, insn:vararg
	li	s7, (1 - ((\mode + 1) / 2)) * USER_ALIAS
	TRY_AT	\mode, \insn
.endm

/* Calls (in a mode) the address in a register; returns here after a fault. */
.macro TRY_JUMP mode, reg
	li	s6, 0
	li	s1, MSTATUS_MPP
	csrc	mstatus, s1
	li	s1, \mode << 11
	csrs	mstatus, s1
	csrw	mepc, \reg
	la	s1, 801f
	mret
801:
.endm

.macro HANDLED_BY mode
	li	s8, \mode
	beq	s6, s8, 700f
	j	fail
700:
.endm

.macro EPC_IS_INSN
	la	s8, 800b
	add	s8, s8, s7
	beq	s3, s8, 700f
	j	fail
700:
.endm

.macro WANT cause
	HANDLED_BY M
	EQ	s2, \cause
	EPC_IS_INSN
.endm

.macro WANT_S cause
	HANDLED_BY S
	EQ	s2, \cause
	EPC_IS_INSN
.endm

.macro OK mode
	HANDLED_BY M
	EQ	s2, (8 + \mode)
.endm

.macro TVAL value
	EQ	s4, \value
.endm

/* Cause, epc and tval after TRY_JUMP; epc and tval are registers. */
.macro WANT_AT cause, epc, tval
	HANDLED_BY M
	EQ	s2, \cause
	EQ_REG	s3, \epc
	EQ_REG	s4, \tval
.endm

.macro VM_ON
	call	vm_on
.endm

/* Runs one instruction in M, with MPRV and this mode in MPP; s6 and s7 are 0 before
 * it. */
.macro AS mode, insn:vararg
	li	a2, MSTATUS_MPP
	csrc	mstatus, a2
	li	a2, (\mode << 11) | MSTATUS_MPRV
	li	s6, 0
	li	s7, 0
	la	s1, 801f
	csrs	mstatus, a2
800:	\insn
801:	li	a2, MSTATUS_MPRV
	csrc	mstatus, a2
.endm

/* Sets small page number idx of TEST_VA to the page of that symbol, with these bits. */
.macro SET_PTE idx, page, bits
	la	t0, \page
	srli	t0, t0, 12
	slli	t0, t0, 10
	li	t1, \bits
	or	t0, t0, t1
	la	t1, vm_l0 + 8 * (\idx)
	sd	t0, 0(t1)
	sfence.vma
.endm

.macro POKE value, address
	li	t0, \value
	li	t1, \address
	sd	t0, 0(t1)
.endm

.macro POKE32 value, address
	li	t0, \value
	li	t1, \address
	sw	t0, 0(t1)
.endm

#endif
