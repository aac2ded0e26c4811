/* SPDX-License-Identifier: Apache-2.0 */
/* Register-register arithmetic of RV64I, also when operands share registers. */
#include "tables.h"
#include "run-op.h"

	.globl	test
test:
	mv	s11, ra
	.include "op.inc"
	jr	s11
