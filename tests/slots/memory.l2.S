/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of loads, each from another line, in 64 KiB: four times the L1D. */
#include "slots.inc"

	PROGRAM	1000, 300

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
nodes:	.rept	1023
	.dword	. + 64
	.skip	56
	.endr
	.dword	nodes
