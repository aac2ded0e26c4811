/* SPDX-License-Identifier: Apache-2.0 */
/* What the parser of assertions and their check share. */
#ifndef TR_PROFILE_ASSERTIONS_INTERNAL_H
#define TR_PROFILE_ASSERTIONS_INTERNAL_H

#include "profile/assertions.h"

enum assertion_figure {
	CALLS,
	SELF,
	SELF_PERCENT,
	TOTAL,
	TOTAL_PERCENT,
	MIN,
	MEDIAN,
	P90,
	P99,
	MAX,
	AWAY,
	INSTRUCTIONS,
	IPC,
	ASSERTION_FIGURES
};

/* Returns true for figures that only finished calls have. */
static inline bool assertion_is_of_calls(unsigned figure)
{
	return figure >= MIN && figure <= AWAY;
}

/* A figure is between low * factor / per and high * factor / per, or unknown. */
struct tr_assertion_value {
	bool is_known;
	uint64_t low, high, factor, per;
};

/* Returns true if all that the value may be is as asserted; it must be known. */
bool tr_assertion_holds(const struct tr_assertion *,
			const struct tr_assertion_value *value);

#endif
