/* SPDX-License-Identifier: Apache-2.0 */
/* Our small supervisor: its threads, and its assembly code. */
#ifndef TRUTH_SUPERVISOR_H
#define TRUTH_SUPERVISOR_H

#include "hand.h"

extern const struct walk_system supervisor_system;
extern const struct hand_rule supervisor_rules[];

/* The kernel of `m` is to be that supervisor; false, after a message, if not. */
bool supervisor_init(const struct machine *m);
/* Where a thread begins to end. */
uint64_t supervisor_exit_pc(void);
/* The machine stands there: remembers the user part of the thread, whose memory is
 * freed while it still runs, and may not change before that. */
void supervisor_remember(const struct machine *m);

#endif
