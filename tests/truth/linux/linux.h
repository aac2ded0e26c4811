/* SPDX-License-Identifier: Apache-2.0 */
/* Linux for the walk, and comparison of (task, pid, comm) at points. */
#ifndef TRUTH_LINUX_H
#define TRUTH_LINUX_H

#include "../points.h"
#include "../walk.h"

extern const struct walk_system linux_system;

/* The kernel of `m` must be Linux with DWARF. Returns false, after a message, if not. */
bool linux_init(const struct machine *m);
/* Returns whether the vdso is one of the binaries; a run without it has no signals,
 * because signal handlers return to it. */
bool linux_has_signals(void);

/* Counts a point: who runs according to the machine and to the stream. */
void linux_count(const struct machine *m, const struct walk *walk,
		 const struct tr_reader *reader, const struct point *point);
/* Prints the counts. */
void linux_print(FILE *out);

#endif
