/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what each kind of trap leaves in the CSRs, the results of CSR instructions, and the
 * order of interrupts. */

	.equ	MTIMECMP, 0x02004000
	.equ	UNMAPPED, 0x28000000

/* Runs an instruction in a mode; prints cause, epc less its address, tval, and MPP. */
.macro TRY mode, insn:vararg
	li	t0, 3 << 11
	csrc	mstatus, t0
	li	t0, \mode << 11
	csrs	mstatus, t0
	la	s2, 800f
	la	s3, 801f
	csrw	mepc, s2
	mret
	.balign	4
800:	\insn
	ecall
801:
.endm

	.globl	test
test:
	la	t0, handler
	csrw	mtvec, t0
	li	s4, UNMAPPED

	TRY	3, ecall
	TRY	0, ecall
	TRY	3, ebreak
	TRY	0, c.ebreak
	TRY	3, .word 0xffffffff
	TRY	3, .half 0
	TRY	0, csrr a0, mstatus
	TRY	0, mret
	TRY	3, csrw cycle, a0
	TRY	3, csrr a0, 0x7ff
	TRY	3, lw a0, 8(s4)
	TRY	3, lbu a0, 3(s4)
	TRY	0, sw a0, 4(s4)
	TRY	3, jr s4
	TRY	3, .word 0x02000033 | 1 << 26
	TRY	0, c.nop

	/* Counters of user mode */
	csrw	mcounteren, zero
	TRY	0, rdcycle a0
	TRY	0, rdinstret a0

	/* CSR instructions */
	li	t0, 0x12345678
	csrrw	a0, mscratch, t0
	csrrw	a0, mscratch, zero
	call	print_hex
	csrrsi	a0, mscratch, 21
	call	print_hex
	csrrci	a0, mscratch, 5
	call	print_hex
	li	t0, 0xff00ff00
	csrrs	a0, mscratch, t0
	call	print_hex
	csrrc	a0, mscratch, t0
	call	print_hex
	csrrwi	a0, mscratch, 31
	call	print_hex
	csrr	a0, mscratch
	call	print_hex
	csrr	a0, mhartid
	call	print_hex

	/* A timer interrupt, at once when it is enabled, and one that ends a WFI */
	li	t0, MTIMECMP
	sw	zero, (t0)
	sw	zero, 4(t0)
	li	t1, 128
	csrw	mie, t1
	la	s3, 1f
	csrsi	mstatus, 8
	nop
	nop
1:	li	t0, MTIMECMP
	sw	zero, (t0)
	sw	zero, 4(t0)
	li	t1, 128
	csrw	mie, t1
	csrci	mstatus, 8
	wfi
	csrr	a0, mip
	andi	a0, a0, 128
	call	print_hex
	la	s3, 2f
	li	t0, 0x1880
	csrc	mstatus, t0
	la	t0, 3f
	csrw	mepc, t0
	mret
	.balign	4
3:	nop
	ecall
2:	j	finish

	/* Continues at s3 in machine mode. */
	.balign	4
handler:
	csrr	a0, mcause
	call	print_hex
	csrr	a0, mepc
	sub	a0, a0, s2
	csrr	t0, mcause
	bltz	t0, 1f
	call	print_hex
	csrr	a0, mtval
	call	print_hex
1:	csrr	a0, mstatus
	li	t0, 0x1880
	and	a0, a0, t0
	call	print_hex
	li	t0, MTIMECMP
	li	t1, -1
	sw	t1, 4(t0)
	csrw	mie, zero
	jr	s3
