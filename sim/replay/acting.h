/* SPDX-License-Identifier: Apache-2.0 */
/* Events on which a replay acts at their place, between instructions: interrupts, writes
 * of devices, gaps, hashes of the registers, and translations that begin anew. */
#ifndef REPLAY_ACTING_H
#define REPLAY_ACTING_H

#include <stdbool.h>
#include <stdint.h>

struct lane;
struct tr_event;

/* Returns whether the replay acts on the event. */
bool acts_on_event(const struct tr_event *event);
/* Acts on such an event, before which the hart has executed `instret` instructions. What
 * it cannot follow is a difference: replay_fail(). */
void act_on_event(struct lane *l, const struct tr_event *event, uint64_t instret);

#endif
