/* SPDX-License-Identifier: Apache-2.0 */
/* A jump in every second block, to the middle of the next: blocks of two instructions. */
#include "slots.inc"

	PROGRAM	100

	.option	norvc
setup:
	ret

	.balign	64
	.skip	8
work:
	.rept	64
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a2, a2, 1
	j	1f
	.balign	32
	.skip	8
1:
	.endr
	AGAIN	work
