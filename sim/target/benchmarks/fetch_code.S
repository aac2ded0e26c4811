/* SPDX-License-Identifier: Apache-2.0 */
/* The code of fetch: each of 8 lines has a jump to its last two bytes, where an addition
 * begins that ends in the next line. */
#include "../frame.inc"

	.cfi_sections .debug_frame
	.text
	.option	norelax
	.balign	512
function split_code
	.set	line, 64
	.option	rvc
	c.mv	a1, a0
	c.li	a0, 0
	c.j	1f
	.org	split_code + line + 2
1:
	.rept	8
	.option	rvc
	c.j	2f
	.org	split_code + line + 62
	.option	norvc
2:
	addi	a0, a0, 1
	.set	line, line + 64
	.endr
	addi	a1, a1, -1
	bnez	a1, 1b
	ret
end_function split_code
