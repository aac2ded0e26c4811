/* SPDX-License-Identifier: Apache-2.0 */
/* A kernel module: two sections with code, and each kind of relocation in an
 * instruction. */
	.option norelax
	.section .modinfo, "a"
	.string	"license=GPL"

	.text
	.globl	work
	.type	work, @function
work:
	auipc	a0, %pcrel_hi(outside)
	addi	a0, a0, %pcrel_lo(work)
	sd	a1, %pcrel_lo(work)(a0)
	call	outside
	jal	zero, outside
	.reloc	., R_RISCV_BRANCH, outside
	beq	a0, a1, .
	lui	a2, %hi(outside)
	addi	a2, a2, %lo(outside)
	sd	a3, %lo(outside)(a2)
	la	a4, outside
	ret
	.size	work, . - work

	.section .init.text, "ax"
	.type	start, @function
start:
	li	a0, 1
	ret
	.size	start, . - start
