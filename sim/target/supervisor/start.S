/* SPDX-License-Identifier: Apache-2.0 */
/* From the firmware's jump to C: turns the page table on and continues in the high
 * half. */
#include "../csr.h"
#include "../frame.inc"
#include "abi.h"

#define GIGAPAGE(address) ((address) >> 2 | 0xef) /* D A G X W R V */

	.cfi_sections .debug_frame
	.section .text.start, "ax"

/* Runs at the physical address. One gigapage is identity-mapped until memory_init, for
 * the instruction after the csrw. */
function _start
	.cfi_undefined ra
	la	t1, kernel_root
	srli	t1, t1, 12
	li	t2, 8 << 60
	or	t1, t1, t2
	sfence.vma
	csrw	satp, t1
	sfence.vma
	la	t1, supervisor_start
	li	t2, KERNEL_OFFSET
	add	t1, t1, t2
	jr	t1
end_function _start

	.text
function supervisor_start
	.cfi_undefined ra
	la	t1, trap_entry
	csrw	stvec, t1
	csrw	sscratch, zero
	la	sp, stacks + KERNEL_STACK_SIZE
	la	tp, thread_table
	la	t1, bss_start
	la	t2, bss_end
1:
	sd	zero, (t1)
	addi	t1, t1, 8
	bltu	t1, t2, 1b
	call	supervisor_main
end_function supervisor_start

/* The firmware's calls preserve all registers except a0 and a1. */
function sbi_call
	mv	a6, a2
	mv	a7, a3
	ecall
	ret
end_function sbi_call

	.data
	.balign	4096
	.globl	kernel_root
	.type	kernel_root, @object
kernel_root:
	.dword	0, 0, GIGAPAGE(0x80000000)
	.fill	508 - 3, 8, 0
	.dword	GIGAPAGE(0x00000000) & ~8, 0, GIGAPAGE(0x80000000), 0
	.size	kernel_root, . - kernel_root

	.section .stacks, "aw", @nobits
	.balign	16
	.globl	stacks
	.type	stacks, @object
stacks:
	.zero	THREAD_COUNT * KERNEL_STACK_SIZE
	.size	stacks, . - stacks
