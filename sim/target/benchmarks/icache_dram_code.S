/* SPDX-License-Identifier: Apache-2.0 */
/* The code of icache_dram: one line per page, which continues in the next page. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.section .text.z_far, "ax"
	.option	norelax
	.option	norvc
	.balign	4096
function far_code
	.set	page, 0
	.rept	340
	.rept	12
	addi	a0, a0, 1
	.endr
	j	1f
	.set	page, page + 1
	.org	far_code + 4096 * page
1:
	.endr
	ret
end_function far_code
