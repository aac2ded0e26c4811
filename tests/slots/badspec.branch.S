/* SPDX-License-Identifier: Apache-2.0 */
/* Returns to another place than behind their call, so that each is mispredicted. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

work:
	mv	s5, ra
	.balign	16
1:	.rept	32
	addi	a0, a0, 1
	addi	a1, a1, 1
	addi	a2, a2, 1
	jal	2f
2:	jr	16(ra)
	.balign	16
	.endr
	addi	s9, s9, -1
	bnez	s9, 1b
	jr	s5
