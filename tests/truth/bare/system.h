/* SPDX-License-Identifier: Apache-2.0 */
/* Bare-metal programs, in M-mode, on stacks of their own. */
#ifndef TRUTH_BARE_SYSTEM_H
#define TRUTH_BARE_SYSTEM_H

#include "../hand.h"

extern const struct walk_system bare_system;

/* Reads the spans of the program in memory. Returns false, after a message, if it has
 * none. */
bool bare_init(const struct machine *m);
/* Returns whether the instruction at pc belongs to the stack of the one `before` it,
 * although registers are loaded for another task; not if a jump leads into such a
 * span. */
bool bare_is_leaving(const struct machine *m, uint64_t pc, uint64_t before);
/* Returns whether a function starts there. */
bool bare_is_entry(const struct machine *m, uint64_t pc);
/* The task whose stack was walked last: where its stack starts, and its first function; 0
 * and "" for that of the reset. */
struct bare_task {
	uint64_t bottom;
	const char *root;
};
struct bare_task bare_task(void);

#endif
