/* SPDX-License-Identifier: Apache-2.0 */
/* Writes of satp, each of which empties the pipeline. */
#include "slots.inc"

	PROGRAM	50

	.option	norvc
setup:
	ret

work:
1:	.rept	16
	csrw	satp, zero
	.endr
	AGAIN	1b
