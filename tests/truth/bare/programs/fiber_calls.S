/* SPDX-License-Identifier: Apache-2.0 */
/* Calls between the first stack and those of fibers, as runtimes of languages do: a fiber
 * calls C on the first stack, below the frame that entered the fiber. */
#include "spans.inc"

	.cfi_sections .debug_frame
	.bss
	.balign	8
first_sp:
	.skip	8

	.text

.macro begin_frame size
	addi	sp, sp, -\size
	.cfi_def_cfa_offset \size
	sd	ra, 8(sp)
	.cfi_offset ra, 8 - \size
	sd	s0, 0(sp)
	.cfi_offset s0, -\size
	mv	s0, sp
	.cfi_def_cfa_register s0
.endm

.macro end_frame size
	.cfi_def_cfa_register sp
	ld	ra, 8(sp)
	.cfi_same_value ra
	ld	s0, 0(sp)
	.cfi_same_value s0
	addi	sp, sp, \size
	.cfi_def_cfa_offset 0
	ret
.endm

/* enter(function, argument, top of the fiber's stack) */
function enter
	begin_frame 32
	la	t0, first_sp
	ld	t1, (t0)
	sd	t1, 16(sp)
	sd	sp, (t0)
	mv	sp, a2
	mv	t1, a0
	mv	a0, a1
	jalr	t1
	la	t0, first_sp
	ld	sp, (t0)
	ld	t1, 16(sp)
	sd	t1, (t0)
	end_frame 32
end_function enter

/* call_first(function, argument): only from a fiber. */
function call_first
	begin_frame 16
	la	t0, first_sp
	ld	sp, (t0)
	mv	t1, a0
	mv	a0, a1
	jalr	t1
	mv	sp, s0
	end_frame 16
end_function call_first
