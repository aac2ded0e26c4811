/* SPDX-License-Identifier: Apache-2.0 */
/* Switches of harts from one thread to another: how long the kernel took, from the
 * stacks.
 *
 * A switch begins where the thread that is left has executed its last instruction, and
 * ends where the other one executes its first, both outside of the kernel's switch. What
 * belongs to the switch is one frame of the thread's stack, with all above it:
 * - the first frame above the innermost trap that is of a function named as a scheduler;
 * - else the innermost trap, if it is an interrupt, or was taken from the privilege that
 *   handles it, or if nothing but its handler is above it;
 * - else the function on top: the one that was called to switch.
 * The other thread has executed its first instruction when that frame has left its own
 * stack; a new thread has with its first one.
 *
 * Memory grows with the number of threads, pairs of them, and distinct durations. */
#ifndef TR_SWITCHES_H
#define TR_SWITCHES_H

#include "base/report.h"
#include "stream/reader.h"
#include "timeline/timeline.h"

struct tr_switches;

/* Creates the state for tr_switches_writer. The profile, its reader, and the names of
 * schedulers beside Linux's __schedule, are kept. Returns NULL when out of memory;
 * tr_switches_free() accepts NULL. */
struct tr_switches *tr_switches_new(const struct tr_profile *, const struct tr_reader *,
				    const char *const *names, size_t count);
void tr_switches_free(struct tr_switches *);
/* Takes the steps of a timeline of threads. */
extern const struct tr_timeline_writer tr_switches_writer;

/* Reports the table "switches", the rows with the most cycles first. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_switches_table(const struct tr_switches *, struct tr_report *);
/* Returns the number of switches that are not in the table: they began before the window,
 * untraced time is in them, or their thread was perhaps left in a trap before the window.
 */
uint64_t tr_switches_unknown(const struct tr_switches *);

#endif
