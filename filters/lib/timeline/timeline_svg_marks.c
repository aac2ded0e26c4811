/* SPDX-License-Identifier: Apache-2.0 */
/* Rows of marks: for each thread its regions as bars, and its points as triangles. What
 * is narrower than a part of a pixel is left out, already while it is collected. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "flame/flame.h"
#include "flame/picture.h"
#include "timeline/timeline_svg_internal.h"

enum {
	ROW = 15,
	POINTS = 9,	/* height of the row of points */
	PARTS = 4096,	/* of the picture's width: what is narrower is left out */
	KEPT = 1 << 16, /* marks */
	SHOWN_THREADS = 64,
};

struct picture_mark {
	uint64_t start, end; /* equal for a point */
	uint64_t away;
	uint32_t thread, depth, name;
	bool is_point, is_open, is_stray;
};

struct picture_marks {
	struct picture_mark *marks;
	size_t room;
	uint32_t count;
	uint64_t left_out;
	struct tr_tallies names; /* interned */
};

struct picture_marks *tr_timeline_marks_new(void)
{
	return calloc(1, sizeof(struct picture_marks));
}

void tr_timeline_marks_free(struct picture_marks *m)
{
	if (!m)
		return;
	tr_tallies_free(&m->names);
	free(m->marks);
	free(m);
}

/* Threads by their numbers, in each points by time, then regions by depth and time. */
static int by_place(const void *left, const void *right)
{
	const struct picture_mark *a = left, *b = right;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->is_point != b->is_point)
		return a->is_point ? -1 : 1;
	if (a->depth != b->depth)
		return a->depth < b->depth ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* Leaves out what is narrower than `least` cycles: points by their distance to the one
 * before. */
static void thin_marks(struct picture_marks *m, uint64_t least)
{
	uint32_t kept = 0;
	if (m->count)
		qsort(m->marks, m->count, sizeof(*m->marks), by_place);
	for (uint32_t i = 0; i < m->count; i++) {
		const struct picture_mark *mark = &m->marks[i];
		const struct picture_mark *last = kept ? &m->marks[kept - 1] : NULL;
		const bool follows =
		    last && last->is_point && last->thread == mark->thread;
		const uint64_t width = !mark->is_point ? mark->end - mark->start
				       : follows       ? mark->start - last->start
						       : least;
		if (width < least)
			m->left_out++;
		else
			m->marks[kept++] = *mark;
	}
	m->count = kept;
}

/* Makes room for another mark; `span` are the cycles so far. */
static bool make_mark_room(struct picture_marks *m, uint64_t span)
{
	for (uint64_t least = span / PARTS + 1; m->count >= KEPT; least *= 2)
		thin_marks(m, least);
	return tr_grow(&m->marks, &m->room, m->count + 1UL, sizeof(*m->marks));
}

int tr_timeline_svg_take_mark(void *state, const struct tr_mark_event *event)
{
	struct tr_timeline_picture *p = state;
	struct picture_marks *m = p->marks;
	const bool is_region = event->kind == TR_MARK_END && !event->is_stray;
	if (event->kind == TR_MARK_BEGIN)
		return TR_OK;
	const uint32_t name = tr_tallies_find(
	    &m->names, &(struct tr_tally_key){.what = "", .name = event->name});
	if (name == UINT32_MAX ||
	    !make_mark_room(m, event->cycle > p->from ? event->cycle - p->from : 0))
		return TR_E_NOMEM;
	m->marks[m->count++] =
	    (struct picture_mark){.start = is_region ? event->start : event->cycle,
				  .end = event->cycle,
				  .away = event->away,
				  .thread = p->threads[event->track].number,
				  .depth = event->depth,
				  .name = name,
				  .is_point = !is_region,
				  .is_open = event->is_open,
				  .is_stray = event->is_stray};
	return TR_OK;
}

static const char *name_of_mark(const struct page *page, const struct picture_mark *mark)
{
	return page->p->marks->names.tallies[mark->name].key.name;
}

static uint64_t in_picture(const struct page *page, uint64_t cycle)
{
	const uint64_t at = cycle > page->p->from ? cycle - page->p->from : 0;
	return at < page->span ? at : page->span;
}

static void put_point(const struct page *page, const struct picture_mark *mark)
{
	char number[28];
	fprintf(page->file, "<path class=\"count\" d=\"M%.2f %uh6l-3 7z\"><title>%s",
		page_x(page, in_picture(page, mark->start)) - 3, page->y,
		mark->is_stray ? "end without a begin: " : "");
	tr_flame_xml(page->file, name_of_mark(page, mark));
	fprintf(page->file, "\nat %s</title></path>\n",
		tr_flame_number(mark->start, number));
}

static void put_region(const struct page *page, const struct picture_mark *mark)
{
	static const char *const classes[] = {"r0", "r1", "r2", "r3"};
	const uint64_t start = in_picture(page, mark->start);
	const uint64_t cycles = mark->end - mark->start;
	const struct bar bar = {.start = start,
				.end = start + cycles,
				.cycles = cycles - mark->away,
				.depth = mark->depth};
	tr_timeline_bar(page, &bar, ROW, classes[mark->name % 4],
			name_of_mark(page, mark), mark->is_open ? "without its end" : "");
}

/* Draws the marks [first, end) of a thread. */
static void put_thread_marks(struct page *page, const struct picture_mark *first,
			     const struct picture_mark *end)
{
	uint32_t deepest = 0;
	bool has_points = first->is_point;
	tr_timeline_label(page, page->y + ROW - 4,
			  tr_profile_thread_label(page->p->profile, first->thread));
	fputs("<g>\n", page->file);
	for (; first < end && first->is_point; first++)
		put_point(page, first);
	page->y += has_points ? POINTS : 0;
	for (; first < end; first++) {
		put_region(page, first);
		deepest = first->depth + 1 > deepest ? first->depth + 1 : deepest;
	}
	fputs("</g>\n", page->file);
	page->y += deepest ? deepest * ROW : ROW - POINTS;
	page->y += PAGE_GAP;
}

/* Writes the heading, and what is not drawn. */
static void put_marks_heading(struct page *page, uint32_t threads)
{
	char number[2][28];
	const struct picture_marks *m = page->p->marks;
	fprintf(page->file,
		"<text x=\"%d\" y=\"%u\">marks</text><text class=\"note\" x=\"%d\" "
		"y=\"%u\">regions of each thread, also while it does not run; points "
		"are triangles",
		FLAME_PAD, page->y + 8, PAGE_LEFT, page->y + 8);
	if (m->left_out)
		fprintf(page->file, "; %s mark%s too narrow to be drawn",
			tr_flame_number(m->left_out, number[0]),
			m->left_out == 1 ? " is" : "s are");
	if (threads > SHOWN_THREADS)
		fprintf(page->file, "; %s more threads are not drawn",
			tr_flame_number(threads - SHOWN_THREADS, number[1]));
	fputs("</text>\n", page->file);
	page->y += 2 * PAGE_GAP + 4;
}

void tr_timeline_draw_marks(struct page *page)
{
	struct picture_marks *m = page->p->marks;
	uint32_t threads = 0, drawn = 0;
	thin_marks(m, page->span / PARTS);
	if (!m->count && !m->left_out)
		return;
	for (uint32_t i = 0; i < m->count; i++)
		threads += !i || m->marks[i].thread != m->marks[i - 1].thread;
	put_marks_heading(page, threads);
	for (uint32_t i = 0, end; i < m->count && drawn < SHOWN_THREADS;
	     i = end, drawn++) {
		end = i + 1;
		while (end < m->count && m->marks[end].thread == m->marks[i].thread)
			end++;
		put_thread_marks(page, m->marks + i, m->marks + end);
	}
	page->y += PAGE_GAP;
}
