/* SPDX-License-Identifier: Apache-2.0 */
/* mtime steps once every 3200 cycles. */
#include "test.h"

#define CYCLES_A_STEP (SOC_CLOCK_HZ / SOC_TIMEBASE_HZ)
#define TOLERANCE     100 /* of the polling loop */

/* Gets the cycle at which mtime advances. */
.macro EDGE reg
	rdtime	a0
1:	rdtime	a1
	beq	a0, a1, 1b
	rdcycle	\reg
.endm

	.globl	test
test:
	EDGE	a2
	EDGE	a3
	CASE	1
	sub	a2, a3, a2
	li	a4, CYCLES_A_STEP - TOLERANCE
	sub	a2, a2, a4
	li	a4, 2 * TOLERANCE
	bltu	a2, a4, 2f
	j	fail
2:	CASE	2			/* the error does not accumulate */
	.rept	8
	EDGE	a2
	.endr
	sub	a2, a2, a3
	li	a4, 8 * CYCLES_A_STEP - TOLERANCE
	sub	a2, a2, a4
	li	a4, 2 * TOLERANCE
	bltu	a2, a4, 3f
	j	fail
3:	ret
