/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/working_set.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"

enum { MOST = 1 << 20, RECENT = 4, PAGE = 4096 };

/* The last slices in which something was accessed, plus 1, by their numbers mod RECENT.
 */
struct seen {
	uint32_t slice[RECENT];
};

/* Lines, or pages. */
struct set {
	struct tr_map ids;
	struct seen *seen;
	size_t count, room;
};

struct tr_working_set {
	unsigned line;
	uint64_t every;
	struct tr_slice *list;
	size_t count, room;
	struct set lines, pages;
};

struct tr_working_set *tr_working_set_new(unsigned line, uint64_t every)
{
	struct tr_working_set *s = calloc(1, sizeof(*s));
	if (s) {
		s->line = line;
		s->every = every;
	}
	return s;
}

static void free_set(struct set *set)
{
	tr_map_free(&set->ids);
	free(set->seen);
}

void tr_working_set_free(struct tr_working_set *s)
{
	if (!s)
		return;
	free_set(&s->lines);
	free_set(&s->pages);
	free(s->list);
	free(s);
}

/* Notes that something is accessed in a slice. Sets *first if it is there for the first
 * time, and *fresh if ever. Returns a status. */
static int see(struct set *set, uint64_t number, uint32_t slice, bool *first, bool *fresh)
{
	uint32_t id = tr_map_get(&set->ids, number);
	*fresh = id == TR_MAP_NONE;
	if (*fresh) {
		id = (uint32_t)set->count;
		if (!tr_grow(&set->seen, &set->room, set->count + 1,
			     sizeof(*set->seen)) ||
		    !tr_map_set(&set->ids, number, id))
			return TR_E_NOMEM;
		memset(&set->seen[set->count++], 0, sizeof(*set->seen));
	}
	uint32_t *last = &set->seen[id].slice[slice % RECENT];
	*first = *last != slice + 1;
	*last = slice + 1;
	return TR_OK;
}

static int reach_slice(struct tr_working_set *s, uint64_t number)
{
	if (number >= MOST)
		return TR_E_UNSUPPORTED;
	if (!tr_grow(&s->list, &s->room, number + 1, sizeof(*s->list)))
		return TR_E_NOMEM;
	for (; s->count <= number; s->count++)
		s->list[s->count] = (struct tr_slice){.from = s->count * s->every};
	return TR_OK;
}

int tr_working_set_add(struct tr_working_set *s, const struct tr_line_access *a)
{
	const uint64_t number = a->cycle / s->every;
	const bool loads = a->access->kind & TR_ACCESS_LOAD,
		   stores = a->access->kind & TR_ACCESS_STORE;
	bool is_line, is_page, is_fresh, is_fresh_page;
	int status = number < s->count ? TR_OK : reach_slice(s, number);
	if (!status)
		status = see(&s->lines, a->access->physical / s->line, (uint32_t)number,
			     &is_line, &is_fresh);
	if (!status)
		status = see(&s->pages, a->access->physical / PAGE, (uint32_t)number,
			     &is_page, &is_fresh_page);
	if (status)
		return status;
	struct tr_slice *slice = &s->list[number];
	slice->loads += loads && !stores;
	slice->stores += stores && !loads;
	slice->atomics += loads && stores;
	slice->missed += a->lost != 0;
	slice->lost += a->lost;
	slice->lines += is_line;
	slice->pages += is_page;
	slice->fresh += is_fresh;
	return TR_OK;
}

size_t tr_working_set_count(const struct tr_working_set *s)
{
	return s->count;
}

const struct tr_slice *tr_working_set_get(const struct tr_working_set *s, size_t i)
{
	return &s->list[i];
}
