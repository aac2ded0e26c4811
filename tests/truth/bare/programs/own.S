/* SPDX-License-Identifier: Apache-2.0 */
/* A port that handles traps on the task's stack, where further traps may interrupt the
 * handler. */
#include "frames.inc"

	.cfi_sections .debug_frame
	.text

trap_function trap_entry
	span SPAN_ENTRY
	save_task
	mv	a2, sp
	end_span
	frame_cfi
	bltz	a0, 1f
	addi	a1, a1, 4
	sd	a1, FRAME_PC(sp)
1:
	call	trap_handler
	nop
	span SPAN_LEAVING
	mv	sp, a0
	load_task
	mret
	end_span
end_function trap_entry

/* Starts the task whose frame is at a0. */
function load_first
	nop
	span SPAN_LEAVING
	mv	sp, a0
	load_task
	mret
	end_span
end_function load_first
