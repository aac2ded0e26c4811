/* SPDX-License-Identifier: Apache-2.0 */
/* Returns to another place than behind a call, so that each is mispredicted. What is behind it is
 * never reached. There are as many instructions as ports for them. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

	.balign	16
work:
	mv	s5, ra
	la	ra, 1f
	j	1f + 4
	.balign	32
1:	.set	next, 0
	.rept	32
	.set	next, next + 32
	.skip	4
	addi	a0, a0, 1
	addi	a1, a1, 1
	jr	next + 4(ra)
	.balign	32
	.endr
	.skip	4
	addi	s9, s9, -1
	bnez	s9, 1b + 4
	jr	s5
