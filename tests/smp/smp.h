/* SPDX-License-Identifier: Apache-2.0 */
/* Self-checking programs of two harts. Both call `test` with their number in s0; its
 * return ends the hart's part, and the run when both have returned. FAIL ends it at once
 * with the number of a case.
 *
 * Registers: s0 the hart, s1 ROUNDS, s10 and s11 of the barrier. */
#ifndef SMP_H
#define SMP_H

#include "soc.h"

#ifndef ROUNDS
#define ROUNDS 2000
#endif
/* With 1 there is nobody to wait for. */
#ifndef HARTS
#define HARTS 2
#endif

#define FAIL(number)                                                                     \
	li a0, number;                                                                   \
	j fail

/* Waits until both harts are here. Clobbers t0 and t1. */
#define BARRIER call barrier

/* Variables, each in a line of its own. */
#define VARIABLE(name)                                                                   \
	.balign 64;                                                                      \
	name:                                                                            \
	.dword 0;                                                                        \
	.balign 64

#endif
