/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of a timeline's picture. */
#include <string.h>

#include "flame/flame.h"
#include "flame/picture.h"
#include "timeline/timeline_svg_internal.h"

enum { ROW = 15, PRIVILEGES = 36, COUNTER = 40 };
/* Columns overlap by this part of a pixel, so that no ground is seen between them. */
static const double OVER = 0.8;

void tr_timeline_label(const struct page *page, unsigned y, const char *text)
{
	bool whole;
	const size_t bytes =
	    tr_flame_fit(text, (PAGE_LEFT - 14) * 1000 / FLAME_FONT, &whole);
	fprintf(page->file, "<text class=\"note\" x=\"%d\" y=\"%u\" text-anchor=\"end\">",
		PAGE_LEFT - 6, y);
	tr_flame_xml_part(page->file, text, bytes);
	fputs(whole ? "</text>\n" : "..</text>\n", page->file);
}

void tr_timeline_empty(const struct page *page, unsigned height)
{
	fprintf(page->file,
		"<rect class=\"empty\" x=\"%d\" y=\"%u\" width=\"%d\" height=\"%u\"/>\n",
		PAGE_LEFT, page->y, PAGE_RIGHT - PAGE_LEFT, height);
}

/* Writes as much of the name as fits. */
static void put_fitting_name(const struct page *page, const char *name, double x,
			     double width, unsigned y)
{
	const unsigned room =
	    width < 16 ? 0 : (unsigned)((width - 6) * 1000 / FLAME_FONT);
	bool whole = false;
	const size_t bytes = room ? tr_flame_fit(name, room, &whole) : 0;
	if (!bytes)
		return;
	fprintf(page->file, "<text class=\"in\" x=\"%.2f\" y=\"%u\">", x + 3, y);
	tr_flame_xml_part(page->file, name, bytes);
	fputs(whole ? "</text>\n" : "..</text>\n", page->file);
}

void tr_timeline_bar(const struct page *page, const struct bar *bar, unsigned height,
		     const char *class, const char *name, const char *more)
{
	const double x = page_x(page, bar->start);
	const double width = page_x(page, bar->end) - x;
	const unsigned y = page->y + bar->depth * ROW;
	char number[3][28];
	fprintf(page->file,
		"<rect class=\"%s\" x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\">"
		"<title>",
		class, x, y, width > 3 ? width - 0.4 : width, height - 1);
	tr_flame_xml(page->file, name);
	if (*more) {
		fputs(" (", page->file);
		tr_flame_xml(page->file, more);
		putc(')', page->file);
	}
	fprintf(page->file, "\n%s of %s cycles from %s on</title></rect>\n",
		tr_flame_number(bar->cycles, number[0]),
		tr_flame_number(bar->end - bar->start, number[1]),
		tr_flame_number(page->p->from + bar->start, number[2]));
	put_fitting_name(page, name, x, width, y + height - 4);
}

const char *const tr_timeline_mode_keys[3][2] = {
    {"U", "U-mode"}, {"S", "S-mode"}, {"M", "M-mode"}};

/* Returns the class of a privilege, of which those that are rare share one. */
static const char *mode_class(unsigned priv)
{
	static const char *const classes[TR_TIMELINE_MODES] = {
	    [TR_PRIV_U] = "U", [TR_PRIV_S] = "S", [TR_PRIV_M] = "M"};
	return classes[priv] ? classes[priv] : "V";
}

/* The share of each privilege in columns, in hundredths of a pixel. */
struct shape {
	int heights[TR_TIMELINE_MODES];
};

static struct shape column_mode_shape(const struct page *page, const struct bins *modes,
				      unsigned column)
{
	const uint64_t start = column * modes->width;
	const double cycles = (double)(page_end(page, column, modes->width) - start);
	struct shape shape;
	for (unsigned i = 0; i < TR_TIMELINE_MODES; i++)
		shape.heights[i] =
		    (int)(100 * PRIVILEGES *
			      (double)modes->sums[column * modes->values + i] / cycles +
			  0.5);
	return shape;
}

/* Draws a shape from one cycle to another, U-mode at the bottom. */
static void put_shape(const struct page *page, const struct shape *shape, uint64_t from,
		      uint64_t to)
{
	const double x = page_x(page, from), width = page_x(page, to) - x + OVER;
	double y = page->y + PRIVILEGES;
	for (unsigned i = 0; i < TR_TIMELINE_MODES; i++) {
		const double height = shape->heights[i] / 100.0;
		y -= height;
		if (shape->heights[i] >= 5)
			fprintf(page->file,
				"<path class=\"%s\" d=\"M%.2f %.2fh%.2fv%.2fH%.2fz\"/>\n",
				mode_class(i), x, y, width, height, x);
	}
}

/* Equal columns that meet are one, which has no seams. */
void tr_timeline_modes(struct page *page, const struct hart_row *hart)
{
	const struct bins *modes = &hart->modes;
	struct shape shape = {{0}}, next;
	uint64_t from = 0;
	tr_timeline_label(page, page->y + PRIVILEGES / 2 + 4, "privilege");
	tr_timeline_empty(page, PRIVILEGES);
	for (unsigned i = 0; modes->sums && page_has(page, i, modes->width); i++) {
		next = column_mode_shape(page, modes, i);
		if (memcmp(&next, &shape, sizeof(shape)) == 0)
			continue;
		put_shape(page, &shape, from, i * modes->width);
		from = i * modes->width;
		shape = next;
	}
	const uint64_t end = COLUMNS * modes->width;
	put_shape(page, &shape, from, end < page->span ? end : page->span);
	page->y += PRIVILEGES + PAGE_GAP;
}

static void put_rate(const struct page *page, const struct bins *bins, uint64_t most)
{
	for (unsigned i = 0; page_has(page, i, bins->width); i++) {
		const double height = COUNTER * (double)bins->sums[i] / (double)most;
		const double x = page_x(page, i * bins->width);
		const double end = page_x(page, page_end(page, i, bins->width));
		if (bins->sums[i])
			fprintf(page->file,
				"<path class=\"count\" "
				"d=\"M%.2f %.2fh%.2fv%.2fH%.2fz\"/>\n",
				x, page->y + COUNTER - height, end - x + OVER, height, x);
	}
}

void tr_timeline_counter(struct page *page, const struct counter_row *row)
{
	const struct bins *bins = &row->bins;
	const char *label = page->p->counters->set[row->set].label[row->counter];
	char number[28], rate[40] = "never rises";
	uint64_t most = 0;
	for (unsigned i = 0; bins->sums && i < COLUMNS; i++)
		most = bins->sums[i] > most ? bins->sums[i] : most;
	if (most)
		snprintf(rate, sizeof(rate), "up to %.3g a cycle",
			 (double)most / (double)bins->width);
	tr_timeline_label(page, page->y + 16, label);
	tr_timeline_label(page, page->y + 30, rate);
	fputs("<g><title>", page->file);
	tr_flame_xml(page->file, label);
	fprintf(page->file, ": %s in all</title>\n", tr_flame_number(row->sum, number));
	tr_timeline_empty(page, COUNTER);
	if (most)
		put_rate(page, bins, most);
	fputs("</g>\n", page->file);
	page->y += COUNTER + PAGE_GAP;
}
