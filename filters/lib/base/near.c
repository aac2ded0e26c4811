/* SPDX-License-Identifier: Apache-2.0 */
/* Similarity of names. */
#include "base/near.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST = 255 };

static unsigned least_of_three(unsigned a, unsigned b, unsigned c)
{
	unsigned best = a < b ? a : b;
	return best < c ? best : c;
}

/* Returns the edit distance (Levenshtein), ignoring case. */
static unsigned edit_distance(const char *a, const char *b)
{
	unsigned row[LONGEST + 1];
	size_t length = strlen(b);
	for (unsigned k = 0; k <= length; k++)
		row[k] = k;
	for (unsigned i = 1; a[i - 1]; i++) {
		unsigned diagonal = row[0];
		row[0] = i;
		for (size_t k = 1; k <= length; k++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[k - 1]);
			unsigned above = row[k];
			row[k] =
			    least_of_three(above + 1, row[k - 1] + 1, diagonal + !same);
			diagonal = above;
		}
	}
	return row[length];
}

/* Names of a damaged file may have them; they must not reach a message. */
static bool has_control(const char *name)
{
	while (*name && !iscntrl((unsigned char)*name))
		name++;
	return *name;
}

/* Returns 0 if the names are not similar, otherwise a rank: lower is more similar. */
static unsigned rank_similar_name(const char *name, const char *wanted)
{
	size_t length = strlen(wanted), size = strlen(name);
	if (!length || length > LONGEST || size > LONGEST || has_control(name))
		return 0;
	unsigned d = edit_distance(wanted, name);
	if (d <= length / 3 + 1 && d < length)
		return d + 1;
	bool is_part = length > 2 && strcasestr(name, wanted) != NULL;
	return is_part ? LONGEST + (unsigned)(size - length) : 0;
}

bool tr_is_name_of(const char *name, const char *full)
{
	size_t length = strlen(name);
	if (!length || strncmp(full, name, length) != 0)
		return false;
	const char *rest = full + length;
	return !*rest || *rest == '(' || strncmp(rest, " (", 2) == 0;
}

void tr_near_init(struct tr_near *near, const char *wanted)
{
	*near = (struct tr_near){.wanted = wanted};
}

/* Keeps the best candidates, each name once. */
void tr_near_offer(struct tr_near *n, const char *name)
{
	unsigned far = rank_similar_name(name, n->wanted), at = n->count;
	for (unsigned i = 0; i < n->count; i++)
		if (strcmp(n->near[i].name, name) == 0)
			return;
	while (at && (n->near[at - 1].farness > far ||
		      (n->near[at - 1].farness == far &&
		       strcmp(n->near[at - 1].name, name) > 0)))
		at--;
	if (!far || at == TR_NEAR_NAMES)
		return;
	n->count += n->count < TR_NEAR_NAMES;
	memmove(&n->near[at + 1], &n->near[at], (n->count - at - 1) * sizeof(n->near[0]));
	n->near[at].name = name;
	n->near[at].farness = far;
}

void tr_near_text(const struct tr_near *n, char *text, size_t size)
{
	size_t length = 0;
	*text = '\0';
	for (unsigned i = 0; i < n->count && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   i ? ", " : "", n->near[i].name);
}
