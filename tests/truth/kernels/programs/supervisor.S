/* SPDX-License-Identifier: Apache-2.0 */
/* Reset of a kernel in S-mode: kernel_main() runs there, and the timer's interrupt of M-mode
 * raises a software interrupt. */
#include "kernel.h"

	.cfi_sections .debug_frame
	.section .text.start, "ax"

/* M-mode: everything that the kernel can handle goes to S-mode. */
label _start
	.cfi_undefined ra
	csrr	tp, mhartid
	la	sp, stack_top
	slli	t0, tp, BOOT_STACK_SHIFT
	sub	sp, sp, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 31
	csrw	pmpcfg0, t0
	li	t0, 0xb1ff
	csrw	medeleg, t0
	li	t0, 0x222
	csrw	mideleg, t0
	la	t0, timervec
	csrw	mtvec, t0
	mv	a0, tp
	call	timer_begin
	csrw	mscratch, a0
	li	t0, 0x80
	csrw	mie, t0
	li	t0, 0x1800
	csrc	mstatus, t0
	li	t0, 0x800
	csrs	mstatus, t0
	csrsi	sie, 2
	la	t0, 1f
	csrw	mepc, t0
	mret
1:
	mv	a0, tp
	call	kernel_main
2:
	j	2b
end_label

	.text

	.balign	4
label timervec
	span SPAN_TRAP
	csrrw	a0, mscratch, a0
	sd	a1, 0(a0)
	sd	a2, 8(a0)
	sd	a3, 16(a0)
	ld	a1, 24(a0)
	ld	a2, 32(a0)
	ld	a3, 0(a1)
	add	a3, a3, a2
	sd	a3, 0(a1)
	li	a1, 2
	csrs	mip, a1
	ld	a3, 16(a0)
	ld	a2, 8(a0)
	ld	a1, 0(a0)
	csrrw	a0, mscratch, a0
	mret
	end_span
end_label
