/* SPDX-License-Identifier: Apache-2.0 */
/* A failing case powers off with its number as status: power-status.exit has 77. */
#include "test.h"

	.globl	test
test:
	CASE	77
	j	fail
