/* SPDX-License-Identifier: Apache-2.0 */
/* Writing a read-only CSR is illegal and leaves rd unchanged; an access without a write
 * is legal. */
#include "test.h"

	.globl	test
test:
	mv	s11, ra
	li	a0, 0x55
	CASE	1
	.irp csr, mvendorid, marchid, mimpid, mhartid, cycle, time, instret
	TRY	M, csrrw a0, \csr, a0
	WANT	ILLEGAL
	TRY	M, csrrw a0, \csr, zero
	WANT	ILLEGAL
	TRY	M, csrrs a0, \csr, a0
	WANT	ILLEGAL
	TRY	M, csrrc a0, \csr, a0
	WANT	ILLEGAL
	TRY	M, csrrwi a0, \csr, 0
	WANT	ILLEGAL
	TRY	M, csrrsi a0, \csr, 1
	WANT	ILLEGAL
	TRY	M, csrrci a0, \csr, 1
	WANT	ILLEGAL
	.endr
	EQ	a0, 0x55
	CASE	2			/* mtval holds the instruction */
	TRY	M, .word 0xf1451573	/* csrrw a0, mhartid, a0 */
	WANT	ILLEGAL
	TVAL	0xf1451573
	CASE	3			/* no write: x0 or an immediate of 0 */
	.irp csr, mvendorid, marchid, mimpid, mhartid, cycle, time, instret
	TRY	M, csrrs a1, \csr, zero
	OK	M
	TRY	M, csrrc a1, \csr, zero
	OK	M
	TRY	M, csrrsi a1, \csr, 0
	OK	M
	TRY	M, csrrci a1, \csr, 0
	OK	M
	.endr
	CASE	4
	csrr	a1, mhartid
	EQ	a1, 0
	jr	s11
