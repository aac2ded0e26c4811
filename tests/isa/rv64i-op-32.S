/* SPDX-License-Identifier: Apache-2.0 */
/* Register-register arithmetic on words: results are sign-extended. */
#include "tables.h"
#include "run-op.h"

	.globl	test
test:
	mv	s11, ra
	.include "op-32.inc"
	jr	s11
