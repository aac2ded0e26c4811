/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine (run/machine.h): triggers, traps, memory, console. */
#ifndef RTL_HARNESS_H
#define RTL_HARNESS_H

#include "memory.h"
#include "run/machine.h"

struct harness_options {
	struct memory_timing timing;
	bool no_skip;  /* every cycle is one evaluation */
	bool lockstep; /* compare with the model */
};

/* At reset; NULL: out of memory. */
struct machine *harness_new(uint64_t ram_size, const struct harness_options *options);
void harness_free(struct machine *m);

#endif
