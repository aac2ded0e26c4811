/* SPDX-License-Identifier: Apache-2.0 */
/* Waits for the timer. */
#include "slots.inc"

	PROGRAM	2

	.option	norvc
setup:
	li	a0, 1 << 7
	csrw	mie, a0
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIME
	li	a1, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	ret

work:
1:	ld	a2, (a0)
	addi	a2, a2, 2
	sd	a2, (a1)
	wfi
	AGAIN	1b
