/* SPDX-License-Identifier: Apache-2.0 */
/* Load of `make area` while toggles are counted: loads, stores, branches on data, calls,
 * multiplications, divisions and an AMO over 8 KiB, for some ten thousand cycles. With
 * EVENTS the event counters count the events that top-down analysis needs. */
#include "soc.h"

	.globl	_start
_start:
	la	sp, stack
#ifdef EVENTS
	.macro	COUNT counter, events
	li	t0, \events
	csrw	mhpmevent\counter, t0
	csrw	mhpmcounter\counter, zero
	.endm
	COUNT	3, 0x103		/* issued */
	COUNT	4, 0x203		/* fetch stall */
	COUNT	5, 0x403		/* recovery */
	COUNT	6, 0x803		/* fence */
	COUNT	7, 0x2001		/* branch miss */
	COUNT	8, 0x8001		/* flush */
#endif
	li	s0, 0x2545f491		/* state of a xorshift generator */
	li	s1, 8			/* rounds */
1:	la	s2, data
	li	s3, 8192 / 32
2:	call	random
	ld	t0, 0(s2)
	xor	t0, t0, a0
	sd	t0, 0(s2)
	lw	t1, 12(s2)
	add	t1, t1, t0
	sw	t1, 20(s2)
	andi	t2, a0, 64
	beqz	t2, 3f
	mul	t0, t0, t1
3:	andi	t2, a0, 7
	bnez	t2, 4f
	ori	t1, t1, 1
	divu	t0, t0, t1
	amoadd.d zero, t0, (s2)
4:	add	s4, s4, t0
	addi	s2, s2, 32
	addi	s3, s3, -1
	bnez	s3, 2b
	fence.i
	addi	s1, s1, -1
	bnez	s1, 1b
	li	t0, SOC_POWER_BASE
	li	t1, SOC_POWER_OFF
	sw	t1, (t0)
5:	j	5b

random:
	slli	t3, s0, 13
	xor	s0, s0, t3
	srli	t3, s0, 7
	xor	s0, s0, t3
	slli	t3, s0, 17
	xor	s0, s0, t3
	mv	a0, s0
	ret

	.bss
	.balign	64
data:	.skip	8192
	.skip	256
stack:
