/* SPDX-License-Identifier: Apache-2.0 */
/* More additions than ports for them. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

work:
1:	.rept	16
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a2, a2, 1
	addi	a3, a3, 1
	.endr
	AGAIN	1b
