/* SPDX-License-Identifier: Apache-2.0 */
/* Reset, trap entry, and accesses with the rights of the trapped code. */
#include "../csr.h"
#include "../frame.inc"

	.cfi_sections .debug_frame
	.section .text.start, "ax"

/* mscratch holds the firmware's stack while other code runs, and 0 while the firmware
 * runs, so that a trap inside the firmware is detected. Memory need not be cleared,
 * because all variables have initial values in the file. Each hart has a page of stack;
 * hart 0 has the highest. */
#ifndef HARTS
#define HARTS 1
#endif

function _start
	.cfi_undefined ra
	mv	s1, a1
	la	t0, trap_entry
	csrw	mtvec, t0
	csrw	mscratch, zero
	csrw	mie, zero
	csrr	t0, mhartid
#if HARTS > 1
	bnez	t0, hart_wait
#else
1:
	beqz	t0, 2f
	wfi
	j	1b
2:
#endif
	la	sp, stack_top
	call	firmware_main
	la	t0, stack_top
	csrw	mscratch, t0
	csrr	a0, mhartid
	mv	a1, s1
	mret
end_function _start

#if HARTS > 1
function hart_wait
	.cfi_undefined ra
	la	s2, stack_top
	csrr	t0, mhartid
	slli	t0, t0, 12
	sub	s2, s2, t0
	mv	sp, s2
	csrw	mscratch, zero
	call	firmware_wait
	mv	s1, a0
	call	firmware_main
	csrw	mscratch, s2
	ld	t0, 0(s1)
	csrw	mepc, t0
	csrr	a0, mhartid
	ld	a1, 8(s1)
	mret
end_function hart_wait
#endif

trap_function trap_entry
	.cfi_same_value 2
	csrrw	sp, mscratch, sp
	bnez	sp, 1f
	la	sp, stack_top
	tail	firmware_panic
1:
	addi	sp, sp, -FRAME_SIZE
	frame_each sd
	sd	tp, 8 * 4(sp)
	csrr	t0, mepc
	csrr	t1, mstatus
	csrr	t2, mcause
	csrr	t3, mtval
	sd	t0, FRAME_PC(sp)
	sd	t1, FRAME_STATUS(sp)
	sd	t2, FRAME_CAUSE(sp)
	sd	t3, FRAME_TVAL(sp)
	csrrw	t0, mscratch, zero
	sd	t0, 8 * 2(sp)
	frame_cfi
	mv	a0, sp
	call	firmware_trap
	ld	t0, FRAME_PC(sp)
	ld	t1, FRAME_STATUS(sp)
	csrw	mepc, t0
	csrw	mstatus, t1
	addi	t0, sp, FRAME_SIZE
	csrw	mscratch, t0
	frame_each ld
	ld	tp, 8 * 4(sp)
	ld	sp, 8 * 2(sp)
	mret
end_function trap_entry

	.text

/* A fault in the access skips it with a0 = -1. The address is in another register,
 * because kernel addresses are negative as well. mstatus is always restored afterwards,
 * since such a trap changes its MPP. */
.macro guest_access name, access
function \name
	mv	a4, a0
	li	a0, 0
	la	t0, guest_fault
	csrrw	t0, mtvec, t0
	li	t1, STATUS_MPRV
	or	t1, t1, a3
	csrrs	t1, mstatus, t1
	.option	push
	.option	norvc
	\access
	.option	pop
	csrw	mstatus, t1
	csrw	mtvec, t0
	ret
end_function \name
.endm

guest_access guest_load, "lbu a0, (a4)"
guest_access guest_store, "sb a1, (a4)"

trap_function guest_fault
	csrr	t2, mcause
	sd	t2, FRAME_CAUSE(a2)
	csrr	t2, mtval
	sd	t2, FRAME_TVAL(a2)
	csrr	t2, mepc
	addi	t2, t2, 4
	csrw	mepc, t2
	li	a0, -1
	mret
end_function guest_fault
