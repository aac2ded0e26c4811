/* SPDX-License-Identifier: Apache-2.0 */
/* Draws a page: its rows, and then what surrounds them. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "flame/flame.h"
#include "flame/picture.h"
#include "stream/stacks_index.h"
#include "timeline/timeline_svg_internal.h"

static const char *const style[] = {
#include "timeline/timeline.css.inc"
    NULL,
};
static const char *const tree_style[] = {
#include "timeline/timeline_tree.css.inc"
    NULL,
};

enum { AXIS = 40 };

/* Returns the distance of the ticks: 1, 2 or 5 by a power of 10, at most 12 of them. */
static uint64_t tick_distance(uint64_t span)
{
	uint64_t step = 1;
	for (unsigned i = 0; span / step > 12; i++)
		step = step * (i % 3 == 1 ? 5 : 4) / 2;
	return step;
}

static void put_axis(const struct page *page)
{
	const struct tr_timeline_picture *p = page->p;
	const uint64_t step = tick_distance(page->span);
	char number[28], clock[128];
	fprintf(page->file, "<path class=\"axis\" d=\"M%d %uH%d\"/>\n", PAGE_LEFT,
		page->y, PAGE_RIGHT);
	for (uint64_t at = (step - p->from % step) % step; at <= page->span; at += step) {
		const double x = page_x(page, at);
		const char *anchor = x > PAGE_RIGHT - 40  ? "end"
				     : x < PAGE_LEFT + 40 ? "start"
							  : "middle";
		fprintf(page->file,
			"<path class=\"grid\" d=\"M%.1f %uV%u\"/><text class=\"note\" "
			"x=\"%.1f\" y=\"%u\" text-anchor=\"%s\">%s</text>\n",
			x, PAGE_HEAD, page->y + 5, x, page->y + 18, anchor,
			tr_flame_number(p->from + at, number));
	}
	tr_timeline_clock_text(&p->clock, clock, sizeof(clock));
	fprintf(page->file,
		"<text class=\"note\" x=\"%d\" y=\"%u\" text-anchor=\"middle\">cycles; "
		"%s</text>\n",
		(PAGE_LEFT + PAGE_RIGHT) / 2, page->y + 34, clock);
}

static double put_key(const struct page *page, double x, const char *class,
		      const char *name)
{
	unsigned width = 0;
	for (const char *c = name; *c; c++)
		width += tr_flame_widths[*c - ' '];
	fprintf(page->file,
		"<rect class=\"%s\" x=\"%.0f\" y=\"54\" width=\"11\" height=\"11\"/>"
		"<text class=\"note\" x=\"%.0f\" y=\"64\">%s</text>\n",
		class, x, x + 15, name);
	return x + 30 + width * FLAME_FONT / 1000.0;
}

static void put_keys(const struct page *page)
{
	static const char *const tints[][2] = {
	    {"t3", "program"},	{"t0", "user"}, {"t1", "kernel"},
	    {"t2", "firmware"}, {"t5", "code"}, {"t4", "traps, gaps, unnamed code"}};
	double x = PAGE_LEFT;
	for (unsigned i = 0; i < 3; i++)
		x = put_key(page, x, tr_timeline_mode_keys[i][0],
			    tr_timeline_mode_keys[i][1]);
	x = put_key(page, x, "empty", "not traced") + 16;
	for (unsigned i = 0; i < sizeof(tints) / sizeof(tints[0]); i++)
		x = put_key(page, x, tints[i][0], tints[i][1]);
}

static void put_page_head(const struct page *page, unsigned height)
{
	const struct tr_timeline_picture *p = page->p;
	char total[160];
	tr_flame_open(page->file, p->title, height, style);
	if (p->tasks)
		tr_flame_lines(page->file, tree_style);
	fputs("</style>\n", page->file);
	fprintf(page->file,
		"<rect class=\"page\" width=\"%d\" height=\"%u\"/>\n<text "
		"class=\"title\" x=\"%d\" y=\"24\" text-anchor=\"middle\">",
		FLAME_WIDTH, height, FLAME_WIDTH / 2);
	tr_flame_xml(page->file, p->title);
	if (p->has_begun)
		tr_flame_total(total, sizeof(total), page->span, "cycles", p->clock.hz);
	else
		snprintf(total, sizeof(total), "nothing ran");
	fprintf(page->file,
		"</text>\n<text class=\"note\" x=\"%d\" y=\"42\" "
		"text-anchor=\"middle\">%s, %" PRIu32 " hart%s",
		FLAME_WIDTH / 2, total, p->nharts, p->nharts == 1 ? "" : "s");
	if (p->is_coarse)
		fprintf(page->file,
			"; coarse: spread evenly over each %d frames of the stream",
			TR_SUMS_FRAMES);
	fputs("</text>\n", page->file);
	put_keys(page);
}

static void put_notes(const struct page *page, unsigned y)
{
	char text[400];
	bool has_more = false;
	for (uint32_t i = 0; i < page->p->nharts; i++)
		has_more |= page->p->harts[i].has_more_counters;
	tr_timeline_svg.left_out(page->p, text, sizeof(text));
	fprintf(page->file, "<text class=\"note\" x=\"%d\" y=\"%u\">%s%s</text>\n",
		FLAME_PAD, y, text,
		has_more ? "; only the first 8 counters of a hart are drawn" : "");
}

static int by_number(const void *left, const void *right)
{
	const struct hart_row *a = left, *b = right;
	return (a->number > b->number) - (a->number < b->number);
}

/* Draws the rows in memory, since their height must be known first. Returns a status. */
static int draw_rows(struct page *page, char **text, size_t *size)
{
	struct tr_timeline_picture *p = (struct tr_timeline_picture *)page->p;
	page->file = open_memstream(text, size);
	if (!page->file)
		return TR_E_NOMEM;
	int status = p->tasks ? tr_timeline_draw_tree(page) : TR_OK;
	tr_timeline_draw_marks(page);
	if (p->nharts)
		qsort(p->harts, p->nharts, sizeof(*p->harts), by_number);
	for (uint32_t i = 0; i < p->nharts; i++)
		tr_timeline_draw_hart(page, &p->harts[i]);
	put_axis(page);
	const int failed = ferror(page->file);
	return fclose(page->file) || failed ? TR_E_NOMEM : status;
}

int tr_timeline_draw(struct tr_timeline_picture *p, uint64_t last)
{
	char *rows = NULL;
	size_t size = 0;
	struct page page = {.p = p, .y = PAGE_HEAD, .span = last - p->from};
	if (!page.span)
		page.span = 1;
	page.scale = (PAGE_RIGHT - PAGE_LEFT) / (double)page.span;
	page.bars = calloc(p->max_depth, sizeof(*page.bars));
	int status = tr_timeline_path_init(&page.path, p->max_depth) && page.bars
			 ? TR_OK
			 : TR_E_NOMEM;
	if (!status)
		status = draw_rows(&page, &rows, &size);
	if (!status) {
		const unsigned height = page.y + AXIS + 2 * FLAME_LINE;
		p->others = page.others;
		page.file = p->file;
		put_page_head(&page, height);
		fwrite(rows, 1, size, p->file);
		put_notes(&page, height - FLAME_LINE + 4);
		fputs("</svg>\n", p->file);
	}
	tr_timeline_path_release(&page.path);
	free(page.bars);
	free(rows);
	return status;
}
