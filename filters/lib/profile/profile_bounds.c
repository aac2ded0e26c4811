/* SPDX-License-Identifier: Apache-2.0 */
/* Marks as bounds of the window. A mark waits until the rows of its hart have reached it,
 * since they may be in a later frame, and tell its thread. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "profile/profile_internal.h"
#include "stream/marks.h"

enum { NO_THREAD = UINT32_MAX, NAMES_MAX = 64 };
enum { AT_FROM, AT_TO };

struct queued_mark {
	uint64_t cycle;
	uint64_t order; /* in which they came */
	uint32_t hart;	/* index in tr_profile.harts */
	uint8_t kind;
	bool is_of[2]; /* it has the name of this bound */
};

struct profile_bounds {
	struct queued_mark *queue; /* from `at` on; ascending */
	size_t room;
	uint32_t at, count;
	uint64_t queued;   /* in all */
	bool seen[2];	   /* the names of the bounds */
	uint64_t begun[2]; /* points and regions of the bounds' names so far */
	uint32_t thread;   /* of the region at whose end the window ends; or NO_THREAD */
	uint32_t inside;   /* it, and regions of the same name in it that are open */
	uint32_t threads[TR_MAX_HARTS]; /* of their last rows */
	struct tr_arena text;
	const char **names;
	size_t name_room;
	uint32_t nnames;
};

struct profile_bounds *tr_profile_bounds_new(void)
{
	struct profile_bounds *b = calloc(1, sizeof(*b));
	if (b)
		b->thread = NO_THREAD;
	return b;
}

void tr_profile_bounds_free(struct profile_bounds *b)
{
	if (!b)
		return;
	tr_arena_reset(&b->text);
	free(b->names);
	free(b->queue);
	free(b);
}

/* Keeps a name for messages. Returns false when out of memory. */
static bool keep_mark_name(struct profile_bounds *b, const char *name)
{
	for (uint32_t i = 0; i < b->nnames; i++)
		if (strcmp(b->names[i], name) == 0)
			return true;
	if (b->nnames == NAMES_MAX)
		return true;
	char *copy = tr_arena_take(&b->text, strlen(name) + 1);
	if (!copy || !tr_grow((void **)&b->names, &b->name_room, b->nnames + 1UL,
			      sizeof(*b->names)))
		return false;
	b->names[b->nnames++] = strcpy(copy, name);
	return true;
}

static bool is_name_of(const struct tr_profile_bound *bound, const char *name)
{
	return bound->mark && strncmp(bound->mark, name, bound->mark_size) == 0 &&
	       !name[bound->mark_size];
}

static int by_cycle(const void *left, const void *right)
{
	const struct queued_mark *a = left, *b = right;
	if (a->cycle != b->cycle)
		return a->cycle < b->cycle ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Returns false when out of memory. */
static bool queue_mark(struct profile_bounds *b, const struct queued_mark *mark)
{
	if (!tr_grow(&b->queue, &b->room, b->count + 1UL, sizeof(*b->queue)))
		return false;
	b->queue[b->count] = *mark;
	b->queue[b->count++].order = b->queued++;
	return true;
}

/* Forgets `count` marks from number `from` on. */
static void drop_marks(struct profile_bounds *b, uint32_t from, uint32_t count)
{
	b->count -= count;
	if (count)
		memmove(b->queue + from, b->queue + from + count,
			(b->count - from) * sizeof(*b->queue));
}

bool tr_profile_bounds_frame(struct tr_profile *p, const struct tr_probe_names *names,
			     const struct tr_sframe *frame)
{
	const struct tr_profile_options *o = &p->options;
	struct profile_bounds *bounds = p->bounds;
	drop_marks(bounds, 0, bounds->at);
	bounds->at = 0;
	for (uint32_t h = 0; h < frame->nharts; h++)
		for (uint32_t i = 0; i < frame->harts[h].nhits; i++) {
			const struct tr_hit *hit = &frame->harts[h].hits[i];
			char name[TR_MARK_NAME];
			struct tr_mark mark;
			if (!tr_mark_read(names, hit, &mark, name))
				continue;
			const struct queued_mark queued = {
			    .cycle = hit->cycle,
			    .hart = tr_profile_hart(p, frame->harts[h].hart),
			    .kind = (uint8_t)mark.kind,
			    .is_of = {is_name_of(&o->from, name),
				      is_name_of(&o->to, name)}};
			p->bounds->seen[AT_FROM] |= queued.is_of[AT_FROM];
			p->bounds->seen[AT_TO] |= queued.is_of[AT_TO];
			if (!keep_mark_name(p->bounds, name))
				return false;
			if ((queued.is_of[AT_FROM] || queued.is_of[AT_TO]) &&
			    !queue_mark(p->bounds, &queued))
				return false;
		}
	if (bounds->count)
		qsort(bounds->queue, bounds->count, sizeof(*bounds->queue), by_cycle);
	return true;
}

/* The window ends at the end of the region that begins here. */
static void follow_region(struct profile_bounds *b, const struct queued_mark *mark)
{
	b->thread = b->threads[mark->hart];
	b->inside = 1;
}

static void end_window(struct tr_profile *p, uint64_t cycle)
{
	if (p->to == UINT64_MAX && p->from != UINT64_MAX && cycle > p->from)
		p->to = cycle;
}

/* Takes a mark that begins what the window begins with. */
static void take_from(struct tr_profile *p, const struct queued_mark *mark)
{
	const struct tr_profile_options *o = &p->options;
	const uint64_t nth = o->from.nth ? o->from.nth : 1;
	if (!mark->is_of[AT_FROM] || mark->kind == TR_MARK_END)
		return;
	if (++p->bounds->begun[AT_FROM] != nth)
		return;
	p->from = mark->cycle;
	if (mark->kind == TR_MARK_BEGIN && mark->is_of[AT_TO] && !o->to.nth)
		follow_region(p->bounds, mark);
}

/* Takes a mark that may be where the window ends. */
static void take_to(struct tr_profile *p, const struct queued_mark *mark, bool follows)
{
	struct profile_bounds *b = p->bounds;
	const uint64_t nth = p->options.to.nth;
	if (!mark->is_of[AT_TO])
		return;
	if (follows && b->threads[mark->hart] == b->thread) {
		if (mark->kind == TR_MARK_BEGIN)
			b->inside++;
		else if (mark->kind == TR_MARK_END && !--b->inside)
			end_window(p, mark->cycle);
		if (!b->inside)
			b->thread = NO_THREAD;
		return;
	}
	const bool begins = mark->kind != TR_MARK_END;
	if (nth && begins && ++b->begun[AT_TO] == nth) {
		if (mark->kind == TR_MARK_BEGIN)
			follow_region(b, mark);
		else
			end_window(p, mark->cycle);
	}
	if (!nth && b->thread == NO_THREAD && mark->kind != TR_MARK_BEGIN)
		end_window(p, mark->cycle);
}

/* Takes a mark that the rows have reached. */
static void take_bound(struct tr_profile *p, const struct queued_mark *mark)
{
	const bool follows = p->bounds->thread != NO_THREAD;
	if (p->from == UINT64_MAX)
		take_from(p, mark);
	take_to(p, mark, follows);
}

void tr_profile_bounds_row(struct tr_profile *p, const struct profile_row *row)
{
	struct profile_bounds *b = p->bounds;
	while (b->at < b->count && b->queue[b->at].cycle <= row->time)
		take_bound(p, &b->queue[b->at++]);
	b->threads[row->hart] = row->srow->thread;
}

void tr_profile_bounds_reach(struct tr_profile *p, uint32_t hart, uint64_t cycle)
{
	struct profile_bounds *b = p->bounds;
	for (uint32_t i = b->at; i < b->count && b->queue[i].cycle <= cycle;) {
		if (b->queue[i].hart != hart) {
			i++;
			continue;
		}
		take_bound(p, &b->queue[i]);
		drop_marks(b, i, 1);
	}
}

void tr_profile_mark_names(const struct tr_profile *p, char *text, size_t size)
{
	const struct profile_bounds *b = p->bounds;
	size_t used = 0;
	*text = '\0';
	for (uint32_t i = 0; b && i < b->nnames; i++) {
		const int length = snprintf(text + used, size - used, "%s%s",
					    i ? ", " : "", b->names[i]);
		if (length < 0 || (size_t)length >= size - used) {
			snprintf(text + used, size - used, "%s", "...");
			return;
		}
		used += (size_t)length;
		if (size - used < sizeof(", ...")) {
			text[used] = '\0';
			return;
		}
	}
}

uint64_t tr_profile_marks_begun(const struct tr_profile *p, bool is_to)
{
	return p->bounds ? p->bounds->begun[is_to] : 0;
}

bool tr_profile_has_mark(const struct tr_profile *p, bool is_to)
{
	return p->bounds && p->bounds->seen[is_to];
}
