/* SPDX-License-Identifier: Apache-2.0 */
/* Which counters: by names and shell patterns; and the list of all. */
#include "choice.h"

#include <fnmatch.h>
#include <string.h>

enum { NAME_MAX_SIZE = 128 };

/* Does the text name it: as it is, by its point, by a pattern? */
static bool names(const char *text, const struct machine_counter *counter)
{
	return strcmp(text, "all") == 0 || fnmatch(text, counter->label, 0) == 0 ||
	       fnmatch(text, counter->point, 0) == 0;
}

static unsigned lowest(unsigned a, unsigned b, unsigned c)
{
	unsigned low = a < b ? a : b;

	return low < c ? low : c;
}

/* How many characters to put in, leave out or change to get from one to the other. */
static unsigned distance(const char *a, const char *b)
{
	unsigned row[NAME_MAX_SIZE];
	size_t n = strnlen(b, NAME_MAX_SIZE - 1);

	for (unsigned j = 0; j <= n; j++)
		row[j] = j;
	for (unsigned i = 1; a[i - 1]; i++) {
		unsigned corner = row[0];

		row[0] = i;
		for (size_t j = 1; j <= n; j++) {
			unsigned above = row[j];

			row[j] = lowest(above + 1, row[j - 1] + 1,
					corner + (a[i - 1] != b[j - 1]));
			corner = above;
		}
	}
	return row[n];
}

/* The name that is most like the text. */
static const char *nearest(const char *text, const struct machine_counter *list, size_t n)
{
	unsigned best = UINT32_MAX;
	const char *name = "";

	for (size_t i = 0; i < n; i++) {
		const char *candidates[] = {list[i].point, list[i].label};

		for (unsigned k = 0; k < 2; k++) {
			unsigned d = distance(text, candidates[k]);

			if (d < best) {
				best = d;
				name = candidates[k];
			}
		}
	}
	return name;
}

/* One part of the list. */
static bool mark(const char *text, const struct machine_counter *list, size_t n,
		 bool *marked, char *message, size_t size)
{
	bool any = false;

	for (size_t i = 0; i < n; i++)
		if (names(text, &list[i]))
			any = marked[i] = true;
	if (any)
		return true;
	if (*text == 0)
		snprintf(message, size, "an empty name");
	else if (n == 0)
		snprintf(message, size, "this machine has no counters");
	else if (strpbrk(text, "*?["))
		snprintf(message, size,
			 "no counter matches \"%s\"; --counters list shows all", text);
	else
		snprintf(message, size,
			 "no counter \"%s\"; the nearest is %s, and --counters list "
			 "shows all",
			 text, nearest(text, list, n));
	return false;
}

bool choice_parse(const char *text, const struct machine_counter *list, size_t n,
		  bool *marked, char *message, size_t size)
{
	char part[NAME_MAX_SIZE];
	size_t length;

	for (;; text += length + 1) {
		length = strcspn(text, ",");
		if (length >= sizeof part) {
			snprintf(message, size, "a name of more than %zu characters",
				 sizeof part - 1);
			return false;
		}
		memcpy(part, text, length);
		part[length] = 0;
		if (!mark(part, list, n, marked, message, size))
			return false;
		if (!text[length])
			return true;
	}
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
