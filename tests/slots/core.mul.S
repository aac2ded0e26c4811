/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of multiplications. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

work:
1:	.rept	32
	mul	a0, a0, a0
	.endr
	AGAIN	1b
