/* SPDX-License-Identifier: Apache-2.0 */
/* Loads that wait until the older store to some of their bytes is in the L1D. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	la	a0, data
	ret

work:
1:	.rept	16
	sw	a1, (a0)
	ld	a2, (a0)
	.endr
	AGAIN	1b

	.bss
	.balign	64
data:	.skip	64
