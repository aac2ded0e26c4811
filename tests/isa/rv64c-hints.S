/* SPDX-License-Identifier: Apache-2.0 */
/* Every compressed HINT has no effect, in M and in U. */
#include "test.h"

	/* Executes all encodings from first to last, step apart, as one block. */
.macro HINTS first, last, step
	.set	hint, \first
	.rept	(\last - \first) / \step + 1
	.half	hint
	.set	hint, hint + \step
	.endr
.endm

.macro ALL_HINTS
	HINTS	0x0005, 0x007d, 4	/* c.nop, imm 1 to 31 */
	HINTS	0x1001, 0x107d, 4	/* c.nop, imm -32 to -1 */
	HINTS	0x0501, 0x0501, 4	/* c.addi a0, 0 */
	HINTS	0x4001, 0x407d, 4	/* c.li zero */
	HINTS	0x5001, 0x507d, 4
	HINTS	0x6005, 0x607d, 4	/* c.lui zero, not 0 */
	HINTS	0x7001, 0x707d, 4
	HINTS	0x8006, 0x807e, 4	/* c.mv zero */
	HINTS	0x9006, 0x907e, 4	/* c.add zero */
	HINTS	0x0002, 0x007e, 4	/* c.slli zero */
	HINTS	0x1002, 0x107e, 4
	HINTS	0x0502, 0x0502, 4	/* c.slli64 a0 */
	HINTS	0x8101, 0x8101, 4	/* c.srli64 a0 */
	HINTS	0x8501, 0x8501, 4	/* c.srai64 a0 */
.endm

	.globl	test
test:
	CASE	1
	li	a0, 0x8123456789abcdef
	li	a1, -1
	ALL_HINTS
	EQ	zero, 0
	EQ	a0, 0x8123456789abcdef
	EQ	a1, -1

	CASE	2
	la	a2, 1f
	TRY_JUMP U, a2
	EQ	s2, ECALL_U
	EQ	zero, 0
	EQ	a0, 0x8123456789abcdef
	ret

	.balign	4
1:	ALL_HINTS
	ecall
