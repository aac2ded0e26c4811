/* SPDX-License-Identifier: Apache-2.0 */
/* Upper immediates: sign extension, and auipc relative to its own address. */
#include "test.h"

	.globl	test
test:
	CASE	1
	lui	a0, 0
	EQ	a0, 0
	lui	a0, 1
	EQ	a0, 0x1000
	lui	a0, 0x7ffff
	EQ	a0, 0x7ffff000
	lui	a0, 0x80000
	EQ	a0, 0xffffffff80000000
	lui	a0, 0xfffff
	EQ	a0, 0xfffffffffffff000
	lui	a0, 0x12345
	EQ	a0, 0x12345000

	CASE	2
	.option	push
	.option	norvc
	jal	a1, 1f
1:	auipc	a0, 0
	EQ_REG	a0, a1
	jal	a1, 1f
1:	auipc	a0, 1
	sub	a0, a0, a1
	EQ	a0, 0x1000
	jal	a1, 1f
1:	auipc	a0, 0x7ffff
	sub	a0, a0, a1
	EQ	a0, 0x7ffff000
	jal	a1, 1f
1:	auipc	a0, 0x80000
	sub	a0, a0, a1
	EQ	a0, 0xffffffff80000000
	jal	a1, 1f
1:	auipc	a0, 0xfffff
	sub	a0, a0, a1
	EQ	a0, -0x1000
	.option	pop

	CASE	3
	lui	zero, 0x12345
	auipc	zero, 0x12345
	EQ	zero, 0
	ret
