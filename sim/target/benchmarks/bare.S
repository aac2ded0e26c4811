/* SPDX-License-Identifier: Apache-2.0 */
/* Reset and power-off of a benchmark that runs bare-metal. */
#include "../frame.inc"
#include "soc.h"

	.cfi_sections .debug_frame
	.section .text.start, "ax"

function _start
	.cfi_undefined ra
	la	sp, stack_top
	call	main
	li	t0, SOC_POWER_BASE
	slli	a0, a0, 16
	li	t1, SOC_POWER_FAIL
	or	t1, t1, a0
	bnez	a0, 1f
	li	t1, SOC_POWER_OFF
1:
	sw	t1, (t0)
	j	1b
end_function _start
