/* SPDX-License-Identifier: Apache-2.0 */
/* Reset, power-off and interrupts of the programs that use the network interface. The
 * status of main() is the number of the case that failed, or 0. A second hart calls
 * second(), if there is one, and then sleeps. */
#include "soc.h"

	.section .text.start, "ax"
	.globl	_start
_start:
	la	t0, trap
	csrw	mtvec, t0
	csrw	mie, zero
	la	sp, stack_top
	csrr	t0, mhartid
	bnez	t0, 3f
	call	main
	.globl	power_off
power_off:
	slli	t0, a0, 16
	li	t1, SOC_POWER_FAIL
	or	t0, t0, t1
	bnez	a0, 1f
	li	t0, SOC_POWER_OFF
1:	li	t1, SOC_POWER_BASE
	sw	t0, 0(t1)
2:	j	2b

3:	la	sp, second_stack_top
	call	second
4:	wfi
	j	4b
	.weak	second
second:
	ret

	/* Machine external interrupts call interrupt(); all else fails with 255. */
	.balign	4
trap:
	addi	sp, sp, -128
	sd	ra, 0(sp)
	sd	t0, 8(sp)
	sd	t1, 16(sp)
	sd	t2, 24(sp)
	sd	t3, 32(sp)
	sd	t4, 40(sp)
	sd	t5, 48(sp)
	sd	t6, 56(sp)
	sd	a0, 64(sp)
	sd	a1, 72(sp)
	sd	a2, 80(sp)
	sd	a3, 88(sp)
	sd	a4, 96(sp)
	sd	a5, 104(sp)
	sd	a6, 112(sp)
	sd	a7, 120(sp)
	csrr	t0, mcause
	li	t1, 0x800000000000000b
	li	a0, 255
	bne	t0, t1, power_off
	call	interrupt
	ld	ra, 0(sp)
	ld	t0, 8(sp)
	ld	t1, 16(sp)
	ld	t2, 24(sp)
	ld	t3, 32(sp)
	ld	t4, 40(sp)
	ld	t5, 48(sp)
	ld	t6, 56(sp)
	ld	a0, 64(sp)
	ld	a1, 72(sp)
	ld	a2, 80(sp)
	ld	a3, 88(sp)
	ld	a4, 96(sp)
	ld	a5, 104(sp)
	ld	a6, 112(sp)
	ld	a7, 120(sp)
	addi	sp, sp, 128
	mret

	.bss
	.balign	16
	.skip	8192
stack_top:
	.skip	8192
second_stack_top:
