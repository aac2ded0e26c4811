/* SPDX-License-Identifier: Apache-2.0 */
/* Start-up code of a program, and the supervisor's calls. Linked first, so that this code
 * is the same, at the same address, in every program. */
#include "../frame.inc"
#include "../supervisor/abi.h"

	.cfi_sections .debug_frame
	.text

/* Thread-local data (errno) is on the stack, cleared. user.ld checks that it fits and has
 * no initial values. */
function _start
	.cfi_undefined ra
	ld	a0, 0(sp)
	addi	a1, sp, 8
	addi	sp, sp, -64
	mv	tp, sp
	.irp n, 0, 8, 16, 24, 32, 40, 48, 56
	sd	zero, \n(sp)
	.endr
	call	main
	call	program_exit
end_function _start

.macro system_call name, number
function \name
	li	a7, \number
	ecall
	ret
end_function \name
.endm

system_call sys_write, SYS_WRITE
system_call sys_yield, SYS_YIELD
system_call sys_exit, SYS_EXIT
system_call sys_spawn, SYS_SPAWN
system_call sys_wait, SYS_WAIT
