/* SPDX-License-Identifier: Apache-2.0 */
/* A line of each page, once: none is in the L2. */
#include "slots.inc"

	PROGRAM	1, 0

	.option	norvc
setup:
	ret

work:
	.balign	4096
	.set	page, 0
	.rept	200
	.rept	3
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a2, a2, 1
	addi	a3, a3, 1
	.endr
	j	1f
	.set	page, page + 1
	.balign	4096
1:
	.endr
	ret
