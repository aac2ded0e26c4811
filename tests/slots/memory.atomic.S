/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic additions. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	la	a0, data
	ret

work:
1:	.rept	16
	amoadd.d a1, a2, (a0)
	.endr
	AGAIN	1b

	.bss
	.balign	64
data:	.skip	64
