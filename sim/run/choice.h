/* SPDX-License-Identifier: Apache-2.0 */
/* Which counters: by names and shell patterns; and the list of all. */
#ifndef RUN_CHOICE_H
#define RUN_CHOICE_H

#include <stdio.h>

#include "machine.h"

/* Sets those in `marked` that a part of `text`, separated by commas, names: a label, all
 * columns of a point, a pattern of either, or "all". False with a line in message. */
bool choice_parse(const char *text, const struct machine_counter *list, size_t n,
		  bool *marked, char *message, size_t size);

/* A label that two of the chosen have, as when COVER_NAMED names two values alike:
 * neither a stream nor a CSV can tell them apart. NULL: none. */
const char *choice_twice(const struct machine_counter *list, const size_t *chosen,
			 size_t n);

/* A table of all: name, kind, width and description. */
void choice_list(FILE *out, const struct machine_counter *list, size_t n);

#endif
