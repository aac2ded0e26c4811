/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/lines.h"

#include <stdlib.h>

#include "base/buffer.h"
#include "base/map.h"

enum { HARTS = 32, NO_USE = UINT32_MAX };

struct line {
	struct tr_line told;
	uint32_t uses;	 /* the first of its uses */
	uint32_t copies; /* bits of the harts that have one */
};

/* What a hart did at an offset; uses of a line are chained. */
struct use {
	struct tr_line_use told;
	uint32_t next;
	uint8_t read, written; /* bytes from the offset on, at most */
};

/* An access whose order among those of other harts is not known yet. */
struct pending {
	uint64_t cycle, number;
	uint32_t line;
	uint8_t hart;
	bool stores;
};

struct tr_lines {
	unsigned line;
	struct tr_map ids;
	struct line *lines;
	size_t nlines, line_room;
	struct use *uses;
	size_t nuses, use_room;
	struct pending *pending;
	size_t npending, pending_room;
	uint64_t number;
	uint32_t numbers[HARTS]; /* of the harts */
	unsigned nharts;
};

struct tr_lines *tr_lines_new(unsigned line)
{
	struct tr_lines *l = calloc(1, sizeof(*l));
	if (l)
		l->line = line;
	return l;
}

void tr_lines_free(struct tr_lines *l)
{
	if (!l)
		return;
	tr_map_free(&l->ids);
	free(l->lines);
	free(l->uses);
	free(l->pending);
	free(l);
}

/* Returns the place of a hart among those seen, or HARTS. */
static unsigned hart_index(struct tr_lines *l, uint32_t hart)
{
	unsigned i = 0;
	while (i < l->nharts && l->numbers[i] != hart)
		i++;
	if (i == l->nharts && i < HARTS)
		l->numbers[l->nharts++] = hart;
	return i;
}

/* Returns the number of the line, or UINT32_MAX when out of memory. */
static uint32_t line_of(struct tr_lines *l, const struct tr_line_access *a)
{
	const uint64_t mask = ~(uint64_t)(l->line - 1);
	const uint64_t key = a->access->physical / l->line;
	uint32_t id = tr_map_get(&l->ids, key);
	if (id != TR_MAP_NONE)
		return id;
	id = (uint32_t)l->nlines;
	if (!tr_grow(&l->lines, &l->line_room, l->nlines + 1, sizeof(*l->lines)) ||
	    !tr_map_set(&l->ids, key, id))
		return UINT32_MAX;
	l->lines[l->nlines++] =
	    (struct line){.told = {.address = a->access->address & mask,
				   .physical = a->access->physical & mask,
				   .object = a->object},
			  .uses = NO_USE};
	return id;
}

/* Returns what the hart does at the offset, or NULL when out of memory. */
static struct use *use_of(struct tr_lines *l, uint32_t line, uint32_t hart,
			  uint32_t offset)
{
	uint32_t *next = &l->lines[line].uses;
	for (; *next != NO_USE; next = &l->uses[*next].next) {
		struct use *use = &l->uses[*next];
		if (use->told.hart == hart && use->told.offset == offset)
			return use;
		if (use->told.hart > hart ||
		    (use->told.hart == hart && use->told.offset > offset))
			break;
	}
	/* The chain is in order; growing moves it. */
	const bool is_first = next == &l->lines[line].uses;
	const size_t before =
	    is_first ? 0 : (size_t)((char *)next - (char *)l->uses) / sizeof(*l->uses);
	const uint32_t after = *next;
	if (!tr_grow(&l->uses, &l->use_room, l->nuses + 1, sizeof(*l->uses)))
		return NULL;
	next = is_first ? &l->lines[line].uses : &l->uses[before].next;
	*next = (uint32_t)l->nuses;
	l->uses[l->nuses] =
	    (struct use){.told = {.hart = hart, .offset = offset}, .next = after};
	return &l->uses[l->nuses++];
}

static void count_use(struct use *use, const struct tr_access *access)
{
	const bool loads = access->kind & TR_ACCESS_LOAD,
		   stores = access->kind & TR_ACCESS_STORE;
	use->told.loads += loads && !stores;
	use->told.stores += stores && !loads;
	use->told.atomics += loads && stores;
	if (loads && use->read < access->size)
		use->read = access->size;
	if (stores && use->written < access->size)
		use->written = access->size;
}

static void count_line(struct tr_line *line, const struct tr_line_access *a)
{
	const bool loads = a->access->kind & TR_ACCESS_LOAD,
		   stores = a->access->kind & TR_ACCESS_STORE;
	line->loads += loads && !stores;
	line->stores += stores && !loads;
	line->atomics += loads && stores;
	line->missed += a->lost != 0;
	line->lost += a->lost;
}

int tr_lines_add(struct tr_lines *l, const struct tr_line_access *a)
{
	const unsigned hart = hart_index(l, a->hart);
	if (hart == HARTS)
		return TR_E_UNSUPPORTED;
	const uint32_t line = line_of(l, a);
	if (line == UINT32_MAX ||
	    !tr_grow(&l->pending, &l->pending_room, l->npending + 1, sizeof(*l->pending)))
		return TR_E_NOMEM;
	struct use *use =
	    use_of(l, line, a->hart, (uint32_t)(a->access->physical & (l->line - 1)));
	if (!use)
		return TR_E_NOMEM;
	count_use(use, a->access);
	count_line(&l->lines[line].told, a);
	l->pending[l->npending++] =
	    (struct pending){.cycle = a->cycle,
			     .number = l->number++,
			     .line = line,
			     .hart = (uint8_t)hart,
			     .stores = a->access->kind & TR_ACCESS_STORE};
	return TR_OK;
}

static int compare_pending(const void *left, const void *right)
{
	const struct pending *a = left, *b = right;
	if (a->cycle != b->cycle)
		return a->cycle < b->cycle ? -1 : 1;
	if (a->hart != b->hart)
		return a->hart < b->hart ? -1 : 1;
	return (a->number > b->number) - (a->number < b->number);
}

void tr_lines_settle(struct tr_lines *l, uint64_t cycle)
{
	size_t done = 0;
	if (l->npending)
		qsort(l->pending, l->npending, sizeof(*l->pending), compare_pending);
	for (; done < l->npending && l->pending[done].cycle < cycle; done++) {
		const struct pending *p = &l->pending[done];
		struct line *line = &l->lines[p->line];
		const uint32_t own = UINT32_C(1) << p->hart;
		if (p->stores) {
			line->told.moves += (line->copies & ~own) != 0;
			line->copies = own;
		} else {
			line->told.moves += line->copies && !(line->copies & own);
			line->copies |= own;
		}
	}
	for (size_t i = done; i < l->npending; i++)
		l->pending[i - done] = l->pending[i];
	l->npending -= done;
}

/* ------------------------------------------------------------ results */

static uint64_t bytes_from(uint32_t offset, unsigned size)
{
	const uint64_t bytes = size >= 64 ? UINT64_MAX : (UINT64_C(1) << size) - 1;
	return bytes << offset;
}

size_t tr_lines_count(const struct tr_lines *l)
{
	return l->nlines;
}

/* Bytes that a hart accesses and writes. */
struct hart_bytes {
	uint32_t hart;
	uint64_t used, written;
};

static enum tr_sharing sharing_of(const struct hart_bytes *harts, unsigned count)
{
	enum tr_sharing sharing = count > 1 ? TR_SHARING_READ : TR_SHARING_NONE;
	for (unsigned i = 0; i < count; i++)
		for (unsigned k = 0; k < count && count > 1; k++) {
			if (harts[i].written && sharing == TR_SHARING_READ)
				sharing = TR_SHARING_FALSE;
			if (i != k && harts[i].written & harts[k].used)
				return TR_SHARING_TRUE;
		}
	return sharing;
}

void tr_lines_get(const struct tr_lines *l, size_t i, struct tr_line *line)
{
	struct hart_bytes harts[HARTS] = {{0}};
	unsigned count = 0;
	*line = l->lines[i].told;
	for (uint32_t u = l->lines[i].uses; u != NO_USE; u = l->uses[u].next) {
		const struct use *use = &l->uses[u];
		if (!count || harts[count - 1].hart != use->told.hart)
			harts[count++].hart = use->told.hart;
		const uint64_t read = bytes_from(use->told.offset, use->read),
			       written = bytes_from(use->told.offset, use->written);
		harts[count - 1].used |= read | written;
		harts[count - 1].written |= written;
	}
	line->harts = count;
	line->sharing = sharing_of(harts, count);
}

size_t tr_lines_uses(const struct tr_lines *l, size_t i, struct tr_line_use *uses,
		     size_t room)
{
	size_t count = 0;
	for (uint32_t u = l->lines[i].uses; u != NO_USE; u = l->uses[u].next, count++)
		if (count < room)
			uses[count] = l->uses[u].told;
	return count;
}
