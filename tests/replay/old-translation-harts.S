/* SPDX-License-Identifier: Apache-2.0 */
/* Hart 0 maps a page here and there while hart 1 loads, stores and executes in it, which
 * executes sfence.vma only from time to time: in between it may use the old mapping. In
 * some rounds hart 1 has nothing from the table, and hart 0 uses the old mapping; in some
 * hart 1 has it anew each time. */
#include "smp.h"

#define VA	  0x40025000	/* page 37 of the table */
#define RWX	  0xcf
#define MPP_S	  (1 << 11)
#define MPP	  (3 << 11)
#define MPRV	  (1 << 17)

/* Hart 1, in M: an access as S. Clobbers t0. */
.macro AS_S insn:vararg
	li	t0, MPRV
	csrs	mstatus, t0
	\insn
	csrc	mstatus, t0
.endm

	.globl	test
test:
	mv	s9, ra
	srli	s1, s1, 3
	li	s4, 0
	li	s2, VA
	la	s3, table + 8 * 37
	la	t0, called
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	li	t0, MPP
	csrc	mstatus, t0
	li	t0, MPP_S
	csrs	mstatus, t0
	bnez	s0, 1f
	/* Both pages: their number, a count of stores, and code that returns it. */
	la	t0, pages
	la	t1, codes
	li	t3, 4096
	add	t3, t0, t3
	li	t2, 1
	sd	t2, 0(t0)
	ld	t2, 0(t1)
	sd	t2, 64(t0)
	li	t2, 2
	sd	t2, 0(t3)
	ld	t2, 8(t1)
	sd	t2, 64(t3)
	la	t0, root
	la	t1, middle
	srli	t2, t1, 2
	ori	t2, t2, 1
	sd	t2, 8(t0)
	la	t0, table
	srli	t2, t0, 2
	ori	t2, t2, 1
	sd	t2, 0(t1)
1:	la	t0, root
	srli	t0, t0, 12
	li	t1, 8 << 60
	or	t0, t0, t1
	csrw	satp, t0
	fence.i
round:
	addi	s4, s4, 1
	andi	s5, s4, 1		/* the page from now on */
	la	s6, pages
	slli	t1, s5, 12
	add	s6, s6, t1
	addi	s5, s5, 1
	bnez	s0, uses
	srli	t0, s6, 2
	ori	t0, t0, RWX
	BARRIER
	li	t1, 1
	beq	s4, t1, 1f		/* nothing is mapped before */
	AS_S	ld a1, 0(s2)
1:	andi	t1, s4, 127		/* at another place of what hart 1 does */
2:	addi	t1, t1, -1
	bgez	t1, 2b
	srli	t0, s6, 2
	ori	t0, t0, RWX
	sd	zero, 8(s3)
	sd	t0, 0(s3)
	li	t1, 1
	beq	s4, t1, 1f
	AS_S	ld a1, 0(s2)
	li	t1, 1
	beq	a1, t1, 1f		/* so the trace has what was loaded */
	nop
1:	sfence.vma
	BARRIER
	BARRIER
	bne	s4, s1, round
	j	done
uses:
	li	t2, 1
	beq	s4, t2, 2f		/* nothing is mapped before */
	andi	t2, s4, 3
	beqz	t2, 2f
	BARRIER
	li	s7, 8
1:	andi	t2, s4, 2
	beqz	t2, 4f
	sfence.vma			/* walks while hart 0 stores */
4:	AS_S	ld a1, 0(s2)
	bne	a1, s5, 5f		/* so the trace has what was loaded */
	nop
5:	AS_S	ld a2, 8(s2)
	addi	a2, a2, 1
	AS_S	sd a2, 8(s2)
	jal	a5, call
	addi	s7, s7, -1
	bnez	s7, 1b
	BARRIER
	j	3f
2:	sfence.vma
	BARRIER
	BARRIER
3:	sfence.vma
	AS_S	ld a1, 0(s2)
	bne	a1, s5, wrong
	jal	a5, call
	bne	a1, s5, wrong
	BARRIER
	bne	s4, s1, round
	/* All stores are in one of the pages. */
	la	t0, pages
	li	t1, 4096
	add	t1, t0, t1
	ld	a2, 8(t0)
	ld	a3, 8(t1)
	add	a2, a2, a3
	addi	t2, s1, -1
	slli	t2, t2, 3
	bgt	a2, t2, wrong
	beqz	a2, wrong
done:
	mv	ra, s9
	ret
wrong:
	FAIL(1)

/* Executes the code of the page in S; returns to a5 with its number in a1. */
call:
	addi	t0, s2, 64
	csrw	mepc, t0
	mret
	.balign	4
called:
	csrr	t0, mcause
	addi	t0, t0, -9
	bnez	t0, wrong
	li	t0, MPP
	csrc	mstatus, t0
	li	t0, MPP_S
	csrs	mstatus, t0
	jr	a5

	.balign	8
	.option	norvc
codes:	li	a1, 1
	ecall
	li	a1, 2
	ecall

	.bss
	.balign	4096
root:	.skip	4096
middle:	.skip	4096
table:	.skip	4096
pages:	.skip	8192
