/* SPDX-License-Identifier: Apache-2.0 */
/* Reads of a CSR, which execute alone. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

work:
1:	.rept	16
	csrr	a0, mscratch
	.endr
	AGAIN	1b
