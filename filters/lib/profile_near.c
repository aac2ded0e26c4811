/* SPDX-License-Identifier: Apache-2.0 */
/* Names that were asked for: whether there are any, and which are near. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile_internal.h"

enum { NEAR = 4, LONGEST = 255 };

bool tr_profile_has_function(const struct tr_profile *p, const char *name)
{
	for (uint32_t i = 0; i < p->nfuncs; i++)
		if (profile_is_shown(p, i) && profile_is_call(&p->funcs[i]) &&
		    profile_is_named(&p->funcs[i], name))
			return true;
	return false;
}

bool tr_profile_has_binary(const struct tr_profile *p, const char *name)
{
	for (uint32_t i = p->first_func; i < p->nfuncs; i++)
		if (strcmp(p->funcs[i].binary, name) == 0)
			return true;
	return false;
}

static unsigned least(unsigned a, unsigned b, unsigned c)
{
	unsigned best = a < b ? a : b;
	return best < c ? best : c;
}

/* How many characters to insert, delete or change, without regard to case. */
static unsigned distance(const char *a, const char *b)
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
			row[k] = least(above + 1, row[k - 1] + 1, diagonal + !same);
			diagonal = above;
		}
	}
	return row[length];
}

/* 0: not near; else the less, the nearer. */
static unsigned farness(const char *name, const char *wanted)
{
	size_t length = strlen(wanted), size = strlen(name);
	if (!length || length > LONGEST || size > LONGEST)
		return 0;
	unsigned d = distance(wanted, name);
	if (d <= length / 3 + 1 && d < length)
		return d + 1;
	bool is_part = length > 2 && strcasestr(name, wanted) != NULL;
	return is_part ? LONGEST + (unsigned)(size - length) : 0;
}

struct near {
	const char *name;
	unsigned farness;
};

/* Keeps the nearest, each name once. */
static void keep(struct near *near, unsigned *count, struct near candidate)
{
	unsigned at = *count;
	for (unsigned i = 0; i < *count; i++)
		if (strcmp(near[i].name, candidate.name) == 0)
			return;
	while (at && (near[at - 1].farness > candidate.farness ||
		      (near[at - 1].farness == candidate.farness &&
		       strcmp(near[at - 1].name, candidate.name) > 0)))
		at--;
	if (at == NEAR)
		return;
	*count += *count < NEAR;
	memmove(&near[at + 1], &near[at], (*count - at - 1) * sizeof(*near));
	near[at] = candidate;
}

void tr_profile_near(const struct tr_profile *p, const char *name, char *text,
		     size_t size)
{
	struct near near[NEAR];
	unsigned count = 0;
	/* BINARY:NAME, but not the colons of C++. */
	const char *colon = strchr(name, ':');
	if (colon && colon[1] != ':')
		name = colon + 1;
	for (uint32_t i = p->first_func; i < p->nfuncs; i++) {
		if (!profile_is_call(&p->funcs[i]))
			continue;
		struct near candidate = {p->funcs[i].name,
					 farness(p->funcs[i].name, name)};
		if (candidate.farness)
			keep(near, &count, candidate);
	}
	size_t length = 0;
	*text = '\0';
	for (unsigned i = 0; i < count && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%s",
					   i ? ", " : "", near[i].name);
}
