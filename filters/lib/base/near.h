/* SPDX-License-Identifier: Apache-2.0 */
/* The names that are nearest to one that is not there. */
#ifndef TR_NEAR_H
#define TR_NEAR_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a function that is called `full` goes by `name`: "f" stands for "f(int)" of
 * C++ too, and for "f (file.c:12)", which is one of several. */
bool tr_is_name_of(const char *name, const char *full);

enum { TR_NEAR_NAMES = 4 };

/* Offered names are not copied. */
struct tr_near {
	const char *wanted;
	struct {
		const char *name;
		unsigned farness;
	} near[TR_NEAR_NAMES];
	unsigned count;
};
void tr_near_init(struct tr_near *near, const char *wanted);
void tr_near_offer(struct tr_near *near, const char *name);
/* "foo, bar", the nearest first, "" when none is near. */
void tr_near_text(const struct tr_near *near, char *text, size_t size);

#endif
