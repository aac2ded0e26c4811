/* SPDX-License-Identifier: Apache-2.0 */
/* Code that changes through another address, or by remapping its page, after fence.i. */
#include "test.h"

.macro RUNS mode, reg, value
	li	a1, 0
	TRY_JUMP \mode, \reg
	EQ	s2, (8 + \mode)
	EQ	a1, \value
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	SET_PTE	0, one, RWX | PU
	SET_PTE	1, one, RWX
	li	a0, TEST_VA		/* U's view of the page */
	li	a2, TEST_VA + 4096	/* S's view of it */
	la	a3, one
	CASE	1
	RUNS	U, a0, 1
	RUNS	S, a2, 1
	CASE	2			/* written by S, run by U */
	li	a4, 0x4595		/* c.li a1, 5 */
	TRYV	S, sh a4, 0(a2)
	OK	S
	TRYV	S, fence.i
	OK	S
	RUNS	U, a0, 5
	RUNS	S, a2, 5
	CASE	3			/* written by M at the physical address */
	li	a4, 0x4599		/* c.li a1, 6 */
	sh	a4, 0(a3)
	fence.i
	RUNS	U, a0, 6
	RUNS	S, a2, 6
	CASE	4			/* by U, with an AMO, and with SC */
	li	a4, 0x0073459d	/* c.li a1, 7; lower half of ecall */
	TRYV	U, amoswap.w a5, a4, (a0)
	OK	U
	TRYV	U, fence.i
	OK	U
	RUNS	S, a2, 7
	li	a4, 0x007345a1
	lr.w	a5, (a3)
	sc.w	a5, a4, (a3)
	EQ	a5, 0
	fence.i
	RUNS	U, a0, 8
	CASE	5			/* another page mapped at the same address */
	SET_PTE	0, two, RWX | PU
	RUNS	U, a0, 2
	RUNS	S, a2, 8
	SET_PTE	0, one, RWX | PU
	RUNS	U, a0, 8
	CASE	6			/* the same address is other code in another
                                         * mode */
	SET_PTE	1, two, RWX
	RUNS	S, a2, 2
	RUNS	U, a0, 8
	jr	s11

	.data
	.balign	4096
one:	c.li	a1, 1
	ecall
	.balign	4096
two:	c.li	a1, 2
	ecall
	.balign	4096
