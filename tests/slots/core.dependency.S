/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of additions. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

work:
1:	.rept	32
	addi	a0, a0, 1
	.endr
	AGAIN	1b
