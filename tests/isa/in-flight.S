/* SPDX-License-Identifier: Apache-2.0 */
/* More instructions, loads, stores, branches and results than fit into any list of a core,
 * behind a division or a load that misses: none is lost, and none stops the core. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, data
	li	a6, -1
	li	a7, 3
	li	t3, 40

	CASE	1			/* results */
1:	div	a1, a6, a7
	div	a1, a1, a7
	add	a5, a1, zero
	.rept	150
	addi	a5, a5, 1
	.endr
	EQ	a5, 150
	CASE	2			/* stores, then loads of what they store */
	div	a1, a6, a7
	sd	a1, 0(a0)
	.set	at, 8
	.rept	80
	sd	t3, at(a0)
	.set	at, at + 8
	.endr
	.set	at, 8
	li	a5, 0
	.rept	80
	ld	a2, at(a0)
	add	a5, a5, a2
	.set	at, at + 8
	.endr
	slli	a2, t3, 6
	slli	a3, t3, 4
	add	a2, a2, a3
	EQ_REG	a5, a2
	CASE	3			/* loads behind one that misses, of all sizes */
	slli	a2, t3, 12
	add	a2, a2, a0
	ld	a5, 0(a2)
	.rept	40
	ld	a1, 8(a0)
	lw	a2, 16(a0)
	lhu	a3, 24(a0)
	lb	a4, 32(a0)
	.endr
	add	a5, a5, a4
	EQ_REG	a5, t3
	CASE	4			/* branches, taken or not, that wait */
	div	a1, a6, a7
	.rept	60
	bnez	a1, fail
	beqz	a1, 2f
	j	fail
2:
	.endr
	CASE	5			/* divisions and multiplications */
	li	a5, 1
	.rept	12
	div	a1, a5, a7
	mul	a2, a5, a7
	add	a5, a5, a1
	sub	a5, a5, a1
	rem	a3, a2, a7
	add	a5, a5, a3
	.endr
	EQ	a5, 1
	addi	t3, t3, -1
	beqz	t3, 3f
	j	1b
3:	jr	s11

	.bss
	.balign	4096
data:	.skip	41 * 4096
