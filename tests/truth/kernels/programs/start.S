/* SPDX-License-Identifier: Apache-2.0 */
/* Reset: each hart calls kernel_main(), on its part of the boot's stacks. */
#include "kernel.h"

	.cfi_sections .debug_frame
	.section .text.start, "ax"

label _start
	.cfi_undefined ra
	csrr	a0, mhartid
	la	sp, stack_top
	slli	t0, a0, BOOT_STACK_SHIFT
	sub	sp, sp, t0
	call	kernel_main
1:
	j	1b
end_label
