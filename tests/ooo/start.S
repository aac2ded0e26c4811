/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code, pass and fail of the directed ISA tests without traps: tests/isa/lib.S
 * without CSRs. */
#include "soc.h"

	.option	arch, +f
	.equ	START_FCSR, 0x80fffff8	/* lockstep.cc stores fcsr there */

	.section .text.start, "ax"
	.globl	_start
_start:
	la	sp, stack_top
	li	gp, 0
	li	t0, START_FCSR
	lw	t0, 0(t0)
	fscsr	t0
	call	test

	li	t0, SOC_POWER_OFF
	j	power_off

	.globl	fail
fail:
	slli	t0, gp, 16
	li	t1, SOC_POWER_FAIL
	or	t0, t0, t1
power_off:
	li	t1, SOC_POWER_BASE
	sw	t0, 0(t1)
1:	j	1b

	.bss
	.balign	16
	.skip	1024
stack_top:
