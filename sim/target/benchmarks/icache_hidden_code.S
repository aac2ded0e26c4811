/* SPDX-License-Identifier: Apache-2.0 */
/* The code of icache_hidden. The next line is requested when the last instruction of this
 * one leaves fetch, which is when the division before it begins. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.text
	.option	norelax
	.option	norvc
	.balign	64
function hidden_code
	.rept	512
	.rept	13
	addi	a0, a0, 1
	.endr
	li	a2, 3
	divu	a3, a1, a2
	addi	a0, a0, 1
	.endr
	ret
end_function hidden_code
