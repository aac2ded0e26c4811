/* SPDX-License-Identifier: Apache-2.0 */
/* Entry to and return from the supervisor, thread switch, user memory access.
 *
 * In U-mode sscratch holds the thread's record; in the supervisor sscratch is 0 and tp
 * holds the record. */
#include "../csr.h"
#include "../frame.inc"
#include "abi.h"

	.cfi_sections .debug_frame
	.text

trap_function trap_entry
	csrrw	tp, sscratch, tp
	bnez	tp, 1f
	csrr	tp, sscratch
	sd	sp, THREAD_KERNEL_SP(tp)
1:
	sd	sp, THREAD_USER_SP(tp)
	ld	sp, THREAD_KERNEL_SP(tp)
	addi	sp, sp, -FRAME_SIZE
	frame_each sd
	ld	t0, THREAD_USER_SP(tp)
	sd	t0, 8 * 2(sp)
	csrrw	t0, sscratch, zero
	sd	t0, 8 * 4(sp)
	csrr	t0, sepc
	csrr	t1, sstatus
	csrr	t2, scause
	csrr	t3, stval
	sd	t0, FRAME_PC(sp)
	sd	t1, FRAME_STATUS(sp)
	sd	t2, FRAME_CAUSE(sp)
	sd	t3, FRAME_TVAL(sp)
	frame_cfi
	li	t0, STATUS_SUM
	csrc	sstatus, t0
	mv	a0, sp
	call	trap_handler
	j	trap_return
end_function trap_entry

/* Returns from the supervisor, or from a nested trap, through the frame at sp. */
trap_function trap_return
	frame_cfi
	ld	t0, FRAME_PC(sp)
	ld	t1, FRAME_STATUS(sp)
	andi	t2, t1, STATUS_SPP
	bnez	t2, 1f
	addi	t2, sp, FRAME_SIZE
	sd	t2, THREAD_KERNEL_SP(tp)
	csrw	sscratch, tp
1:
	csrw	sepc, t0
	csrw	sstatus, t1
	frame_each ld
	ld	tp, 8 * 4(sp)
	ld	sp, 8 * 2(sp)
	sret
end_function trap_return

/* A new thread's switch_to returns here, with its frame at sp. */
trap_function thread_start
	frame_cfi
	j	trap_return
end_function thread_start

/* switch_to(prev, next): returns as `next`, from the call that suspended it. */
function switch_to
	sd	ra, THREAD_CONTEXT + 0(a0)
	sd	sp, THREAD_CONTEXT + 8(a0)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	sd	s\n, THREAD_CONTEXT + 16 + 8 * \n(a0)
	.endr
	ld	ra, THREAD_CONTEXT + 0(a1)
	ld	sp, THREAD_CONTEXT + 8(a1)
	.irp n, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
	ld	s\n, THREAD_CONTEXT + 16 + 8 * \n(a1)
	.endr
	mv	tp, a1
	ret
end_function switch_to

/* user_copy(to, from, size). If a page fault in here cannot be resolved, trap_handler
 * continues at user_copy_fault. */
function user_copy
	li	t0, STATUS_SUM
	csrs	sstatus, t0
	add	a2, a2, a1
	j	2f
1:
	lbu	t1, (a1)
	sb	t1, (a0)
	addi	a0, a0, 1
	addi	a1, a1, 1
2:
	bne	a1, a2, 1b
	li	a0, 0
3:
	csrc	sstatus, t0
	ret
	.globl	user_copy_fault
user_copy_fault:
	li	a0, -1
	j	3b
	.globl	user_copy_end
user_copy_end:
end_function user_copy
