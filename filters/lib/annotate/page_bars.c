/* SPDX-License-Identifier: Apache-2.0 */
/* The bars of a page, and the cells of its counts. */
#include <inttypes.h>

#include "annotate/page_internal.h"
#include "flame/flame.h"
#include "flame/picture.h"

void tr_page_number(FILE *file, uint64_t value)
{
	char text[28];
	fputs(tr_flame_number(value, text), file);
}

uint64_t tr_page_slots(const struct tr_count *c, const struct tr_classes *classes)
{
	uint64_t slots = c->executions + c->lost[0];
	for (unsigned i = 1; classes && i <= classes->count; i++)
		slots += c->lost[i];
	return classes ? slots : c->cycles;
}

/* The colour of a class: that of its group, the paler the later it is in the group. */
static void put_colour(FILE *file, const struct tr_classes *classes, unsigned class)
{
	struct flame_colour colour =
	    tr_flame_group_colour(classes, classes->group[class]);
	unsigned before = 0;
	for (unsigned i = 1; i < class; i++)
		before += classes->group[i] == classes->group[class];
	const unsigned shade = before < 5 ? FLAME_SHADES - 1 - before : 2;
	colour = tr_flame_shaded(colour, shade, FLAME_PALEST);
	fprintf(file, "hsl(%u,%u%%,%u%%)", colour.hue, colour.saturation, colour.light);
}

static void put_retiring_colour(FILE *file)
{
	const struct flame_colour colour = tr_flame_retiring_colour();
	fprintf(file, "hsl(%u,%u%%,%u%%)", colour.hue, colour.saturation, colour.light);
}

void tr_page_bar(const struct tr_page *page, const struct tr_count *c, double width,
		 const char *class)
{
	const struct tr_classes *classes = page->parts->classes;
	FILE *file = page->file;
	const uint64_t all = tr_page_slots(c, classes);
	fprintf(file, "<div class=\"bar%s\" style=\"width:%.2f%%\" title=\"", class,
		width);
	fprintf(file, "%" PRIu64 " retired", c->executions);
	for (unsigned i = 1; classes && i <= classes->count; i++)
		if (c->lost[i])
			fprintf(file, ", %" PRIu64 " %s", c->lost[i], classes->name[i]);
	if (c->lost[0])
		fprintf(file, ", %" PRIu64 " unclassified", c->lost[0]);
	fputs("\">", file);
	if (c->executions && classes) {
		fprintf(file, "<i style=\"width:%.2f%%;background:",
			page_percent(c->executions, all));
		put_retiring_colour(file);
		fputs("\"></i>", file);
	}
	for (unsigned i = 1; classes && i <= classes->count; i++)
		if (c->lost[i]) {
			fprintf(file, "<i style=\"width:%.2f%%;background:",
				page_percent(c->lost[i], all));
			put_colour(file, classes, i);
			fputs("\"></i>", file);
		}
	if (!classes || c->lost[0])
		fprintf(file, "<i style=\"width:%.2f%%;background:#9a9a9a\"></i>",
			classes ? page_percent(c->lost[0], all) : 100.0);
	fputs("</div>", file);
}

void tr_page_key(const struct tr_page *page, const struct tr_count *c)
{
	const struct tr_classes *classes = page->parts->classes;
	FILE *file = page->file;
	const uint64_t all = tr_page_slots(c, classes);
	if (!classes)
		return;
	fputs("<ul class=\"key\"><li><i style=\"background:", file);
	put_retiring_colour(file);
	fprintf(file, "\"></i>retired %.1f %%</li>", page_percent(c->executions, all));
	for (unsigned i = 1; i <= classes->count; i++)
		if (c->lost[i]) {
			fputs("<li><i style=\"background:", file);
			put_colour(file, classes, i);
			fprintf(file, "\"></i>%s %.1f %%</li>", classes->name[i],
				page_percent(c->lost[i], all));
		}
	if (c->lost[0])
		fprintf(file,
			"<li><i style=\"background:#9a9a9a\"></i>unclassified %.1f "
			"%%</li>",
			page_percent(c->lost[0], all));
	fputs("</ul>\n", file);
}

void tr_page_cells(const struct tr_page *page, const struct tr_count *c, uint64_t all,
		   uint64_t most)
{
	FILE *file = page->file;
	const struct tr_classes *classes = page->parts->classes;
	const uint64_t slots = tr_page_slots(c, classes);
	if (!c->executions && !c->traps) {
		fputs("<td></td><td></td><td class=\"b\"></td><td></td><td></td>", file);
		return;
	}
	fprintf(file, "<td class=\"h\" style=\"--h:%.2f\">",
		most ? 0.85 * (double)slots / (double)most : 0);
	tr_page_number(file, c->cycles);
	fprintf(file, "</td><td>%.1f</td><td class=\"b\">", page_percent(c->cycles, all));
	tr_page_bar(page, c, page_percent(slots, most), "");
	fputs("</td><td>", file);
	tr_page_number(file, c->executions);
	fputs("</td><td>", file);
	if (c->executions)
		fprintf(file, "%.2f", (double)c->cycles / (double)c->executions);
	fputs("</td>", file);
}
