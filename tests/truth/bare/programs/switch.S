/* SPDX-License-Identifier: Apache-2.0 */
/* A port that saves interrupted code on the task's stack, handles traps on an interrupt
 * stack, where further traps may interrupt it, and switches tasks by a call, also at the
 * end of a trap: the other task is then inside a trap as well, or has yielded. */
#include "frames.inc"
#include "tasks.h"

	.cfi_sections .debug_frame
	.bss
	.balign	16
	.skip	4096
interrupt_stack_top:

	.text

/* The CFA is relative to s0 throughout. */
trap_function trap_entry
	span SPAN_ENTRY
	save_task
	mv	s0, sp
	end_span
	frame_cfi
	.cfi_def_cfa_register s0
	lw	t1, nesting
	addi	t2, t1, 1
	sw	t2, nesting, t3
	bnez	t1, 1f
	mv	t0, sp
	la	sp, interrupt_stack_top
	addi	sp, sp, -16
	sd	t0, (sp)
	call	trap_handler
	ld	sp, (sp)
	j	2f
1:
	call	trap_handler
2:
	lw	t1, nesting
	addi	t1, t1, -1
	sw	t1, nesting, t2
	bnez	t1, 3f
	call	port_reschedule
3:
	span SPAN_LEAVING
	load_task
	mret
	end_span
end_function trap_entry

/* A task's first return from switch_tasks comes here, with its frame at sp. */
trap_function task_start
	span SPAN_START
	nop
	end_span
	span SPAN_LEAVING
	load_task
	mret
	end_span
end_function task_start

#define SAVED 16

/* switch_tasks(to, from): saves return address and callee-saved registers in the task. */
function switch_tasks
	sd	sp, TASK_SP(a1)
	sd	ra, SAVED(a1)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sd	s\n, SAVED + 8 + 8 * \n(a1)
	.endr
	sd	tp, SAVED + 104(a1)
	span SPAN_LEAVING
	ld	tp, SAVED + 104(a0)
	ld	ra, SAVED(a0)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	ld	s\n, SAVED + 8 + 8 * \n(a0)
	.endr
	ld	sp, TASK_SP(a0)
	ret
	end_span
end_function switch_tasks
