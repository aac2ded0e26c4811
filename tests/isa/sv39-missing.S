/* SPDX-License-Identifier: Apache-2.0 */
/* Entries that are not valid, at each level, for each kind of access. */
#include "test.h"

.macro ALL_FAULT mode, va
	li	a0, \va
	TRYV	\mode, lb a1, 0(a0)
	WANT	LOAD_PAGE
	EQ_REG	s4, a0
	TRYV	\mode, sw a1, 0(a0)
	WANT	STORE_PAGE
	EQ_REG	s4, a0
	TRYV	\mode, lr.d a1, (a0)
	WANT	LOAD_PAGE
	EQ_REG	s4, a0
	TRY_JUMP \mode, a0
	WANT_AT	FETCH_PAGE, a0, a0
.endm

	.globl	test
test:
	mv	s11, ra
	VM_ON
	CASE	1			/* nothing in the root */
	ALL_FAULT S, 0
	ALL_FAULT U, 0x3fc0000000
	ALL_FAULT S, 0xffffffffc0000000
	CASE	2			/* nothing in the middle */
	ALL_FAULT S, TEST_VA + 0x200000
	ALL_FAULT U, TEST_VA + 0x3fe00ff8
	CASE	3			/* nothing in the last */
	ALL_FAULT S, TEST_VA + 0x1000
	ALL_FAULT U, TEST_VA + 0x1ffff8
	CASE	4			/* every bit but V */
	SET_PTE	1, page, R | W | X | A | D
	ALL_FAULT S, TEST_VA + 0x1000
	SET_PTE	1, page, R | W | X | A | D | PU
	ALL_FAULT U, TEST_VA + 0x1000
	CASE	5			/* M is not translated */
	li	a0, SOC_RAM_BASE
	ld	a1, 0(a0)
	jr	s11

	.bss
	.balign	4096
page:	.skip	4096
