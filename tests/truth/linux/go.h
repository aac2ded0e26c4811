/* SPDX-License-Identifier: Apache-2.0 */
/* Go's runtime: functions that call others on the scheduler's stack. Its call frame
 * information ends in them, so the stack that they were called on is recorded at their
 * entry. */
#ifndef TRUTH_LINUX_GO_H
#define TRUTH_LINUX_GO_H

#include "../hand.h"

/* Sets breakpoints at these functions, if one of the binaries has them. */
void go_init(struct machine *m);
/* Returns whether the next instruction is at one of them. */
bool go_is_at(const struct machine *m);
/* Records the stack there. */
void go_remember(const struct machine *m, const struct walk_system *system);

/* Hand rule for these functions. */
enum left go_leave(struct unwinding *u);
/* For gogo, which leaves for another stack. */
enum left go_leave_gogo(struct unwinding *u);
/* Returns whether the caller of `u` is the end of a goroutine, which has not run yet. */
bool go_is_end(const struct unwinding *u);
/* Adds the recorded frames below the function that go_leave() has left. */
void go_push(const struct unwinding *u, struct walk *walk);

#endif
