/* SPDX-License-Identifier: Apache-2.0 */
/* Selection of counters by names and shell patterns, and the list of all counters. */
#ifndef RUN_CHOICE_H
#define RUN_CHOICE_H

#include <stdio.h>

#include "machine.h"

/* Marks the counters that `text` selects, a comma-separated list of labels, points (all
 * their columns), patterns of either, or "all". Returns false with a line in `message` on
 * failure. */
bool choice_parse(const char *text, const struct machine_counter *list, size_t n,
		  bool *marked, char *message, size_t size);

/* Returns a label that two of the chosen counters share, for example when COVER_NAMED
 * gives two values the same name: neither a stream nor a CSV can distinguish them.
 * Returns NULL if there is none. */
const char *choice_twice(const struct machine_counter *list, const size_t *chosen,
			 size_t n);

/* Prints a table of all counters: name, kind, width and description. */
void choice_list(FILE *out, const struct machine_counter *list, size_t n);

#endif
