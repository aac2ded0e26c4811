/* SPDX-License-Identifier: Apache-2.0 */
/* A loop of 32 KiB, twice the L1I, of instructions that do not depend on each other. */
#include "slots.inc"

	PROGRAM	4

	.option	norvc
setup:
	ret

work:
1:	.rept	2047
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a2, a2, 1
	addi	a3, a3, 1
	.endr
	addi	s9, s9, -1
	beqz	s9, 2f
	j	1b
2:	ret
