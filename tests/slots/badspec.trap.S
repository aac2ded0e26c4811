/* SPDX-License-Identifier: Apache-2.0 */
/* A system call whose handler is itself, without end. */
#include "slots.inc"

	PROGRAM	1, 0

	.option	norvc
setup:
	la	a0, work
	csrw	mtvec, a0
	ret

	.balign	4
work:
	ecall
