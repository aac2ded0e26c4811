/* SPDX-License-Identifier: Apache-2.0 */
/* What stub_cycles.c measures: functions that do nothing, in three groups (stub_cycles.ld),
 * and the loops that call one of them. Their first instructions have all sizes that an
 * entry replaces, and they begin at all places of a cache line. */

	.altmacro

/* At least 8 bytes, with a0 = 0. */
.macro first_instructions kind
	.if \kind == 0
	c.addi	sp, -16
	c.sdsp	s0, 8(sp)
	c.ldsp	s0, 8(sp)
	c.addi	sp, 16
	.elseif \kind == 1
	addi	a3, a3, 100
	addi	a4, a4, 100
	.elseif \kind == 2
	c.mv	a3, a0
	addi	a4, a4, 100
	addi	a5, a5, 100
	.elseif \kind == 3
	c.mv	a3, a0
	c.bnez	a0, 1f		/* is never taken */
	addi	a5, a5, 100
1:
	.else
	bgez	a0, 1f		/* is always taken */
	c.mv	a4, a0
	c.mv	a5, a0
1:
	.endif
.endm

.macro define_function group, number
	.type	\group\()_\number, @function
\group\()_\number:
	first_instructions %((\number) % 5)
	.rept	(\number) % 7 + (\number) % 3
	c.mv	a2, a0
	.endr
	ret
	.size	\group\()_\number, . - \group\()_\number
	.section .rodata.functions, "a"
	.dword	\group\()_\number
	.previous
.endm

.macro define_group group
	.section .functions.\group, "ax"
	.set	number, 0
	.rept	600
	define_function \group, %number
	.set	number, number + 1
	.endr
.endm

	.section .rodata.functions, "a"
	.balign	8
	.globl	functions
functions:
	define_group below
	define_group middle
	define_group above
	.section .rodata.functions, "a"
	.globl	functions_end
functions_end:

/* void NAME(uint64_t function, uint64_t *times, uint64_t *end): calls a function and stores
 * the time after each call. */
.macro define_loop name
	.globl	\name
\name:
	addi	sp, sp, -32
	sd	ra, 0(sp)
	sd	s0, 8(sp)
	sd	s1, 16(sp)
	sd	s2, 24(sp)
	mv	s0, a0
	mv	s1, a1
	mv	s2, a2
	li	a0, 0
1:	jalr	s0
	csrr	a1, mcycle
	sd	a1, 0(s1)
	addi	s1, s1, 8
	bne	s1, s2, 1b
	ld	ra, 0(sp)
	ld	s0, 8(sp)
	ld	s1, 16(sp)
	ld	s2, 24(sp)
	addi	sp, sp, 32
	ret
.endm

/* No jump of one has the low bits of the address of a jump of another. */
	.text
	.balign	512
	define_loop loop_a
	.balign	128
	define_loop loop_b
	.balign	128
	define_loop loop_c
