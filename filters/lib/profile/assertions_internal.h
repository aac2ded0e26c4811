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

#endif
