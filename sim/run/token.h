/* SPDX-License-Identifier: Apache-2.0 */
/* A token as machines with timing hand it out. */
#ifndef RUN_TOKEN_H
#define RUN_TOKEN_H

#include <stdint.h>

struct machine_token {
	uint64_t pc;
	uint64_t cycle; /* of its commit: so many have passed since reset */
	uint32_t insn;	/* upper half 0 for 16-bit instructions */
	/* What the cycles before it were lost for, in the array that comes with it. */
	uint16_t first_run, nruns;
};

#endif
