/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of divisions. */
#include "slots.inc"

	PROGRAM	20

	.option	norvc
setup:
	li	a0, -1
	li	a1, 3
	ret

work:
1:	.rept	16
	divu	a2, a0, a1
	add	a2, a2, a2
	and	a2, a2, zero
	add	a1, a1, a2
	.endr
	AGAIN	1b
