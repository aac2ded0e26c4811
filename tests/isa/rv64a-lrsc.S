/* SPDX-License-Identifier: Apache-2.0 */
/* LR and SC: success, the result code, and operations that do not end a reservation. */
#include "test.h"

	.globl	test
test:
	la	a0, word
	li	a5, 0x1122334455667788
	li	a6, 0xffffffffaaaaaaaa

	CASE	1			/* without a reservation nothing is stored */
	sd	a5, 0(a0)
	lr.d	a1, (a0)
	sc.d	a2, a1, (a0)
	sc.d	a2, a6, (a0)
	EQ	a2, 1
	ld	a1, 0(a0)
	EQ_REG	a1, a5
	sc.w	a2, a6, (a0)
	EQ	a2, 1

	CASE	2			/* doublewords */
	lr.d	a1, (a0)
	EQ_REG	a1, a5
	sc.d	a2, a6, (a0)
	EQ	a2, 0
	ld	a1, 0(a0)
	EQ_REG	a1, a6

	CASE	3			/* words: sign-extended, the other half
                                         * unchanged */
	sd	a5, 0(a0)
	lr.w	a1, (a0)
	EQ	a1, 0x55667788
	sc.w	a2, a6, (a0)
	EQ	a2, 0
	ld	a1, 0(a0)
	EQ	a1, 0x11223344aaaaaaaa
	lr.w	a1, (a0)
	EQ	a1, 0xffffffffaaaaaaaa
	addi	a3, a0, 4
	lr.w	a1, (a3)
	sc.w	a2, a5, (a3)
	EQ	a2, 0
	ld	a1, 0(a0)
	EQ	a1, 0x55667788aaaaaaaa

	CASE	4			/* every ordering */
	.irp order, .aq, .rl, .aqrl
	lr.d\order a1, (a0)
	sc.d\order a2, a1, (a0)
	EQ	a2, 0
	lr.w\order a1, (a0)
	sc.w\order a2, a1, (a0)
	EQ	a2, 0
	.endr

	CASE	5			/* a failed SC ends the reservation as well */
	la	a3, elsewhere
	lr.d	a1, (a0)
	sc.d	a2, a1, (a3)
	EQ	a2, 1
	sc.d	a2, a1, (a0)
	EQ	a2, 1

	CASE	6			/* a second LR moves it */
	lr.d	a1, (a3)
	lr.d	a1, (a0)
	sc.d	a2, a1, (a3)
	EQ	a2, 1
	lr.d	a1, (a3)
	lr.d	a1, (a0)
	sc.d	a2, a1, (a0)
	EQ	a2, 0

	CASE	7			/* arithmetic and branches between the two */
	sd	zero, 0(a0)
	li	a4, 100
1:	lr.d	a1, (a0)
	addi	a1, a1, 3
	beqz	zero, 2f
2:	sc.d	a2, a1, (a0)
	bnez	a2, 1b
	addi	a4, a4, -1
	bnez	a4, 1b
	ld	a1, 0(a0)
	EQ	a1, 300

	CASE	8			/* shared registers, x0 */
	lr.d	a1, (a0)
	li	a2, 7
	sc.d	a2, a2, (a0)
	EQ	a2, 0
	ld	a1, 0(a0)
	EQ	a1, 7
	lr.d	zero, (a0)
	sc.d	zero, zero, (a0)
	EQ	zero, 0
	ld	a1, 0(a0)
	EQ	a1, 0
	mv	a1, a0
	lr.d	a1, (a1)
	EQ	a1, 0
	mv	a1, a0
	sc.d	a1, a0, (a1)
	EQ	a1, 0
	ld	a1, 0(a0)
	EQ_REG	a1, a0
	ret

	.bss
	.balign	64
word:	.skip	64
elsewhere:
	.skip	64
