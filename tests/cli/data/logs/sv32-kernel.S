/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel of sv32.txt: two processes at the same virtual addresses, with page tables of
 * Sv32 and stacks in the kernel, which give way to each other by system calls. */
	.section .text, "ax"
	.macro function name
	.balign 4
	.globl \name
	.type \name, @function
\name:
	.endm
	.option norvc
function _start
	la	t0, machine_trap
	csrw	mtvec, t0
	li	t0, -1
	csrw	pmpaddr0, t0
	li	t0, 0x1f
	csrw	pmpcfg0, t0
	li	t0, 0x100
	csrw	medeleg, t0
	la	t0, entry
	csrw	stvec, t0
	la	t0, begin
	csrw	mepc, t0
	li	t0, 0x1800
	csrc	mstatus, t0
	li	t0, 0x800
	csrs	mstatus, t0
	mret
	.size _start, . - _start
	.balign 4
function machine_trap
1:	j	1b
	.size machine_trap, . - machine_trap
function begin
	call	paging
	la	tp, task_a
	lw	t0, 0(tp)
	csrw	satp, t0
	sfence.vma
	la	sp, stack_a
	csrw	sscratch, sp
	li	t0, 0x10000
	csrw	sepc, t0
	li	t0, 0x100
	csrc	sstatus, t0
	li	sp, 0x12000
	sret
	.size begin, . - begin
	.macro table root, l2, prog, page
	la	t0, \l2
	srli	t0, t0, 2
	ori	t0, t0, 1
	la	t1, \root
	sw	t0, (t1)
	li	t0, 0x200000cf
	li	t2, 2048
	add	t1, t1, t2
	sw	t0, (t1)
	la	t1, \l2
	la	t0, \prog
	srli	t0, t0, 2
	ori	t0, t0, 0xdf
	sw	t0, 64(t1)
	la	t0, \page
	srli	t0, t0, 2
	ori	t0, t0, 0xdf
	sw	t0, 68(t1)
	li	t0, 0x100000
	srli	t0, t0, 2
	ori	t0, t0, 0xc7
	sw	t0, 1024(t1)
	la	t0, \root
	srli	t0, t0, 12
	.endm
function paging
	table root_a, l2_a, prog_a, page_a
	li	t1, 0x80400000	# Sv32, ASID 1
	or	t0, t0, t1
	la	t1, task_a
	sw	t0, (t1)
	table root_b, l2_b, prog_b, page_b
	li	t1, 0x80800000	# ASID 2
	or	t0, t0, t1
	la	t1, task_b
	sw	t0, (t1)
	ret
	.size paging, . - paging
function entry
	csrrw	sp, sscratch, sp
	addi	sp, sp, -48
	sw	ra, 0(sp)
	sw	s0, 4(sp)
	sw	a0, 8(sp)
	csrr	ra, sepc
	addi	ra, ra, 4
	sw	ra, 12(sp)
	csrr	ra, sscratch
	sw	ra, 16(sp)
	sw	tp, 20(sp)
	call	handler
	.globl back
	.type back, @function
back:	lw	ra, 12(sp)
	csrw	sepc, ra
	lw	ra, 16(sp)
	addi	s0, sp, 48
	csrw	sscratch, s0
	lw	s0, 4(sp)
	lw	a0, 8(sp)
	mv	t0, ra
	lw	ra, 0(sp)
	mv	sp, t0
	sret
	.size entry, . - entry
function handler
	addi	sp, sp, -16
	sw	ra, 12(sp)
	bnez	a7, finish
	call	switch_to
	lw	ra, 12(sp)
	addi	sp, sp, 16
	ret
	.size handler, . - handler
/* Saves ra and sp in the task and takes those of the other one. */
function switch_to
	sw	ra, 4(tp)
	sw	sp, 8(tp)
	lw	tp, 12(tp)
	lw	t0, 0(tp)
	csrw	satp, t0
	sfence.vma
	lw	ra, 4(tp)
	lw	sp, 8(tp)
	ret
	.size switch_to, . - switch_to
function new_task
	la	t0, stack_b
	csrw	sscratch, t0
	li	t0, 0x10000
	csrw	sepc, t0
	li	sp, 0x12000
	sret
	.size new_task, . - new_task
function finish
	li	t0, 1
	la	t1, tohost
	sw	t0, (t1)
	sw	zero, 4(t1)
	li	t1, 0x100000
	sw	zero, (t1)
1:	j	1b
	.size finish, . - finish
	.data
	.balign 64
	.globl tohost, fromhost
tohost:	.dword 0
	.balign 64
fromhost: .dword 0
task_a:	.word 0, 0, 0, task_b
task_b:	.word 0, new_task, stack_b, task_a
	.balign 4096
prog_a:	.incbin "a.bin"
	.balign 4096
prog_b:	.incbin "b.bin"
	.balign 4096
root_a:	.space 4096
root_b:	.space 4096
l2_a:	.space 4096
l2_b:	.space 4096
page_a:	.space 4096
page_b:	.space 4096
	.space 2048
stack_a:
	.space 2048
stack_b:
