/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as Tock does: the kernel has one stack, and calls switch_to_process(), which
 * returns when the process traps; registers of the process are kept in a structure. */
#include "kernel.h"

#define KERNEL_FRAME 128
#define TRAP_FRAME   160

	.cfi_sections .debug_frame
	.text

.macro each_saved op
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 16 + 8 * \n(sp)
	.endr
	\op	ra, 112(sp)
.endm

/* What a function in C may change. */
.macro each_temporary op
	.irp n, 1, 5, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17
	\op	x\n, 8 * \n(sp)
	.endr
	\op	t3, 0(sp)
	\op	t4, 16(sp)
	\op	t5, 24(sp)
	\op	t6, 32(sp)
.endm

/* All registers but sp and the one with the structure, by number. */
.macro each_of_process op, at, last
	\op	x1, 8(x\at)
	.irp n, 3, 4, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, \
		22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\n, 8 * \n(x\at)
	.endr
	\op	x\last, 8 * \last(x\at)
.endm

/* switch_to_process(registers): returns the cause of the trap. */
label switch_to_process
	addi	sp, sp, -KERNEL_FRAME
	.cfi_def_cfa_offset KERNEL_FRAME
	each_saved sd
	sd	a0, 0(sp)
	csrw	mscratch, sp
	ld	t0, 0(a0)
	csrw	mepc, t0
	li	t0, 0x1800
	csrc	mstatus, t0
	li	t0, 0x80
	csrs	mstatus, t0
	span SPAN_LEAVING
	each_of_process ld, 10, 5
	ld	sp, 16(a0)
	ld	a0, 80(a0)
	mret
	end_span
end_label

/* mscratch is the kernel's sp, or 0 in the kernel. */
label trap_entry
	span SPAN_TRAP
	csrrw	sp, mscratch, sp
	end_span
	span SPAN_LEAVING
	beqz	sp, 1f
	sd	t0, 8(sp)
	ld	t0, 0(sp)
	each_of_process sd, 5, 10
	ld	a0, 8(sp)
	sd	a0, 40(t0)
	csrr	a0, mepc
	sd	a0, 0(t0)
	csrr	a0, mscratch
	sd	a0, 16(t0)
	csrw	mscratch, zero
	csrr	a0, mcause
	each_saved ld
	addi	sp, sp, KERNEL_FRAME
	ret
1:
	csrrw	sp, mscratch, sp
	end_span
	span SPAN_TRAP
	addi	sp, sp, -TRAP_FRAME
	each_temporary sd
	csrr	a0, mcause
	call	on_interrupt
	each_temporary ld
	addi	sp, sp, TRAP_FRAME
	mret
	end_span
end_label
