/* SPDX-License-Identifier: Apache-2.0 */
/* The slowest calls of a function, and when they were. */
#ifndef TR_PROFILE_SLOWEST_H
#define TR_PROFILE_SLOWEST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/report.h"

enum { TR_SLOWEST = 20 };

struct tr_slow_call {
	uint64_t duration; /* in the profile's unit, as of struct tr_profile_line */
	uint64_t away;	   /* cycles in it during which its thread did not run */
	uint64_t from, to; /* its cycles, `to` excluded */
	uint32_t hart;	   /* on which it ends */
	bool is_open;	   /* it does not end: `to` and `hart` are unknown, and `duration`
			    * is that of the part that was seen */
	const char *thread;
};

/* The slowest calls, in descending order; of equally slow ones the first. All zero is
 * empty. */
struct tr_slowest {
	struct tr_slow_call call[TR_SLOWEST];
	unsigned count;
};

void tr_slowest_add(struct tr_slowest *slowest, const struct tr_slow_call *call);

/* Reports them as the table "calls", below a line with the number of all `calls` and of
 * those that `ended`; `unit` is that of durations. Returns TR_OK or TR_E_NOMEM. */
int tr_slowest_report(const struct tr_slowest *slowest, const char *function,
		      const char *unit, uint64_t calls, uint64_t ended,
		      struct tr_report *report);

#endif
