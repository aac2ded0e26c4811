/* SPDX-License-Identifier: Apache-2.0 */
/* The code of itlb. Page n has its two instructions at 512 * (n % 8) + 4 * n + 4: no two
 * jumps share an entry of the BTB (pc[8:1]), and few lines share a set of the L1I. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.section .text.z_pages, "ax"
	.option	norelax
	.balign	4096
function page_code
	.set	page, 0
	.option	norvc
	j	1f
	.rept	128
	.org	page_code + 4096 * page + 512 * (page % 8) + 4 * page + 4
1:
	.option	rvc
	c.addi	a0, 1
	.option	norvc
	j	1f
	.set	page, page + 1
	.endr
1:
	ret
end_function page_code
