/* SPDX-License-Identifier: Apache-2.0 */
/* Linux as the walk needs it, and the (task, pid, comm) of points. */
#ifndef TRUTH_LINUX_H
#define TRUTH_LINUX_H

#include "../points.h"
#include "../walk.h"

extern const struct walk_system linux_system;

/* The kernel of `m` is to be Linux with DWARF; false, after a message, if not. */
bool linux_init(const struct machine *m);
/* Whether the vdso is among the binaries; a run without it has no signals, of which the
 * handlers return to it. */
bool linux_has_signals(void);

/* A point is reached: whose it is for the machine, and for the stream. */
void linux_count(const struct machine *m, const struct walk *walk,
		 const struct tr_reader *reader, const struct point *point);
/* Prints who ran. */
void linux_print(FILE *out);

#endif
