/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic and comparisons of binary32: results and flags. */
#include "run-float.h"

	.globl	test
test:
	FLOAT_ON
	.include "float-s.inc"
	ret
