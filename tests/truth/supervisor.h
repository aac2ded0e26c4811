/* SPDX-License-Identifier: Apache-2.0 */
/* Our small supervisor: its threads, and its assembly code. */
#ifndef TRUTH_SUPERVISOR_H
#define TRUTH_SUPERVISOR_H

#include "hand.h"

extern const struct walk_system supervisor_system;
extern const struct hand_rule supervisor_rules[];

/* The kernel of `m` must be that supervisor. Returns false, after a message, if not. */
bool supervisor_init(const struct machine *m);
/* Returns the pc at which a thread begins to exit. */
uint64_t supervisor_exit_pc(void);
/* Called at that pc: saves the user part of the thread, whose memory is freed while it
 * still runs, and is unchanged until then. */
void supervisor_remember(const struct machine *m);

#endif
