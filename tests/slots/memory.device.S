/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of mtime. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIME
	ret

work:
1:	.rept	16
	ld	a1, (a0)
	.endr
	AGAIN	1b
