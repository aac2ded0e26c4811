/* SPDX-License-Identifier: Apache-2.0 */
/* mcycle and cycle are one counter: it counts, can be stopped, and can be written. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	rdcycle	a0
	nop
	rdcycle	a1
	bltu	a0, a1, 1f
	j	fail
1:	CASE	2
	csrr	a0, mcycle
	rdcycle	a1
	bltu	a1, a0, 2f
	CASE	3
	li	a0, 1 << 50
	csrw	mcycle, a0
	rdcycle	a1
	srli	a1, a1, 40
	EQ	a1, 1 << 10
	csrwi	mcycle, 0
	rdcycle	a1
	bltu	a1, a0, 3f
2:	j	fail
3:	CASE	4			/* inhibited */
	csrwi	mcountinhibit, 1
	rdcycle	a0
	nop
	rdcycle	a1
	EQ_REG	a1, a0
	csrwi	mcountinhibit, 0
	rdcycle	a0
	nop
	rdcycle	a1
	beq	a0, a1, 2b
	CASE	5			/* readable in S and U */
	li	a0, -1
	csrw	mcounteren, a0
	csrw	scounteren, a0
	csrr	a0, mcycle
	TRY	U, rdcycle a1
	OK	U
	bltu	a1, a0, 2b
	TRY	S, rdcycle a2
	OK	S
	bltu	a2, a1, 2b
	jr	s11
