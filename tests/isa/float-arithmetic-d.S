/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic and comparisons of binary64: results and flags. */
#include "run-float.h"

	.globl	test
test:
	FLOAT_ON
	.include "float-d.inc"
	ret
