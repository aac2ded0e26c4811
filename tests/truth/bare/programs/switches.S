/* SPDX-License-Identifier: Apache-2.0 */
/* Two kinds of stack switch: coroutines, which keep their registers on their stacks, and
 * contexts, which are structures; and a call on another stack. */
#include "spans.inc"

	.cfi_sections .debug_frame
	.text

.macro each_own op
	\op	ra, 0(sp)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	\op	s\n, 8 + 8 * \n(sp)
	.endr
.endm

/* coroutine_switch(from, to): where to save sp, and the sp to load. */
function coroutine_switch
	addi	sp, sp, -112
	.cfi_def_cfa_offset 112
	each_own sd
	sd	sp, (a0)
	span SPAN_LEAVING
	mv	sp, a1
	each_own ld
	addi	sp, sp, 112
	ret
	end_span
end_function coroutine_switch

/* Register xN is at 8 * N of a context; the slot of x0 holds the pc. */
.macro each_of_context op, at
	\op	ra, 8(\at)
	\op	sp, 16(\at)
	.irp n, 8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27
	\op	x\n, 8 * \n(\at)
	.endr
.endm

/* context_swap(save, load) */
function context_swap
	each_of_context sd, a0
	sd	ra, (a0)
	span SPAN_LEAVING
	ld	t1, (a1)
	each_of_context ld, a1
	jr	t1
	end_span
end_function context_swap

/* context_set(load) */
function context_set
	nop
	span SPAN_LEAVING
	ld	t1, (a0)
	each_of_context ld, a0
	jr	t1
	end_span
end_function context_set

/* Start of a context: calls s1(s2) and continues with the context in s3. */
function context_start
	.cfi_undefined ra
	span SPAN_ROOT
	mv	a0, s2
	jalr	s1
	mv	a0, s3
	call	context_set
	end_span
end_function context_start

/* NAME(function, argument, top of the stack), with the address of the function in REG. */
.macro call_on_stack_by name, reg
function \name
	addi	sp, sp, -16
	.cfi_def_cfa_offset 16
	sd	ra, 8(sp)
	.cfi_offset ra, -8
	sd	s0, 0(sp)
	.cfi_offset s0, -16
	mv	s0, sp
	.cfi_def_cfa_register s0
	mv	sp, a2
	mv	\reg, a0
	mv	a0, a1
	jalr	\reg
	mv	sp, s0
	.cfi_def_cfa_register sp
	ld	ra, 8(sp)
	.cfi_same_value ra
	ld	s0, 0(sp)
	.cfi_same_value s0
	addi	sp, sp, 16
	.cfi_def_cfa_offset 0
	ret
end_function \name
.endm

	call_on_stack_by call_on_stack, t1
	call_on_stack_by call_on_stack_by_t0, t0
