/* SPDX-License-Identifier: Apache-2.0 */
/* menvcfg, senvcfg and mconfigptr exist, as privileged 1.12 requires. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1			/* FIOM can be set and cleared */
	.irp csr, menvcfg, senvcfg
	csrwi	\csr, 1
	csrr	a1, \csr
	andi	a1, a1, 1
	EQ	a1, 1
	csrwi	\csr, 0
	csrr	a1, \csr
	EQ	a1, 0
	.endr
	CASE	2
	TRY	S, csrr a1, menvcfg
	WANT	ILLEGAL
	TRY	S, csrr a1, senvcfg
	OK	S
	TRY	U, csrr a1, senvcfg
	WANT	ILLEGAL
	CASE	3			/* no configuration structure */
	csrr	a1, 0xf15
	EQ	a1, 0
	TRY	S, csrr a1, 0xf15
	WANT	ILLEGAL
	jr	s11
