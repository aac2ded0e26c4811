/* SPDX-License-Identifier: Apache-2.0 */
/* Four slots of dispatch in each cycle: each is one of dispatched, fetch_stall, recovery and
 * backend_stall. Instructions: what commits has been dispatched, and is of one kind. */
#include "test.h"
#include "counts.h"

#define SLOTS_OF(bit) EVENT(3, bit)
#define DISPATCHED 4
#define BACKEND	   5
#define LATENCY	   6
#define REFETCH	   7

/* Runs code twice; of the slots of the second time in which nothing is dispatched, at least five
 * of eight are counted by a0 + which: 1 fetch_stall, 2 recovery, 3 backend_stall. */
.macro MOSTLY number, which, code
	CASE	\number
	li	s9, 2
7\@:	RESET_COUNTS
	call	\code
	READ_COUNTS
	addi	s9, s9, -1
	bnez	s9, 7\@b
	add	t0, a1, a2
	add	t0, t0, a3
	slli	t1, t0, 2
	add	t0, t1, t0
	slli	t2, a\which, 3
	bgeu	t2, t0, 7\@f
	j	fail
7\@:
.endm

.macro RESET_COUNTS
	li	a0, -1
	csrw	mcountinhibit, a0
	.irp	n, 3, 4, 5, 6, 7, 8
	csrw	mhpmcounter\n, zero
	.endr
	csrw	mcycle, zero
	csrw	minstret, zero
	csrw	mcountinhibit, zero
.endm

.macro READ_COUNTS
	li	a0, -1
	csrw	mcountinhibit, a0
	csrr	a0, mhpmcounter3
	csrr	a1, mhpmcounter4
	csrr	a2, mhpmcounter5
	csrr	a3, mhpmcounter6
	csrr	a4, mhpmcounter7
	csrr	a5, mhpmcounter8
	csrr	a6, mcycle
	csrr	a7, minstret
.endm

	.globl	test
test:
	mv	s11, ra
	la	s10, data
	COUNTS_EVENTS
	li	a0, SLOTS_OF(DISPATCHED)
	csrw	mhpmevent3, a0
	li	a0, SLOTS_OF(1)
	csrw	mhpmevent4, a0
	li	a0, SLOTS_OF(2)
	csrw	mhpmevent5, a0
	li	a0, SLOTS_OF(BACKEND)
	csrw	mhpmevent6, a0
	li	a0, SLOTS_OF(LATENCY)
	csrw	mhpmevent7, a0
	li	a0, 0x3fffe00		/* the mix, but for exceptions */
	csrw	mhpmevent8, a0
	li	s9, 3			/* cold, then warm */
again:
	RESET_COUNTS
	call	work
	READ_COUNTS
	CASE	1
	add	t0, a0, a1
	add	t0, t0, a2
	add	t0, t0, a3
	slli	t1, a6, 2
	EQ_REG	t0, t1
	CASE	2			/* also those of a wrong path */
	bltu	a7, a0, 1f
	j	fail
1:	CASE	3			/* latency is a part of fetch_stall */
	bgeu	a1, a4, 1f
	j	fail
1:	CASE	4
	EQ_REG	a5, a7
	CASE	5			/* all occur */
	beqz	a1, fail
	beqz	a2, fail
	beqz	a3, fail
	addi	s9, s9, -1
	bnez	s9, again
	MOSTLY	6, 1, jumps
	MOSTLY	7, 2, returns
	MOSTLY	8, 3, alone
	li	a0, SLOTS_OF(REFETCH)
	csrw	mhpmevent7, a0
	RESET_COUNTS
	call	fences
	READ_COUNTS
	CASE	9			/* recovery that waits for lines is a part of it, here three of four */
	bgeu	a2, a4, 1f
	j	fail
1:	slli	t0, a4, 2
	slli	t1, a2, 1
	add	t1, t1, a2
	bgeu	t0, t1, 1f
	j	fail
1:	call	returns
	RESET_COUNTS
	call	returns
	READ_COUNTS
	CASE	10			/* none where all lines are there */
	beqz	a2, fail
	bnez	a4, fail
	CASE	11			/* what issues: each instruction at least once */
	li	a0, -1
	csrw	mcountinhibit, a0
	li	a1, EVENT(3, 0)
	csrw	mhpmevent4, a1
	csrw	mhpmcounter3, zero
	csrw	mhpmcounter4, zero
	csrw	minstret, zero
	csrw	mcountinhibit, zero
	call	work
	li	a0, -1
	csrw	mcountinhibit, a0
	csrr	a0, mhpmcounter4
	csrr	a1, minstret
	bgeu	a0, a1, 1f
	j	fail
1:	csrw	mcountinhibit, zero
	jr	s11

	.option	norvc
	.balign	32
	.skip	8
jumps:
	.rept	64
	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1
	j	1f
	.balign	32
	.skip	8
1:
	.endr
	ret

/* To another place than behind their call. */
returns:
	mv	s5, ra
	.balign	16
	.rept	64
	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1
	jal	1f
1:	jr	16(ra)
	.balign	16
	.endr
	jr	s5

alone:
	.rept	64
	csrr	t0, mscratch
	.endr
	ret

/* Each empties the L1I. */
fences:
	.rept	32
	fence.i
	.endr
	ret

/* Branches that are mispredicted, loads and stores that miss, a division, a fence, a trap. */
work:
	mv	s5, ra
	li	t0, 200
	li	t1, 12345
	li	t3, 1103515245
1:	mul	t1, t1, t3
	addi	t1, t1, 1234
	srli	t2, t1, 30
	andi	t4, t2, 1
	beqz	t4, 2f
	addi	t5, t5, 1
	xor	t5, t5, t2
2:	andi	t4, t2, 0x7f8
	add	t4, t4, s10
	sd	t5, (t4)
	ld	t6, 8(t4)
	divu	t6, t6, t3
	amoadd.d t6, t5, (t4)
	andi	t4, t0, 63
	bnez	t4, 3f
	fence.i
3:	addi	t0, t0, -1
	bnez	t0, 1b
	la	s1, 4f
	li	s6, 3			/* the recorder then only jumps */
	ecall
4:	jr	s5

	.bss
	.balign	64
data:	.skip	4096
