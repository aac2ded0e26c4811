/* SPDX-License-Identifier: Apache-2.0 */
/* A chain of additions of F and D. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	li	a0, 0x6000
	csrs	mstatus, a0
	fmv.d.x fa0, zero
	ret

work:
1:	.rept	32
	fadd.d	fa0, fa0, fa0
	.endr
	AGAIN	1b
