/* SPDX-License-Identifier: Apache-2.0 */
/* A port that saves a task on its own stack and handles traps on another: main's, which
 * is unused once there are tasks. */
#include "frames.inc"
#include "tasks.h"

	.cfi_sections .debug_frame
	.text

/* The trap's CFA is relative to s0 while sp is on the other stack. */
trap_function trap_entry
	span SPAN_ENTRY
	save_task
	ld	t0, current
	sd	sp, TASK_SP(t0)
	end_span
	frame_cfi
	bltz	a0, 1f
	addi	a1, a1, 4
	sd	a1, FRAME_PC(sp)
1:
	mv	s0, sp
	.cfi_def_cfa_register s0
	la	sp, stack_top
	call	trap_handler
	ld	t1, current
	span SPAN_LEAVING
	ld	sp, TASK_SP(t1)
	load_task
	mret
	end_span
end_function trap_entry

/* The first task starts by a return to it. */
function port_start
	la	t0, trap_entry
	csrw	mtvec, t0
	li	t0, 0x80
	csrw	mie, t0
	span SPAN_LEAVING
	ld	sp, current
	ld	sp, TASK_SP(sp)
	ld	x1, FRAME_PC(sp)
	ld	tp, 8 * 4(sp)
	ld	t0, FRAME_STATUS(sp)
	addi	sp, sp, FRAME_SIZE
	ori	t0, t0, 8
	csrw	mstatus, t0
	ret
	end_span
end_function port_start
