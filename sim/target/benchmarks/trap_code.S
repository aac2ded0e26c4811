/* SPDX-License-Identifier: Apache-2.0 */
/* The code of trap: the traps, and their handler, which may use t0 and t1 freely. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.text
function trap_calls
	li	t1, 0
1:
	ecall
	addi	a0, a0, -1
	bnez	a0, 1b
	mv	a0, t1
	ret
end_function trap_calls

trap_function trap_count
	csrr	t0, mepc
	addi	t1, t1, 1
	addi	t0, t0, 4
	csrw	mepc, t0
	mret
end_function trap_count
