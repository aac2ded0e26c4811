/* SPDX-License-Identifier: Apache-2.0 */
/* The tokens and events of a window, kept outside of the process that executed it: the
 * calls of machine_hooks in their order, compressed. The form is private to this module
 * and to one run: numbers are those of the host. */
#ifndef SAMPLE_RECORDING_H
#define SAMPLE_RECORDING_H

#include "base/buffer.h"
#include "run/machine.h"

/* What is known of a window without its tokens. */
struct recording_sums {
	uint64_t tokens, cycles;
	uint64_t idle; /* cycles of those in WFI */
};

struct recording {
	struct tr_buffer calls;
	struct machine_state open; /* before the first token */
	struct recording_sums sums;
	const struct machine *machine; /* that executes it */
	unsigned idle_class, width;    /* that of WFI, 0: none; commit slots of a cycle */
	uint64_t idle_slots, last_cycle;
};

/* Returns hooks that record what a machine does from here on. `r` is all zero but for
 * machine, idle_class, width and open. */
struct machine_hooks recording_hooks(struct recording *r);
/* Appends the window in a compressed form to `packed`, and frees the rest. Returns false
 * if memory runs out. */
bool recording_pack(struct recording *r, struct tr_buffer *packed);

/* Returns the sums of a packed window. */
struct recording_sums recording_sums(const struct tr_buffer *packed);

/* Calls the hooks tokens, trap, xret, satp and reg as they were recorded, after `open`,
 * for `hart`, with cycles from `cycle` on, and `machine` having the runs of a trap.
 * Returns the cycle in which the window ends, or UINT64_MAX if memory runs out. */
uint64_t recording_replay(const struct tr_buffer *packed, struct machine *machine,
			  unsigned hart, uint64_t cycle,
			  void (*open)(void *user, unsigned hart,
				       const struct machine_state *state),
			  const struct machine_hooks *hooks);

#endif
