/* SPDX-License-Identifier: Apache-2.0 */
/* Hart 1 sleeps in WFI while hart 0 takes lines from it, and then wakes it: its mcycle, which
 * began with that of hart 0, has counted on. Hart 1 prints the sum of what each wake-up took
 * and its cycles that waited for the L1D (mhpmcounter3): simulations of the same cycles print
 * the same. */
#include "smp.h"

#define DCACHE_BLOCKED (1 << (8 + 4) | 1)
#define LINES 16

	.globl	test
test:
	mv	s9, ra
	li	t0, DCACHE_BLOCKED
	csrw	mhpmevent3, t0
	csrw	mhpmcounter3, zero
	li	t0, 8			/* software interrupts end WFI, and do not trap */
	csrw	mie, t0
	li	s3, SOC_CLINT_BASE	/* msip of hart 1 */
	addi	s3, s3, 4
	la	s4, lines
	la	s5, ready
	la	s6, when
	srli	s1, s1, 3
	li	s2, 0
	BARRIER
round:
	beqz	s0, work

	mv	t0, s4
	li	t1, LINES
1:	sd	s1, 0(t0)
	addi	t0, t0, 64
	addi	t1, t1, -1
	bnez	t1, 1b
	fence
	sd	s1, 0(s5)
2:	wfi
	csrr	t0, mip
	andi	t0, t0, 8
	beqz	t0, 2b
	csrr	t0, mcycle
	sw	zero, 0(s3)
	ld	t1, 0(s6)
	sub	t0, t0, t1
	blez	t0, early
	li	t1, 500
	bgt	t0, t1, late
	add	s2, s2, t0
	j	next

work:
	ld	t0, 0(s5)
	bne	t0, s1, work
	andi	t1, s1, 63		/* a different time in each round */
3:	addi	t1, t1, -1
	bgez	t1, 3b
	andi	t1, s1, LINES - 1	/* some of the lines */
	mv	t0, s4
4:	ld	t2, 0(t0)
	bne	t2, s1, stale
	addi	t2, t2, 1
	sd	t2, 0(t0)
	addi	t0, t0, 64
	addi	t1, t1, -1
	bgez	t1, 4b
	fence
	li	t0, 1
	csrr	t1, mcycle
	sd	t1, 0(s6)
	fence
	sw	t0, 0(s3)
next:
	addi	s1, s1, -1
	bnez	s1, round

	csrw	mie, zero
	beqz	s0, 5f
	mv	a0, s2
	call	print
	csrr	a0, mhpmcounter3
	call	print
5:	mv	ra, s9
	ret
early:
	FAIL(1)
late:
	FAIL(2)
stale:
	FAIL(3)

	/* Prints a0 in hexadecimal. */
print:
	li	t0, SOC_UART_BASE
	li	t1, 60
1:	lbu	t2, 5(t0)		/* LSR: the transmitter is empty */
	andi	t2, t2, 0x20
	beqz	t2, 1b
	srl	t2, a0, t1
	andi	t2, t2, 15
	la	t3, digits
	add	t3, t3, t2
	lbu	t3, 0(t3)
	sb	t3, 0(t0)
	addi	t1, t1, -4
	bgez	t1, 1b
2:	lbu	t2, 5(t0)
	andi	t2, t2, 0x20
	beqz	t2, 2b
	li	t3, 10
	sb	t3, 0(t0)
	ret

	.section .rodata
digits:
	.ascii	"0123456789abcdef"

	.data
VARIABLE(ready)
VARIABLE(when)
	.balign	64
lines:
	.skip	64 * LINES
