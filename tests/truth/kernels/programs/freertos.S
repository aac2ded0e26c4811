/* SPDX-License-Identifier: Apache-2.0 */
/* Switches as FreeRTOS does: registers on the task's stack, sp at the start of the current
 * task's structure, traps on a stack of their own, and a first task that starts by ret. With
 * FLOAT, floating-point registers are between pc and the other registers if they have
 * changed, so that frames have two sizes. With SPLIT, the parts of the handler have
 * global symbols. */
#include "kernel.h"

#define FRAME	   248
#define FRAME_NEST 240

	.cfi_sections .debug_frame
	.bss
	.balign	16
	.globl	isr_stack, isr_stack_top
isr_stack:
	.skip	2048
isr_stack_top:

	.text

.macro each op
	\op	ra, 16(sp)
	.irp n, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
		23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	x\n, 8 * \n - 16(sp)
	.endr
.endm

#ifdef FLOAT
#define FLOAT_FRAME 264
#define FS_DIRTY    3
#define FS_SHIFT    13
#define FS_CLEAN    0x4000
#define FS_MASK	    0x6000

.macro each_float op
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, \
		19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
	\op	f\n, 16 + 8 * \n(sp)
	.endr
.endm

/* Goes to `label` unless mstatus, in `status`, says that they have changed. */
.macro unless_dirty status, label
	srli	t1, \status, FS_SHIFT
	andi	t1, t1, 3
	addi	t2, x0, FS_DIRTY
	bne	t1, t2, \label
.endm
#endif

#ifdef SPLIT
	.globl	handle_interrupt, handle_exception, processed
#endif
	.balign	256
label trap_entry
	span SPAN_TRAP
	addi	sp, sp, -FRAME
	sd	t0, 24(sp)
	sd	t1, 32(sp)
	each sd
	ld	t0, nesting
	sd	t0, FRAME_NEST(sp)
#ifdef FLOAT
	csrr	t0, mstatus
	unless_dirty t0, 4f
	addi	sp, sp, -FLOAT_FRAME
	each_float fsd
	csrr	t0, fcsr
	sd	t0, 272(sp)
4:
#endif
	csrr	t0, mstatus
	sd	t0, 8(sp)
#ifdef FLOAT
	unless_dirty t0, 5f
	li	t1, ~FS_MASK
	and	t0, t0, t1
	li	t1, FS_CLEAN
	or	t0, t0, t1
	csrw	mstatus, t0
5:
#endif
	ld	t0, currents
	sd	sp, (t0)
	csrr	a0, mcause
	csrr	a1, mepc
	bgez	a0, synchronous_exception
	sd	a1, (sp)
	ld	sp, isr_stack_at
	j	handle_interrupt
synchronous_exception:
	addi	a1, a1, 4
	sd	a1, (sp)
	ld	sp, isr_stack_at
	j	handle_exception
handle_interrupt:
	li	t0, 1
	slli	t0, t0, 63
	addi	t1, t0, 7
	bne	a0, t1, 1f
	call	on_timer
	beqz	a0, processed
	call	core_choose
	j	processed
1:
	call	on_software
	j	processed
handle_exception:
	li	t0, 11
	bne	a0, t0, 2f
	call	core_choose
	j	processed
2:
	j	2b
processed:
	ld	t1, currents
	end_span
	span SPAN_LEAVING
	ld	sp, (t1)
	ld	t0, (sp)
	csrw	mepc, t0
	ld	t3, 8(sp)
	csrw	mstatus, t3
#ifdef FLOAT
	unless_dirty t3, 6f
	each_float fld
	ld	t0, 272(sp)
	csrw	fcsr, t0
	addi	sp, sp, FLOAT_FRAME
6:
#endif
	ld	t0, FRAME_NEST(sp)
	ld	t1, nesting_at
	sd	t0, (t1)
	each ld
	ld	t0, 24(sp)
	ld	t1, 32(sp)
	addi	sp, sp, FRAME
	mret
	end_span
end_label

label start_first
	nop
	span SPAN_LEAVING
	ld	sp, currents
	ld	sp, (sp)
	ld	ra, (sp)
	ld	t0, 8(sp)
	addi	t0, t0, 8
	csrw	mstatus, t0
	.irp n, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, \
		23, 24, 25, 26, 27, 28, 29, 30, 31
	ld	x\n, 8 * \n - 16(sp)
	.endr
	ld	t0, FRAME_NEST(sp)
	ld	t1, nesting_at
	sd	t0, (t1)
	ld	t0, 24(sp)
	ld	t1, 32(sp)
	addi	sp, sp, FRAME
	ret
	end_span
end_label
