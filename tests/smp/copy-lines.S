/* SPDX-License-Identifier: Apache-2.0 */
/* Both harts copy to the same lines at once, at changing places, which overlap in part. Each
 * byte is then that of a hart that copied to it; the others are unchanged.
 *
 * s2: the lines; s3: the round; s4, s5: place and length of hart 0, s6, s7: of hart 1; s8: the
 * hart's source. */
#include "copy.h"
#include "smp.h"

#define BYTES 640

	.globl	test
test:
	mv	s9, ra
	la	s2, shared
	la	s8, sources
	slli	t0, s0, 9
	add	s8, s8, t0
	srli	s3, s1, 3
	addi	s3, s3, 1
round:
	andi	s4, s3, 63		/* places and lengths */
	srli	s5, s3, 1
	andi	s5, s5, 127
	addi	s5, s5, 190
	li	t0, 7
	mul	s6, s3, t0
	andi	s6, s6, 63
	addi	s6, s6, 128
	li	s7, 300
	call	value
	li	t2, 0x0101010101010101
	mul	t1, t1, t2
	mv	t0, s8			/* the source */
	addi	t2, s8, 448
1:	sd	t1, (t0)
	addi	t0, t0, 8
	bne	t0, t2, 1b
	bnez	s0, 3f
	mv	t0, s2			/* hart 0 clears the lines */
	addi	t2, s2, BYTES
2:	sd	zero, (t0)
	addi	t0, t0, 8
	bne	t0, t2, 2b
3:	BARRIER
	mv	a0, s4
	mv	a2, s5
	beqz	s0, 4f
	mv	a0, s6
	mv	a2, s7
4:	mv	t3, a2
	add	a0, a0, s2
	andi	a1, s3, 15
	add	a1, a1, s8
	cpy	a2, a0, a1
	bne	a2, t3, short
	BARRIER
	bnez	s0, 8f
	call	value
	li	t2, 0			/* hart 0 checks all bytes */
5:	add	t0, s2, t2
	lbu	t0, (t0)
	sub	t3, t2, s4
	sltu	t3, t3, s5		/* hart 0 has copied to it */
	sub	t4, t2, s6
	sltu	t4, t4, s7		/* hart 1 has */
	beqz	t3, 6f
	beq	t0, t1, 7f
6:	addi	t5, t1, 128
	beqz	t4, 6f
	beq	t0, t5, 7f
6:	or	t3, t3, t4
	bnez	t3, foreign
	bnez	t0, beyond
7:	addi	t2, t2, 1
	li	t0, BYTES
	bne	t2, t0, 5b
8:	BARRIER
	addi	s3, s3, -1
	bnez	s3, round
	mv	ra, s9
	ret
short:
	FAIL(1)
foreign:
	FAIL(2)
beyond:
	FAIL(3)

	/* t1: the byte of this hart in this round, which is not 0. */
value:
	andi	t1, s3, 63
	addi	t1, t1, 1
	slli	t0, s0, 7
	or	t1, t1, t0
	ret

	.bss
	.balign	4096
shared:
	.skip	1024
sources:
	.skip	1024
