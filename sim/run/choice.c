/* SPDX-License-Identifier: Apache-2.0 */
/* Selection of counters by names and shell patterns, and the list of all counters. */
#include "choice.h"

#include <fnmatch.h>
#include <string.h>

#include "base/near.h"

enum { NAME_MAX_SIZE = 256 };

/* Returns whether the text names the counter: literally, by its point, or by a
 * pattern. */
static bool names_counter(const char *text, const struct machine_counter *counter)
{
	/* The path of a generate block contains brackets, which are special in
	 * patterns. */
	return strcmp(text, "all") == 0 || strcmp(text, counter->label) == 0 ||
	       strcmp(text, counter->point) == 0 ||
	       fnmatch(text, counter->label, 0) == 0 ||
	       fnmatch(text, counter->point, 0) == 0;
}

/* Formats "; similar names: a, b", or an empty string. */
static void suggest_counters(const char *text, const struct machine_counter *list,
			     size_t n, char *message, size_t size)
{
	struct tr_near near;
	char names_counter[560];

	tr_near_init(&near, text);
	for (size_t i = 0; i < n; i++) {
		if (i == 0 || strcmp(list[i].point, list[i - 1].point) != 0)
			tr_near_offer(&near, list[i].point);
		if (list[i].histogram)
			tr_near_offer(&near, list[i].label);
	}
	tr_near_text(&near, names_counter, sizeof(names_counter));
	snprintf(message, size, "%s%s", *names_counter ? "; similar names: " : "",
		 names_counter);
}

/* Marks the counters of one item of the list. */
static bool mark_counters(const char *text, const struct machine_counter *list, size_t n,
			  bool *marked, char *message, size_t size)
{
	bool any = false;
	char near[600];

	for (size_t i = 0; i < n; i++)
		if (names_counter(text, &list[i]))
			any = marked[i] = true;
	if (any)
		return true;
	suggest_counters(text, list, n, near, sizeof(near));
	if (*text == 0)
		snprintf(message, size, "an empty name");
	else if (n == 0)
		snprintf(message, size, "this machine has no counters");
	else if (strpbrk(text, "*?["))
		snprintf(message, size,
			 "no counter matches \"%s\"; --counters list shows all", text);
	else
		snprintf(message, size, "no counter \"%s\"%s; --counters list shows all",
			 text, near);
	return false;
}

bool choice_parse(const char *text, const struct machine_counter *list, size_t n,
		  bool *marked, char *message, size_t size)
{
	char part[NAME_MAX_SIZE];
	size_t length;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (length >= sizeof(part)) {
			snprintf(message, size, "a name of more than %zu characters",
				 sizeof(part) - 1);
			return false;
		}
		memcpy(part, text, length);
		part[length] = 0;
		if (!mark_counters(part, list, n, marked, message, size))
			return false;
		if (!text[length])
			return true;
	}
}

const char *choice_twice(const struct machine_counter *list, const size_t *chosen,
			 size_t n)
{
	for (size_t i = 1; i < n; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(list[chosen[i]].label, list[chosen[j]].label) == 0)
				return list[chosen[i]].label;
	return NULL;
}

void choice_list(FILE *out, const struct machine_counter *list, size_t n)
{
	size_t width = strlen("NAME");

	for (size_t i = 0; i < n; i++)
		if (strlen(list[i].label) > width)
			width = strlen(list[i].label);
	fprintf(out, "%-*s  %-9s  WIDTH  DESCRIPTION\n", (int)width, "NAME", "KIND");
	for (size_t i = 0; i < n; i++)
		fprintf(out, "%-*s  %-9s  %5u  %s\n", (int)width, list[i].label,
			list[i].histogram ? "histogram" : "sum", list[i].width,
			list[i].description);
}
