/* SPDX-License-Identifier: Apache-2.0 */
/* Hart 0 writes to a page-table entry while hart 1 walks by it: the walk goes on with the
 * entry that it read before. No TLB was filled from the page of that entry, which is
 * another one in each round; the place of the store in the walk is another one, too. In
 * odd rounds the walk by the old entry ends with a page fault. */
#include "smp.h"

#define VA	  0x40000000
#define TABLES	  64		/* middle tables */
#define RWX	  0xcf
#define MPP_S	  (1 << 11)
#define MPP	  (3 << 11)
#define MPRV	  (1 << 17)

/* Hart 1, in M: a load as S. Clobbers t0. */
.macro AS_S insn:vararg
	li	t0, MPRV
	csrs	mstatus, t0
	\insn
	csrc	mstatus, t0
.endm

/* reg: the page-table entry of a pointer to the table at reg. */
.macro POINTER reg
	srli	\reg, \reg, 2
	ori	\reg, \reg, 1
.endm

	.globl	test
test:
	mv	s9, ra
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	li	t0, MPP
	csrc	mstatus, t0
	li	t0, MPP_S
	csrs	mstatus, t0
	la	t0, faulted
	csrw	mtvec, t0
	la	t0, root
	srli	t0, t0, 12
	li	t1, 8 << 60
	or	t0, t0, t1
	csrw	satp, t0
	la	s2, root
	la	s3, middles
	la	s4, tables		/* of page 1; behind it, of page 2 */
	li	s5, 0			/* the round */
	li	s6, VA
	mv	s7, s4			/* where the first table has its entry */
	bnez	s0, round
	/* Both pages have their number, and all entries of a table give one page. */
	la	t0, pages
	mv	t1, s4
	li	t2, 1
1:	sd	t2, 0(t0)
	srli	t3, t0, 2
	ori	t3, t3, RWX
	li	t4, 512
2:	sd	t3, 0(t1)
	addi	t1, t1, 8
	addi	t4, t4, -1
	bnez	t4, 2b
	li	t4, 4096
	add	t0, t0, t4
	addi	t2, t2, 1
	li	t4, 3
	bne	t2, t4, 1b
round:
	/* The middle table of this round has the table of page 1. */
	bnez	s0, 1f
	mv	t0, s4
	POINTER	t0
	sd	t0, 0(s3)
	mv	t0, s3
	POINTER	t0
	sd	t0, 8(s2)
	andi	t0, s5, 1
	beqz	t0, 1f
	sd	zero, 0(s7)
1:	BARRIER
	bnez	s0, walks
	li	t0, 4096
	add	t0, t0, s4
	POINTER	t0
	li	t2, 3
	mul	t1, s5, t2
	srli	t1, t1, 1
2:	addi	t1, t1, -1
	bgez	t1, 2b
	sd	t0, 0(s3)
	BARRIER
	j	next
walks:
	sfence.vma
	AS_S	ld a1, 0(s6)
loaded:	li	t2, 2
	andi	t0, s5, 1
	bnez	t0, 2f
	AS_S	ld a2, 0(s6)
	bne	a1, a2, wrong		/* by the entry that the first one has filled */
2:	beq	a1, t2, 3f		/* so the trace has what was loaded */
	addi	a1, a1, 1
3:	bne	a1, t2, wrong
	BARRIER
	sfence.vma
	AS_S	ld a1, 0(s6)
	bne	a1, t2, wrong
next:
	BARRIER
	li	t0, 4096
	add	s3, s3, t0
	li	t0, 7 * 4096
	add	s6, s6, t0		/* of which no TLB has had an entry yet */
	addi	s7, s7, 7 * 8
	addi	s5, s5, 1
	li	t0, TABLES
	bne	s5, t0, round
	mv	ra, s9
	ret
wrong:
	FAIL(1)

	.balign	4
faulted:
	csrr	t0, mcause
	addi	t0, t0, -13
	bnez	t0, wrong
	li	t0, MPP | MPRV
	csrc	mstatus, t0
	li	t0, MPP_S
	csrs	mstatus, t0
	li	a1, 1
	j	loaded

	.bss
	.balign	4096
root:	.skip	4096
tables:	.skip	8192
pages:	.skip	8192
middles: .skip	4096 * TABLES
