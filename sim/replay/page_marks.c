/* SPDX-License-Identifier: Apache-2.0 */
#include "page_marks.h"

#include <stdlib.h>

#include "lane.h"

struct page_marks {
	struct replay *replay;
	uint64_t page;
	void (*hit)(void *user, const struct page_mark *mark);
	void *user;
	uint64_t others;
};

/* Returns the kind of mark that a store to an offset is, 0 if it is none. */
static unsigned kind_at(uint64_t offset)
{
	switch (offset) {
	case PAGE_MARKS_POINT:
		return TR_MARK_POINT;
	case PAGE_MARKS_BEGIN:
		return TR_MARK_BEGIN;
	case PAGE_MARKS_END:
		return TR_MARK_END;
	default:
		return 0;
	}
}

static bool touches_page(const struct page_marks *p, uint64_t address, uint64_t size)
{
	return address < p->page + TR_MARK_PAGE && p->page < address + size;
}

/* The model executes one instruction at a time while accesses are watched, so that all
 * before this one has been compared. */
static void take_access(void *user, unsigned hart, const struct soc_access *access)
{
	struct page_marks *p = user;
	struct page_mark mark = {.hart = hart, .number = access->value};
	unsigned kind;

	if (!access->write || !touches_page(p, access->address, access->size))
		return;
	kind = access->copy ? 0 : kind_at(access->address - p->page);
	if (!kind) {
		p->others++;
		return;
	}
	mark.kind = (enum tr_mark_kind)kind;
	mark.row = compare_at(replay_lane(p->replay, hart), &mark.token);
	p->hit(p->user, &mark);
}

static void take_external_write(void *user, unsigned hart, uint64_t address,
				const uint8_t *data, uint32_t size, bool untraced)
{
	struct page_marks *p = user;

	(void)hart, (void)data;
	p->others += !untraced && touches_page(p, address, size);
}

struct page_marks *page_marks_new(struct replay *replay, uint64_t page,
				  void (*hit)(void *user, const struct page_mark *mark),
				  void *user)
{
	struct page_marks *p = malloc(sizeof(*p));
	const struct replay_accesses watch = {
	    .user = p, .access = take_access, .external_write = take_external_write};

	if (!p)
		return NULL;
	*p =
	    (struct page_marks){.replay = replay, .page = page, .hit = hit, .user = user};
	replay_watch_accesses(replay, &watch);
	return p;
}

void page_marks_free(struct page_marks *p)
{
	if (p)
		replay_watch_accesses(p->replay, NULL);
	free(p);
}

uint64_t page_marks_others(const struct page_marks *p)
{
	return p->others;
}
