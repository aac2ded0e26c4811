/* SPDX-License-Identifier: Apache-2.0 */
/* The straight code of icache_l2: 16384 instructions of 4 bytes. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.text
	.balign	64
	.option	norelax
	.option	norvc
function long_code
	.rept	16384
	addi	a0, a0, 1
	.endr
	ret
end_function long_code
