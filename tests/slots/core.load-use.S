/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of loads that hit. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	la	a0, node
	ret

work:
1:	.rept	32
	ld	a0, (a0)
	.endr
	AGAIN	1b

	.data
	.balign	64
node:	.dword	node
