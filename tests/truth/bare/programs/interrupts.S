/* SPDX-License-Identifier: Apache-2.0 */
/* Interrupts for programs without tasks: saved on the current stack, handled on
 * another. */
#include "frames.inc"

	.cfi_sections .debug_frame
	.bss
	.balign	16
	.skip	4096
interrupt_stack_top:

	.text

trap_function trap_entry
	span SPAN_ENTRY
	save_task
	mv	s0, sp
	end_span
	frame_cfi
	.cfi_def_cfa_register s0
	la	sp, interrupt_stack_top
	call	on_interrupt
	mv	sp, s0
	nop
	span SPAN_LEAVING
	load_task
	mret
	end_span
end_function trap_entry

/* Enables timer interrupts. */
function interrupts_begin
	la	t0, trap_entry
	csrw	mtvec, t0
	li	t0, 0x80
	csrw	mie, t0
	csrsi	mstatus, 8
	ret
end_function interrupts_begin
