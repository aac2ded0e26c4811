/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that are executed before the older store to their bytes, since its address is late. The
 * core learns from the first time, so each load is there once. In the turn that warms up the
 * store has another address. */
#include "slots.inc"

	PROGRAM	1

	.option	norvc
setup:
	la	a0, data
	addi	a1, a0, 64
	li	a2, 1
	ret

work:
	.rept	100
	mul	a3, a1, a2
	mul	a3, a3, a2
	mul	a3, a3, a2
	sw	a4, (a3)
	lw	a5, (a0)
	.endr
	mv	a1, a0
	ret

	.bss
	.balign	64
data:	.skip	128
