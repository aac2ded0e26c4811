/* SPDX-License-Identifier: Apache-2.0 */
/* The RTL as a machine (run/machine.h): triggers, traps, L2 and DRAM, console. */
#ifndef VERILATED_HARNESS_H
#define VERILATED_HARNESS_H

#include "l2_dram.h"
#include "run/machine.h"

struct harness_options {
	bool has_float; /* the F and D extensions */
	struct l2_dram_timing timing;
	bool no_skip;  /* evaluate every cycle */
	bool lockstep; /* compare with the model */
};

/* Returns a machine at reset, or NULL if memory runs out. */
struct machine *harness_new(uint64_t ram_size, const struct harness_options *options);
void harness_free(struct machine *m);

#endif
