/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests known names that are similar to an unknown one. */
#ifndef TR_NEAR_H
#define TR_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Returns true if `name` denotes the function named `full`: "f" also denotes the C++
 * function "f(int)", and "f (file.c:12)", one of several functions of that name. */
bool tr_is_name_of(const char *name, const char *full);

enum { TR_NEAR_NAMES = 4 };

/* Candidate names are not copied. */
struct tr_near {
	const char *wanted;
	struct {
		const char *name;
		unsigned farness;
	} near[TR_NEAR_NAMES];
	unsigned count;
};
void tr_near_init(struct tr_near *near, const char *wanted);
/* Adds a candidate. */
void tr_near_offer(struct tr_near *near, const char *name);
/* Writes the best candidates, most similar first, as in "foo, bar"; "" when none is
 * similar. */
void tr_near_text(const struct tr_near *near, char *text, size_t size);

#endif
