/* SPDX-License-Identifier: Apache-2.0 */
/* The last bytes of the address space are no memory. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, -8
	CASE	1
	TRY	M, sw a1, 0(a0)
	WANT	STORE_ACCESS
	EQ_REG	s4, a0
	CASE	2
	TRY	M, sd a1, 0(a0)
	WANT	STORE_ACCESS
	CASE	3
	TRY	M, ld a1, 0(a0)
	WANT	LOAD_ACCESS
	CASE	4
	TRY	U, sw a1, 0(a0)
	WANT	STORE_ACCESS
	jr	s11
