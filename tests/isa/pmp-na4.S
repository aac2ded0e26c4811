/* SPDX-License-Identifier: Apache-2.0 */
/* NA4 covers four bytes; an access only partly inside fails. */
#include "pmp.h"

	.globl	test
test:
	mv	s11, ra
	la	a0, region + 8
	PMPADDR	0, region + 8
	PMPCFG	0, PMP_NA4
	CASE	1
	LOAD_NOT U, a0
	addi	a2, a0, 3
	STORE_NOT S, a2
	addi	a2, a0, 4
	LOAD_OK	U, a2
	STORE_OK S, a2
	addi	a2, a0, -1
	LOAD_OK	U, a2
	TRY	U, lw a1, -4(a0)
	OK	U
	CASE	2			/* a doubleword half inside */
	TRY	U, ld a1, 0(a0)
	WANT	LOAD_ACCESS
	EQ_REG	s4, a0
	TRY	U, sd a1, 0(a0)
	WANT	STORE_ACCESS
	CASE	3			/* even if both entries would allow it */
	PMPCFG	0, PMP_NA4 | PMP_R | PMP_W | PMP_X
	TRY	U, lw a1, 0(a0)
	OK	U
	TRY	U, ld a1, 0(a0)
	WANT	LOAD_ACCESS
	CASE	4			/* an unlocked entry does not apply to M */
	PMPCFG	0, PMP_NA4
	LOAD_OK	M, a0
	jr	s11

	.bss
	.balign	4096
region:	.skip	4096
