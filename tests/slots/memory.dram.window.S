/* SPDX-License-Identifier: Apache-2.0 */
/* A load whose line is not in the L2, and behind it more instructions that do not need it than
 * the window holds. */
#include "slots.inc"

	PROGRAM	1000

	.option	norvc
setup:
	la	a0, nodes
	ret

work:
1:	ld	a0, (a0)
	.rept	24
	addi	a1, a1, 1
	addi	a2, a2, 1
	addi	a3, a3, 1
	.endr
	AGAIN	1b

	.data
	.balign	64
nodes:	.rept	1100
	.dword	. + 64
	.skip	56
	.endr
	.dword	nodes
