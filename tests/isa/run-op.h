/* SPDX-License-Identifier: Apache-2.0 */
/* Runs three-operand rows: a, b, result, result of (a, a). */
#ifndef RUN_OP_H
#define RUN_OP_H

.macro RUN_OP n, op
	END_DATA \n
602:	ld	a0, 0(s9)
	ld	a1, 8(s9)
	ld	a2, 16(s9)
	ld	a3, 24(s9)
	\op	a4, a0, a1
	EQ_REG	a4, a2
	mv	a4, a0
	\op	a4, a4, a1
	EQ_REG	a4, a2
	mv	a4, a1
	\op	a4, a0, a4
	EQ_REG	a4, a2
	mv	a4, a0
	\op	a4, a4, a4
	EQ_REG	a4, a3
	\op	zero, a0, a1
	bnez	zero, 604f
	NEXT_ROW 32
	j	605f
604:	j	fail
605:
.endm

#endif
