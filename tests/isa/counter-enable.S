/* SPDX-License-Identifier: Apache-2.0 */
/* mcounteren lets S read a counter, together with scounteren also U; M always may. */
#include "test.h"

.macro CHECK number, csr
	li	a0, 1 << \number
	not	a1, a0
	CASE	10 * \number + 1	/* neither */
	csrw	mcounteren, a1
	csrw	scounteren, a1
	TRY	M, csrr a2, \csr
	OK	M
	TRY	S, csrr a2, \csr
	WANT	ILLEGAL
	TRY	U, csrr a2, \csr
	WANT	ILLEGAL
	CASE	10 * \number + 2	/* M's only */
	csrw	mcounteren, a0
	TRY	S, csrr a2, \csr
	OK	S
	TRY	U, csrr a2, \csr
	WANT	ILLEGAL
	CASE	10 * \number + 3	/* S's only */
	csrw	mcounteren, a1
	csrw	scounteren, a0
	TRY	S, csrr a2, \csr
	WANT	ILLEGAL
	TRY	U, csrr a2, \csr
	WANT	ILLEGAL
	CASE	10 * \number + 4	/* both */
	csrw	mcounteren, a0
	TRY	S, csrr a2, \csr
	OK	S
	TRY	U, csrr a2, \csr
	OK	U
	TRY	U, csrw \csr, a2
	WANT	ILLEGAL
.endm

	.globl	test
test:
	mv	s11, ra
	CHECK	0, cycle
	CHECK	1, time
	CHECK	2, instret
	jr	s11
