/* SPDX-License-Identifier: Apache-2.0 */
/* Every kind of instruction that can write tp, which the trace port reports. */
#include "test.h"

.macro WRITES value, insn:vararg
	li	tp, 0x5a5a5a5a
	\insn
	EQ	tp, \value
.endm

	.globl	test
test:
	mv	s11, ra
	la	a0, data
	li	a1, 7
	li	a2, -3
	li	a4, 6
	CASE	1
	WRITES	8, addi tp, a1, 1
	WRITES	4, add tp, a1, a2
	WRITES	10, sub tp, a1, a2
	WRITES	1, slti tp, a2, 0
	WRITES	28, slli tp, a1, 2
	WRITES	-2, sraiw tp, a2, 1
	WRITES	0x12345000, lui tp, 0x12345
	WRITES	4, addw tp, a1, a2
	WRITES	-21, mul tp, a1, a2
	WRITES	-2, div tp, a1, a2
	WRITES	1, remu tp, a1, a4
	WRITES	4, xori tp, a1, 3
	CASE	2
	WRITES	0x11223344, lw tp, 4(a0)
	WRITES	-120, lb tp, 0(a0)
	WRITES	0x1122334455667788, ld tp, 0(a0)
	WRITES	0x7788, lhu tp, 0(a0)
	CASE	3
	WRITES	0x1122334455667788, lr.d tp, (a0)
	WRITES	0, sc.d tp, a1, (a0)
	WRITES	7, amoadd.d tp, a1, (a0)
	WRITES	14, amoswap.w tp, a1, (a0)
	CASE	4
	csrw	mscratch, a2
	WRITES	-3, csrr tp, mscratch
	WRITES	-3, csrrw tp, mscratch, a1
	CASE	5
	WRITES	-7, c.li tp, -7
	WRITES	0x5000, c.lui tp, 5
	WRITES	7, c.mv tp, a1
	WRITES	0x5a5a5a61, c.add tp, a1
	WRITES	0x5a5a5a5b, c.addi tp, 1
	WRITES	0x5a5a5a59, c.addiw tp, -1
	WRITES	0x2d2d2d2d0, c.slli tp, 3
	mv	a3, sp
	mv	sp, a0
	sd	a2, 0(a0)
	WRITES	-3, c.ldsp tp, 0(sp)
	WRITES	-3, c.lwsp tp, 0(sp)
	mv	sp, a3
	CASE	6			/* jumps that link to it, through it */
	.option	norvc
	la	a1, 1f
	jal	tp, 2f
1:	j	fail
2:	EQ_REG	tp, a1
	la	tp, 2f
	la	a1, 1f
	jalr	tp, 0(tp)
1:	j	fail
2:	EQ_REG	tp, a1
	la	a3, 2f
	la	a1, 1f
	jalr	tp, 0(a3)
1:	j	fail
2:	EQ_REG	tp, a1
	jal	a1, 1f
1:	auipc	tp, 0
	EQ_REG	tp, a1
	jr	s11

	.data
	.balign	8
data:	.dword	0x1122334455667788
