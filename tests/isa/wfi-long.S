/* SPDX-License-Identifier: Apache-2.0 */
/* A wfi of a tenth of a second, which a simulator advances in steps of the timer. */
#include "irq.h"

	.globl	test
test:
	CASE	1
	li	a2, 1 << MTI
	csrw	mie, a2
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIME
	ld	a1, 0(a0)
	li	a2, 100000
	add	a1, a1, a2
	li	a0, SOC_CLINT_BASE + SOC_CLINT_MTIMECMP
	sd	a1, 0(a0)
	wfi
	rdtime	a3
	bgeu	a3, a1, 1f
	j	fail
1:	csrw	mie, zero
	MTIMECMP -1
	ret
