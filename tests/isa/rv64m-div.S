/* SPDX-License-Identifier: Apache-2.0 */
/* Quotients and remainders, also by zero and on overflow. */
#include "tables.h"
#include "run-op.h"

	.globl	test
test:
	mv	s11, ra
	.include "div.inc"
	jr	s11
