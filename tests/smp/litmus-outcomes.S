/* SPDX-License-Identifier: Apache-2.0 */
/* The six litmus tests of two harts with two accesses each: of the four outcomes of each, three
 * are sequentially consistent and must occur, the fourth must not. The counts are printed,
 * the forbidden one in brackets.
 *
 * A batch has 32 instances of a test, each with variables of its own, X and Y, which the harts
 * pass with random delays and no barrier in between. Hart h writes s9 + h, which grows.
 *
 * s2: random state; s3: the results of the hart; s4: its value; s5: batches left; s6: counts;
 * s9: the value of hart 0, and what is read is new from there on. Of an instance, t2: X, with
 * Y 64 bytes behind it; t3 and t4: what the hart has read; t5: its results. */
#include "smp.h"

#define BATCH	32
/* Outcomes that need the harts within a few cycles of each other are rare. */
#if ROUNDS < 8000
#define BATCHES 250
#else
#define BATCHES ((ROUNDS + BATCH - 1) / BATCH)
#endif

/* Waits for a random time, of so many bits. */
	.macro delay bits
	slli	t0, s2, 13
	xor	s2, s2, t0
	srli	t0, s2, 7
	xor	s2, s2, t0
	slli	t0, s2, 17
	xor	s2, s2, t0
	srli	t0, s2, 64 - \bits
9:	addi	t0, t0, -1
	bgez	t0, 9b
	.endm

/* What a hart does. */
	.macro instances first, second
	la	t2, variables
	mv	t5, s3
	li	t6, BATCH
	delay	7		/* or the hart that comes to the barrier last is ahead */
1:	delay	4
	li	t3, 0
	li	t4, 0
	\first
	\second
	sd	t3, 0(t5)
	sd	t4, 8(t5)
	addi	t2, t2, 128
	addi	t5, t5, 16
	addi	t6, t6, -1
	bnez	t6, 1b
	.endm

/* What was observed, a bit in t0: whether a hart has read the new value, in its first or
 * second access; whether hart 1 was the last to write a variable. */
	.macro new hart, access
	ld	t0, \hart * 16 * BATCH + 8 * \access(t5)
	slt	t0, t0, s9
	xori	t0, t0, 1
	.endm
	.macro last variable
	ld	t0, \variable(t2)
	sub	t0, t0, s9
	.endm

/* One test: the accesses of the harts, and what is observed: two bits, the first is worth 2. */
	.macro litmus name, forbidden, first0, second0, first1, second1, high, low
	li	s5, BATCHES
3:	addi	s9, s9, 2
	add	s4, s9, s0
	BARRIER
	bnez	s0, 4f
	instances "\first0", "\second0"
	j	5f
4:	instances "\first1", "\second1"
5:	BARRIER
	bnez	s0, 7f
	la	t2, variables
	la	t5, results
	li	t6, BATCH
6:	\high
	slli	t1, t0, 4
	\low
	slli	t0, t0, 3
	add	t1, t1, t0
	add	t1, t1, s6
	ld	t0, 0(t1)
	addi	t0, t0, 1
	sd	t0, 0(t1)
	addi	t2, t2, 128
	addi	t5, t5, 16
	addi	t6, t6, -1
	bnez	t6, 6b
7:	addi	s5, s5, -1
	bnez	s5, 3b
	la	a0, 8f
	li	a1, \forbidden
	call	judge
	.section .rodata
8:	.asciz	"\name"
	.text
	.endm

	.globl	test
test:
	mv	s8, ra
	la	s3, results
	li	t0, 16 * BATCH
	mul	t0, t0, s0
	add	s3, s3, t0
	la	s6, counts
	li	s9, 0
	li	s2, 0x9e3779b97f4a7c15
	addi	t0, s0, 3
	mul	s2, s2, t0
	litmus	"MP  ", 2, "sd s4, 0(t2)", "sd s4, 64(t2)", "ld t3, 64(t2)", "ld t4, 0(t2)", "new 1, 0", "new 1, 1"
	litmus	"SB  ", 0, "sd s4, 0(t2)", "ld t3, 64(t2)", "sd s4, 64(t2)", "ld t3, 0(t2)", "new 0, 0", "new 1, 0"
	litmus	"LB  ", 3, "ld t3, 0(t2)", "sd s4, 64(t2)", "ld t3, 64(t2)", "sd s4, 0(t2)", "new 0, 0", "new 1, 0"
	litmus	"R   ", 2, "sd s4, 0(t2)", "sd s4, 64(t2)", "sd s4, 64(t2)", "ld t3, 0(t2)", "last 64", "new 1, 0"
	litmus	"S   ", 2, "sd s4, 0(t2)", "sd s4, 64(t2)", "ld t3, 64(t2)", "sd s4, 0(t2)", "new 1, 0", "last 0"
	litmus	"2+2W", 1, "sd s4, 0(t2)", "sd s4, 64(t2)", "sd s4, 64(t2)", "sd s4, 0(t2)", "last 0", "last 64"
	mv	ra, s8
	ret

/* Prints the counts behind the name at a0, and clears them: that of outcome a1 must be 0, the
 * others not. Only hart 0 has counts. */
judge:
	bnez	s0, 9f
	mv	s7, ra
	li	a4, 0
	li	a6, 0
1:	lbu	t0, 0(a0)
	beqz	t0, 2f
	call	print
	addi	a0, a0, 1
	j	1b
2:	slli	t1, a4, 3
	add	t1, t1, s6
	ld	a3, 0(t1)
	sd	zero, 0(t1)
	seqz	t1, a3		/* did not occur */
	li	t0, ' '
	call	print
	bne	a4, a1, 3f
	xori	t1, t1, 1
	li	t0, '['
	call	print
3:	or	a6, a6, t1
	call	decimal
	bne	a4, a1, 4f
	li	t0, ']'
	call	print
4:	addi	a4, a4, 1
	li	t1, 4
	bne	a4, t1, 2b
	li	t0, '\n'
	call	print
	mv	ra, s7
	bnez	a6, bad
9:	ret
bad:
	FAIL(1)

/* Prints a3. Clobbers a2, t0, t1, t3. */
decimal:
	mv	t3, ra
	li	t1, 10
	addi	sp, sp, -32
	addi	a2, sp, 31
	sb	zero, 0(a2)
1:	remu	t0, a3, t1
	addi	t0, t0, '0'
	addi	a2, a2, -1
	sb	t0, 0(a2)
	divu	a3, a3, t1
	bnez	a3, 1b
2:	lbu	t0, 0(a2)
	beqz	t0, 3f
	call	print
	addi	a2, a2, 1
	j	2b
3:	addi	sp, sp, 32
	mv	ra, t3
	ret
/* Prints the byte t0. Clobbers t2. */
print:
	li	t2, SOC_UART_BASE
	sb	t0, 0(t2)
	ret

	.bss
	.balign	64
variables:
	.skip	128 * BATCH
results:
	.skip	2 * 16 * BATCH
	.balign	64
counts:
	.skip	32
