/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that are executed before the older store to their bytes, whose address is a cycle later.
 * Each load begins a block, so that four instructions enter the window with it when it is
 * executed again, and is the last of four when it is executed first, beside its store. The core
 * learns from the first time, by bits 8 to 1 of the pc, of which the loads have all that are
 * multiples of 16. In the turn that warms up, the stores have another address. */
#include "slots.inc"

	PROGRAM	1

	.option	norvc
setup:
	la	a0, data
	addi	a1, a0, 64
	ret

	.balign	16
work:
	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1
	addi	t3, t3, 1
	.rept	32
	lw	a5, (a0)
	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1

	addi	t0, t0, 1
	addi	t1, t1, 1
	addi	t2, t2, 1
	lw	a6, 64(a0)

	addi	t0, t0, 1
	.option	rvc
	c.addi	t1, 1
	c.addi	t2, 1
	c.lw	a5, 64(a0)

	c.addi	t0, 1
	c.mv	a3, a1
	c.sw	a4, (a3)
	.option	norvc
	.endr
	lw	a5, (a0)
	mv	a1, a0
	ret

	.bss
	.balign	64
data:	.skip	128
