/* SPDX-License-Identifier: Apache-2.0 */
/* Assertions about the functions of a profile, such as deadlines for CI: FUNCTION.FIGURE
 * OP NUMBER [UNIT], as in "kernel:memcpy.max <= 1.5k cycles".
 *
 * FUNCTION is a name as in a bound of the window, and may itself contain dots, spaces and
 * operators: the last operator of the text is OP, and the last dot before it ends
 * FUNCTION. NUMBER has up to 9 decimals and a factor k, M or G, powers of 1000.
 * Comparisons are exact. */
#ifndef TR_PROFILE_ASSERTIONS_H
#define TR_PROFILE_ASSERTIONS_H

#include "profile/profile.h"

struct tr_assertion {
	const char *text;      /* as given; not copied */
	char *function;	       /* the assertion's */
	unsigned figure;       /* enum assertion_figure, or another table's */
	unsigned op;	       /* enum op of assertions.c */
	uint64_t bound, scale; /* the number is bound / scale, which is not 0 */
	bool is_in_no_frame;   /* the caller's: no frame of the stream has this name */
};

/* A figure of an assertion; its unit "*" is the caller's, and "" is none. */
struct tr_assertion_figure {
	const char *name, *unit;
};

/* Parses an assertion about one of `figures`, which end with one without a name;
 * `figure` is the number in it. Returns the same as tr_assertion_parse(). */
int tr_assertion_parse_figure(struct tr_assertion *, const char *text,
			      const struct tr_assertion_figure *figures, const char *unit,
			      char *message, size_t size);
/* Parses an assertion about a profile in `unit`, whose calls have durations unless it is
 * a counter. Returns TR_OK, TR_E_ARGUMENT with the reason in `message`, or TR_E_NOMEM.
 * tr_assertion_release() accepts one that is all zero. */
int tr_assertion_parse(struct tr_assertion *, const char *text, const char *unit,
		       bool is_counter, char *message, size_t size);
void tr_assertion_release(struct tr_assertion *);
/* Returns true if it asserts that there is no call, which is the only assertion that can
 * hold for a name that no frame has. */
bool tr_assertion_forbids_calls(const struct tr_assertion *);
/* Returns true if it holds for 0, but not for 1. */
bool tr_assertion_is_of_none(const struct tr_assertion *);

/* A figure is between low * factor / per and high * factor / per, or unknown. */
struct tr_assertion_value {
	bool is_known;
	uint64_t low, high, factor, per;
};

/* Returns true if all that the value may be is as asserted; it must be known. */
bool tr_assertion_holds(const struct tr_assertion *,
			const struct tr_assertion_value *value);

/* Reports the table "assertions", with a row for each row of tr_profile_report() that an
 * assertion is about, and "calls", the slowest calls of the functions of those that do
 * not hold. A figure without a value, or with one that is rounded so much that it may or
 * may not hold, does not hold. The functions must be among options.slowest of the
 * profile. `deep` is the number of calls that are in no count, since they were too deep
 * for a frame of their own. Sets *failed to the number of assertions that do not hold for
 * all their rows.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_assertions_report(struct tr_profile *, const struct tr_assertion *, size_t count,
			 const char *unit, uint64_t deep, struct tr_report *report,
			 size_t *failed);

#endif
