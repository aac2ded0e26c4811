/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of loads, each from another line, none of which is in the L2. */
#include "slots.inc"

	PROGRAM	1000

	.option	norvc
setup:
	la	a0, nodes
	ret

work:
1:	.rept	4
	ld	a0, (a0)
	.endr
	AGAIN	1b

	.data
	.balign	64
nodes:	.rept	4100
	.dword	. + 64
	.skip	56
	.endr
	.dword	nodes
