/* SPDX-License-Identifier: Apache-2.0 */
/* csrrs and csrrc write whenever rs1 is not x0, even when it holds 0. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	CASE	1
	li	a2, 0
	.irp csr, mhartid, mvendorid, cycle, time, instret
	TRY	M, csrrs a1, \csr, a2
	WANT	ILLEGAL
	TRY	M, csrrc a1, \csr, a2
	WANT	ILLEGAL
	.endr
	jr	s11
