/* SPDX-License-Identifier: Apache-2.0 */
/* Both harts do random accesses of all kinds to eight lines, and to others of the same
 * sets, so that the L1Ds evict them. Lockstep compares every value; the program itself
 * checks only that nothing stops.
 *
 * With COPIES, a quarter of them are copies of up to 511 bytes within these lines.
 *
 * s2: random state; s3: the lines; t2: the address; t3: data; s5: a sum of what was read.
 * s6: the operations. */
#ifdef COPIES
#include "copy.h"
#endif
#include "smp.h"

#ifndef SEED
#define SEED 1
#endif

/* An operation has 64 bytes. */
#define OPERATION(code...)                                                               \
	.balign	64;                                                                      \
	code;                                                                            \
	j	next

	.globl	test
	.option	norvc
test:
	li	s2, 0x9e3779b97f4a7c15
	li	t0, SEED
	slli	t0, t0, 1
	add	t0, t0, s0
	addi	t0, t0, 1
	mul	s2, s2, t0
	la	s3, lines
	la	s6, operations
	li	s5, 0
	slli	s1, s1, 2
round:
	slli	t0, s2, 13
	xor	s2, s2, t0
	srli	t0, s2, 7
	xor	s2, s2, t0
	slli	t0, s2, 17
	xor	s2, s2, t0
	srli	t2, s2, 20
	andi	t2, t2, 0x1f8		/* one of 64 words */
	add	t2, t2, s3
	mul	t3, s2, s1
#ifdef COPIES
	srli	t0, s2, 61
	andi	t0, t0, 3
	beqz	t0, copies
#endif
	srli	t0, s2, 40
	andi	t0, t0, 31
	slli	t0, t0, 6
	add	t0, t0, s6
	jr	t0
next:
	add	s5, s5, t4
	addi	s1, s1, -1
	bnez	s1, round
	ret

#ifdef COPIES
copies:
	srli	t2, s2, 10		/* the destination, of which one in two may cross a page */
	andi	t0, t2, 0x1ff
	andi	t2, t2, 0x200
	sub	t0, t0, t2
	add	t0, t0, s3
	add	t0, t0, t2
	add	t0, t0, t2
	srli	t1, s2, 30
	andi	t1, t1, 0x1ff
	add	t1, t1, s3
	srli	t4, s2, 44
	andi	t4, t4, 0x1ff
	cpy	t4, t0, t1
	j	next
#endif

	.balign	64
operations:
	OPERATION(ld t4, 0(t2))
	OPERATION(ld t4, 0(t2))
	OPERATION(lw t4, 4(t2))
	OPERATION(lhu t4, 2(t2))
	OPERATION(lb t4, 5(t2))
	OPERATION(sd t3, 0(t2))
	OPERATION(sd t3, 0(t2); ld t4, 0(t2))
	OPERATION(sw t3, 4(t2))
	OPERATION(sh t3, 6(t2))
	OPERATION(sb t3, 1(t2))
	OPERATION(sb t3, 7(t2); ld t4, 0(t2))
	OPERATION(amoadd.d t4, t3, (t2))
	OPERATION(amoswap.d t4, t3, (t2))
	OPERATION(amoxor.w t4, t3, (t2))
	OPERATION(amomax.d t4, t3, (t2))
	OPERATION(amominu.w t4, t3, (t2); amoor.d t5, t4, (t2))
	OPERATION(lr.d t4, (t2); add t4, t4, t3; sc.d t4, t4, (t2))
	OPERATION(lr.w t4, (t2); add t4, t4, t3; sc.w t4, t4, (t2))
	OPERATION(lr.d t4, (t2))
	OPERATION(sc.d t4, t3, (t2))
	OPERATION(lr.d t4, (t2); ld t5, 64(t2); ld t6, 128(t2); mul t5, t5, t6; sc.d t4, t5, (t2))
	OPERATION(1: lr.d t4, (t2); addi t4, t4, 1; sc.d t5, t4, (t2); bnez t5, 1b)
	OPERATION(lr.w t4, (t2); sd t3, 0(t2); sc.w t4, t3, (t2))
	OPERATION(fence; ld t4, 0(t2))
	OPERATION(li t0, 4096; add t0, t2, t0; ld t4, 0(t0))
	OPERATION(li t0, 8192; add t0, t2, t0; sd t3, 0(t0))
	OPERATION(li t0, 12288; add t0, t2, t0; ld t4, 0(t0))
	OPERATION(li t0, 16384; add t0, t2, t0; amoadd.d t4, t3, (t0))
	OPERATION(lr.d t4, (t2); li t0, 4096; add t0, t2, t0; ld t5, 0(t0); add t0, t0, t0; sub t0, t0, t2; ld t5, 0(t0); sc.d t4, t5, (t2))
	OPERATION(fence.i)
	OPERATION(ld t4, 0(t2); ld t5, 256(t2); sd t4, 256(t2); sd t5, 0(t2))
	OPERATION(div t4, t3, s2; sd t4, 0(t2))

	.bss
	.balign	4096
lines:
	.skip	32768
