/* SPDX-License-Identifier: Apache-2.0 */
/* Products, low and high halves, of every mix of signs. */
#include "tables.h"
#include "run-op.h"

	.globl	test
test:
	mv	s11, ra
	.include "mul.inc"
	jr	s11
