/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of a hart: what has the most cycles in each column. Equal columns that meet
 * are one bar. */
#include <inttypes.h>
#include <string.h>

#include "flame/picture.h"
#include "flame/tint.h"
#include "timeline/timeline_svg_internal.h"

enum { ROW = 15, STRIP = 20 };

static bool is_same_occupant(const struct page *page, uint32_t track, uint32_t other,
			     bool by_process)
{
	const struct thread *threads = page->p->threads;
	return track == other ||
	       (by_process && track != TR_TIMELINE_NONE && other != TR_TIMELINE_NONE &&
		threads[track].group == threads[other].group);
}

/* Finds the thread with the most cycles in a column, or a thread of the process with the
 * most. Returns false if nothing ran. */
static bool find_run(const struct page *page, const struct hart_row *hart, unsigned i,
		     bool by_process, struct bar *bar)
{
	const struct cell *cells = hart->threads->column[i].cells;
	const uint32_t count = hart->threads->column[i].count;
	bar->cycles = 0;
	for (uint32_t k = 0; k < count; k++) {
		uint64_t sum = 0;
		for (uint32_t n = 0; n < count; n++)
			if (is_same_occupant(page, cells[n].key, cells[k].key,
					     by_process))
				sum += cells[n].cycles;
		if (cells[k].key == TR_TIMELINE_NONE || sum < bar->cycles ||
		    (sum == bar->cycles && cells[k].key > bar->what))
			continue;
		bar->cycles = sum;
		bar->what = cells[k].key;
	}
	bar->start = i * hart->threads->width;
	bar->end = page_end(page, i, hart->threads->width);
	return bar->cycles != 0;
}

static void put_run(const struct page *page, const struct bar *bar, bool by_process)
{
	static const char *const classes[] = {"r0", "r1", "r2", "r3"};
	const struct thread *as = &page->p->threads[bar->what];
	const char *thread = tr_profile_thread_label(page->p->profile, as->number);
	const char *process = tr_profile_label(page->p->profile, as->group);
	if (strcmp(process, "-") == 0)
		process = "[no process]";
	if (bar->cycles)
		tr_timeline_bar(page, bar, STRIP,
				classes[(by_process ? as->group : bar->what) % 4],
				by_process ? process : thread, by_process ? "" : process);
}

static void put_hart_runs(struct page *page, const struct hart_row *hart, bool by_process)
{
	struct bar bar = {0}, next = {0};
	tr_timeline_label(page, page->y + STRIP - 6, by_process ? "process" : "thread");
	tr_timeline_empty(page, STRIP - 1);
	fputs("<g>\n", page->file);
	for (unsigned i = 0; page_has(page, i, hart->threads->width); i++) {
		if (!find_run(page, hart, i, by_process, &next))
			continue;
		if (bar.cycles && bar.end == next.start &&
		    is_same_occupant(page, bar.what, next.what, by_process)) {
			bar.end = next.end;
			bar.cycles += next.cycles;
			continue;
		}
		put_run(page, &bar, by_process);
		bar = next;
	}
	put_run(page, &bar, by_process);
	fputs("</g>\n", page->file);
	page->y += STRIP + (by_process ? 0U : PAGE_GAP);
}

static void put_frame(const struct page *page, const struct bar *bar)
{
	static const char *const classes[] = {"t0", "t1", "t2", "t3", "t4", "t5"};
	uint32_t parent;
	const struct tr_func *func =
	    tr_profile_frame(page->p->profile, bar->what, &parent);
	tr_timeline_bar(page, bar, ROW, classes[tr_tint_of(page->p->header, func)],
			func->name, func->binary);
}

/* Goes on from bars of `depth` frames to the stack of a column, which is another one if
 * it is of another thread. Returns its depth. */
static uint32_t take_path(const struct page *page, uint32_t depth, bool same_thread,
			  uint64_t start, uint64_t end)
{
	const struct path *path = &page->path;
	struct bar *bars = page->bars;
	uint32_t same = 0;
	while (same_thread && same < depth && same < path->depth &&
	       bars[same].what == path->shown[same].node && bars[same].end == start)
		same++;
	while (depth > same)
		put_frame(page, &bars[--depth]);
	for (; depth < path->depth; depth++)
		bars[depth] = (struct bar){
		    .start = start, .what = path->shown[depth].node, .depth = depth};
	for (uint32_t d = 0; d < depth; d++) {
		bars[d].end = end;
		bars[d].cycles += path->shown[d].cycles;
	}
	return depth;
}

static void put_hart_stacks(struct page *page, const struct hart_row *hart)
{
	const struct columns *c = hart->stacks;
	struct bar run, last = {.what = TR_TIMELINE_NONE};
	uint32_t depth = 0, deepest = 0;
	tr_timeline_label(page, page->y + ROW - 4, "stacks");
	fputs("<g>\n", page->file);
	for (unsigned i = 0; page_has(page, i, c->width); i++) {
		tr_timeline_path_find(&page->path, c, i);
		if (!find_run(page, hart, i, false, &run))
			run.what = TR_TIMELINE_NONE;
		depth = take_path(page, depth, run.what == last.what, i * c->width,
				  page_end(page, i, c->width));
		last = run;
		deepest = depth > deepest ? depth : deepest;
		for (uint32_t n = 0; n < c->column[i].count; n++)
			page->others += c->column[i].cells[n].cycles;
		page->others -= page->path.own;
	}
	page->path.depth = 0;
	take_path(page, depth, false, 0, 0);
	fputs("</g>\n", page->file);
	page->y += deepest * ROW + PAGE_GAP;
}

void tr_timeline_draw_hart(struct page *page, const struct hart_row *hart)
{
	fprintf(page->file, "<text x=\"%d\" y=\"%u\">hart %" PRIu32 "</text>\n",
		FLAME_PAD, page->y + 8, hart->number);
	page->y += 2 * PAGE_GAP;
	tr_timeline_modes(page, hart);
	put_hart_runs(page, hart, true);
	put_hart_runs(page, hart, false);
	put_hart_stacks(page, hart);
	for (unsigned i = 0; i < hart->ncounters; i++)
		tr_timeline_counter(page, &hart->counters[i]);
}
