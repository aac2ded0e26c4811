/* SPDX-License-Identifier: Apache-2.0 */
/* Hart 0 overwrites a function while hart 1 calls it, which executes fence.i only from time
 * to time: in between it may execute the old function. */
#include "smp.h"

	.globl	test
test:
	mv	s9, ra
	la	s2, function
	srli	s1, s1, 3
	li	s4, 0
round:
	addi	s4, s4, 1
	bnez	s0, executes
	andi	t0, s4, 0x7ff
	slli	t0, t0, 20
	li	t1, 0x513	/* li a0, the round */
	or	s6, t0, t1
	BARRIER
	sw	s6, 0(s2)
	jalr	s2
	BARRIER
	bne	s4, s1, round
	j	done
executes:
	BARRIER
	li	s5, 8
again:
	jalr	s2
	addi	s5, s5, -1
	bnez	s5, again
	BARRIER
	fence.i
	jalr	s2
	andi	t0, s4, 0x7ff
	slli	t0, t0, 52
	srai	t0, t0, 52
	bne	a0, t0, wrong
	bne	s4, s1, round
done:
	mv	ra, s9
	ret
wrong:
	FAIL(1)

	.balign	64
function:
	.option	norvc
	li	a0, 0
	ret
	.balign	64
