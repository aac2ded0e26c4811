/* SPDX-License-Identifier: Apache-2.0 */
/* Draws the bars of the TMA paper's figures 2 to 4 from counters, a file for each run:
 * two to four bars on a common axis of percent, as a self-contained SVG file, 1200
 * pixels wide. */
#include <string.h>

#include "cli/counter_files.h"
#include "cli/options.h"
#include "flame/picture.h"

static const char usage[] = "usage: tma-bars [options] counters.csv...\n"
			    "Draw top-down analyses of runs from their counters.\n";

/* Content of the bars. */
enum bar_content {
	BARS_OF_GROUPS,	 /* groups of classes, and table 1 below them; of slots also
			  * those of dispatch, and Icicle */
	BARS_OF_CLASSES, /* a part for each class instead */
	BARS_OF_FRONTEND /* icache_blocked, fetch_stall, and the class */
};

static const char *const style[] = {
    ".in{pointer-events:none;fill:#1c1c1c}",
    ".light{fill:#fff}",
    ".grid{stroke:#8886;fill:none}",
    "rect:hover{stroke:#1c1c1c}",
    "@media (prefers-color-scheme:dark){",
    "rect:hover{stroke:#fff}",
    "}",
    NULL,
};

/* Pixels. */
enum {
	LEFT = 190,
	RIGHT = FLAME_WIDTH - 60,
	RIGHT_OF_SLOTS = FLAME_WIDTH - 100, /* the bars have names */
	TOP = 78,
	UPPER = 18, /* height of a bar of classes */
	LOWER = 11, /* height of other bars */
	SPACE = 13, /* between runs */
	LABEL_ROOM = 40,
};

struct picture {
	const struct tr_tma_named *runs;
	size_t count;
	enum bar_content what;
	const struct tr_classes *classes; /* NULL if no run has any */
	bool has_slots;			  /* a run has slots of dispatch */
	double most;			  /* share at the right end */
	unsigned right, bottom;
	FILE *file;
};

/* A part of a bar. */
struct part {
	const char *name;
	double share;
	unsigned hue, saturation, light;
};

static unsigned run_height(const struct picture *p)
{
	if (p->what == BARS_OF_FRONTEND)
		return UPPER + 2 * LOWER + SPACE + 2;
	return UPPER + SPACE + (p->has_slots ? 3 : 1) * (LOWER + 1);
}

static double x_of(const struct picture *p, double share)
{
	return LEFT + (p->right - LEFT) * share / p->most;
}

/* White text where dark text would be hard to read. */
static const char *text_class(const struct part *part)
{
	bool is_dark = part->light < (part->hue > 190 || part->hue < 20 ? 60 : 45);
	return is_dark ? "in light" : "in";
}

static void write_part(const struct picture *p, const struct part *part, double from,
		       unsigned y, unsigned height)
{
	double to = from + part->share < p->most ? from + part->share : p->most;
	double x = x_of(p, from), width = x_of(p, to) - x;
	if (width <= 0)
		return;
	fprintf(p->file,
		"<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%u\" "
		"fill=\"hsl(%u,%u%%,%u%%)\"><title>",
		x, y, width, height, part->hue, part->saturation, part->light);
	tr_flame_xml(p->file, part->name);
	fprintf(p->file, " %.2f %%</title></rect>\n", 100 * part->share);
	if (width > LABEL_ROOM && height >= UPPER)
		fprintf(p->file,
			"<text class=\"%s\" x=\"%.1f\" y=\"%u\" "
			"text-anchor=\"middle\">%.1f</text>\n",
			text_class(part), x + width / 2, y + 13, 100 * part->share);
}

static struct part coloured(const char *name, struct flame_colour colour)
{
	return (struct part){.name = name,
			     .hue = colour.hue,
			     .saturation = colour.saturation,
			     .light = colour.light};
}

/* The classes of a group get lighter one by one; the first is darker than the group. */
enum { DARKEST = 18 };

static struct part class_part(const struct picture *p, const struct tr_tma_run *run,
			      unsigned class)
{
	unsigned group = p->classes->group[class];
	struct flame_colour colour = tr_flame_group_colour(p->classes, group);
	struct part part = coloured(p->classes->name[class], colour);
	part.light -= DARKEST;
	for (unsigned c = 1; c < class; c++)
		part.light += p->classes->group[c] == group ? 11 : 0;
	part.light = part.light > 88 ? 88 : part.light;
	if (run)
		part.share = (double)run->sum.lost[class] / (double)run->slots;
	return part;
}

static struct part group_part(const struct picture *p, const struct tr_tma_run *run,
			      unsigned group)
{
	struct part part = coloured(tr_tma_group(p->classes->group_name[group]),
				    tr_flame_group_colour(p->classes, group));
	for (unsigned c = 1; run && c <= p->classes->count; c++)
		if (p->classes->group[c] == group)
			part.share += (double)run->sum.lost[c] / (double)run->slots;
	return part;
}

static struct part retiring_part(double share)
{
	struct part part = coloured("retiring", tr_flame_retiring_colour());
	part.share = share;
	return part;
}

static void write_classes(const struct picture *p, const struct tr_tma_run *run,
			  unsigned y)
{
	double at = (double)run->sum.retiring / (double)run->slots;
	const struct part retiring = retiring_part(at);
	write_part(p, &retiring, 0, y, UPPER);
	for (unsigned group = 0; group < p->classes->ngroups; group++) {
		if (p->what == BARS_OF_GROUPS) {
			const struct part part = group_part(p, run, group);
			write_part(p, &part, at, y, UPPER);
			at += part.share;
			continue;
		}
		for (unsigned c = 1; c <= p->classes->count; c++) {
			if (p->classes->group[c] != group)
				continue;
			const struct part part = class_part(p, run, c);
			write_part(p, &part, at, y, UPPER);
			at += part.share;
		}
	}
}

/* Writes the name of a bar behind it and, where the backend that is the rest is
 * negative, what the others add up to. */
static void write_bar_name(const struct picture *p, const char *name, double rest,
			   unsigned y)
{
	if (!p->has_slots)
		return;
	fprintf(p->file, "<text class=\"note\" x=\"%u\" y=\"%u\">%s", p->right + 6, y,
		name);
	if (rest < -0.0005)
		fprintf(p->file, " %.1f %%", 100 - 100 * rest);
	fputs("</text>\n", p->file);
}

/* In the order of our core's classes. */
static void write_top(const struct picture *p, const char *name,
		      const struct tr_tma_top *top, unsigned y)
{
	char names[3][64];
	static const char *const what[] = {"frontend", "bad speculation", "backend"};
	for (unsigned i = 0; i < 3; i++)
		snprintf(names[i], sizeof(names[i]), "%s: %s%s", name, what[i],
			 i == 2 && strcmp(name, "table 1") == 0 ? ", less retiring" : "");
	const struct part parts[] = {
	    retiring_part(top->retiring),
	    {names[0], top->frontend, 208, 75, 64},
	    {names[1], top->bad, 285, 55, 64},
	    {names[2], top->rest, 22, 75, 66},
	};
	double at = 0;
	for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		write_part(p, &parts[i], at, y, LOWER);
		at += parts[i].share > 0 ? parts[i].share : 0;
	}
	write_bar_name(p, name, top->rest, y + LOWER - 1);
}

static void write_formulas(const struct picture *p, const struct tr_tma_run *run,
			   unsigned y)
{
	const bool has_slots = tr_tma_has_slots(run);
	struct tr_tma_top top;
	if (has_slots) {
		top = tr_tma_slots(run);
		write_top(p, "dispatch", &top, y);
		y += LOWER + 1;
	}
	top = tr_tma_table1(run);
	write_top(p, "table 1", &top, y);
	if (has_slots) {
		top = tr_tma_icicle(run);
		write_top(p, "Icicle", &top, y + LOWER + 1);
	}
}

/* The two counters and the class. */
enum { FRONTEND_BARS = 3 };
static void frontend_parts(const struct tr_tma_run *run, struct part parts[FRONTEND_BARS])
{
	const double cycles = (double)run->cycles, slots = (double)run->slots;
	parts[0] = (struct part){"icache_blocked",
				 (double)run->events[TR_TMA_ICACHE_BLOCKED] / cycles, 208,
				 14, 66};
	parts[1] =
	    (struct part){"fetch_stall: table 1's frontend",
			  (double)run->events[TR_TMA_FETCH_STALL] / slots, 208, 60, 78};
	parts[2] =
	    (struct part){"class.frontend.*: the true frontend bound",
			  run->has_classes ? tr_tma_exact(run).frontend : 0, 208, 75, 56};
}

static void write_frontend(const struct picture *p, const struct tr_tma_run *run,
			   unsigned y)
{
	static const unsigned heights[FRONTEND_BARS] = {LOWER, LOWER, UPPER};
	struct part parts[FRONTEND_BARS];
	frontend_parts(run, parts);
	for (unsigned i = 0; i < FRONTEND_BARS; i++) {
		write_part(p, &parts[i], 0, y, heights[i] < UPPER ? LOWER : UPPER - 1);
		fprintf(p->file, "<text class=\"note\" x=\"%.1f\" y=\"%u\">%.2f</text>\n",
			x_of(p, parts[i].share) + 4, y + heights[i] / 2 + 4,
			100 * parts[i].share);
		y += heights[i] + 1;
	}
}

static void write_name(const struct picture *p, const struct tr_tma_named *named,
		       unsigned y)
{
	const struct tr_tma_run *run = &named->run;
	uint64_t retired =
	    run->has_classes ? run->sum.retiring : run->events[TR_TMA_RETIRED];
	bool whole;
	size_t bytes = tr_flame_fit(named->name, (LEFT - 30) * 1000 / FLAME_FONT, &whole);
	fprintf(p->file, "<text x=\"%d\" y=\"%u\" text-anchor=\"end\">", LEFT - 10,
		y + 13);
	tr_flame_xml_part(p->file, named->name, bytes);
	fputs(whole ? "<title>" : "..<title>", p->file);
	tr_flame_xml(p->file, named->name);
	fputs("</title></text>\n", p->file);
	if (retired)
		fprintf(p->file,
			"<text class=\"note\" x=\"%d\" y=\"%u\" text-anchor=\"end\">CPI "
			"%.2f</text>\n",
			LEFT - 10, y + 27, (double)run->cycles / (double)retired);
}

static void write_runs(const struct picture *p)
{
	unsigned y = TOP + SPACE / 2;
	for (size_t i = 0; i < p->count; i++, y += run_height(p)) {
		const struct tr_tma_run *run = &p->runs[i].run;
		write_name(p, &p->runs[i], y);
		if (p->what == BARS_OF_FRONTEND) {
			write_frontend(p, run, y);
			continue;
		}
		if (run->has_classes) {
			write_classes(p, run, y);
			write_bar_name(p, "commit", 0, y + 13);
		}
		if (run->has_table1)
			write_formulas(p, run, y + UPPER + 1);
	}
}

/* At most ten steps. */
static void write_axis(const struct picture *p)
{
	double step = p->most > 0.5   ? 0.1
		      : p->most > 0.2 ? 0.05
		      : p->most > 0.1 ? 0.02
				      : 0.01;
	for (unsigned i = 0; step * i <= p->most * 1.0001; i++)
		fprintf(p->file,
			"<path class=\"grid\" d=\"M%.1f %dV%u\"/><text class=\"note\" "
			"x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%.0f %%</text>\n",
			x_of(p, step * i), TOP, p->bottom, x_of(p, step * i), TOP - 6,
			100 * step * i);
}

static unsigned text_width(const char *text)
{
	unsigned width = 0;
	for (; *text; text++)
		width +=
		    *text >= ' ' && *text <= '~' ? tr_flame_widths[*text - ' '] : 1000;
	return width * FLAME_FONT / 1000;
}

/* Draws a square and its name. Returns the position of the next one. */
static unsigned write_key(const struct picture *p, const struct part *part, unsigned x,
			  unsigned y)
{
	fprintf(
	    p->file,
	    "<rect class=\"fixed\" x=\"%u\" y=\"%u\" width=\"10\" height=\"10\" "
	    "fill=\"hsl(%u,%u%%,%u%%)\"/><text class=\"note fixed\" x=\"%u\" y=\"%u\">",
	    x, y - 9, part->hue, part->saturation, part->light, x + 14, y);
	tr_flame_xml(p->file, part->name);
	fputs("</text>\n", p->file);
	return x + 34 + text_width(part->name);
}

static unsigned write_class_keys(const struct picture *p, unsigned y)
{
	for (unsigned group = 0; group < p->classes->ngroups; group++) {
		unsigned x = FLAME_PAD;
		for (unsigned c = 1; c <= p->classes->count; c++)
			if (p->classes->group[c] == group) {
				const struct part part = class_part(p, NULL, c);
				x = write_key(p, &part, x, y);
			}
		y += FLAME_LINE;
	}
	return y;
}

static unsigned write_top_keys(const struct picture *p, unsigned x, unsigned y)
{
	for (unsigned group = 0; group < p->classes->ngroups; group++) {
		const struct part part = group_part(p, NULL, group);
		x = write_key(p, &part, x, y);
	}
	return x;
}

static unsigned write_keys(const struct picture *p, unsigned y)
{
	const struct part retiring = retiring_part(0);
	const struct part rest = {p->has_slots ? "backend of the lower bars"
					       : "table 1: backend, less retiring",
				  0, 22, 75, 66};
	struct part parts[FRONTEND_BARS];
	unsigned x = FLAME_PAD;
	if (p->what == BARS_OF_FRONTEND) {
		frontend_parts(&p->runs[0].run, parts);
		for (unsigned i = 0; i < FRONTEND_BARS; i++)
			x = write_key(p, &parts[i], x, y);
		return y + FLAME_LINE;
	}
	x = write_key(p, &retiring, x, y);
	if (p->classes && p->what == BARS_OF_GROUPS)
		x = write_top_keys(p, x, y);
	write_key(p, &rest, x, y);
	y += FLAME_LINE;
	return p->classes && p->what == BARS_OF_CLASSES ? write_class_keys(p, y) : y;
}

static unsigned legend_lines(const struct picture *p)
{
	return p->what == BARS_OF_CLASSES && p->classes ? 1 + p->classes->ngroups : 1;
}

static void write_head(const struct picture *p, const char *title, unsigned height)
{
	FILE *file = p->file;
	tr_flame_open(file, title, height, style);
	fputs("</style>\n", file);
	fprintf(file,
		"<rect class=\"paper\" width=\"%d\" height=\"%u\" "
		"style=\"stroke:none\"/>\n<text class=\"title middle\" "
		"x=\"%d\" y=\"24\" text-anchor=\"middle\">",
		FLAME_WIDTH, height, FLAME_WIDTH / 2);
	tr_flame_xml(file, title);
	fprintf(
	    file,
	    "</text>\n<text class=\"note middle\" x=\"%d\" y=\"43\" "
	    "text-anchor=\"middle\">%s</text>\n",
	    FLAME_WIDTH / 2,
	    p->what == BARS_OF_FRONTEND
		? "percent of all cycles: a counter of blocked fetches, and the "
		  "cycles lost for lack of an instruction"
	    : p->has_slots
		? "percent of all slots: the core's class of each slot of commit, and "
		  "below it the slots of dispatch and two formulas, from its counters"
		: "percent of all cycles: the core's class of each cycle, and below "
		  "it table 1 of the paper, from its counters");
}

/* Returns a round share that leaves room for the longest bar and its number. */
static double find_most(const struct picture *p)
{
	static const double rounds[] = {0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8};
	double most = 0;
	struct part parts[FRONTEND_BARS];
	if (p->what != BARS_OF_FRONTEND)
		return 1;
	for (size_t i = 0; i < p->count; i++) {
		frontend_parts(&p->runs[i].run, parts);
		for (unsigned k = 0; k < FRONTEND_BARS; k++)
			most = parts[k].share > most ? parts[k].share : most;
	}
	for (unsigned i = 0; i < sizeof(rounds) / sizeof(*rounds); i++)
		if (most <= rounds[i])
			return rounds[i];
	return 1;
}

/* Write errors are left in ferror(file). */
static void draw_bars(const struct tr_counter_files *files, enum bar_content what,
		      const char *title, FILE *file)
{
	const size_t count = files->count;
	struct picture p = {
	    .runs = files->runs, .count = count, .what = what, .file = file};
	for (size_t i = count; i-- > 0;)
		if (p.runs[i].run.has_classes)
			p.classes = &p.runs[i].run.classes;
	for (size_t i = 0; i < count; i++)
		p.has_slots |=
		    what != BARS_OF_FRONTEND && tr_tma_has_slots(&p.runs[i].run);
	p.right = p.has_slots ? RIGHT_OF_SLOTS : RIGHT;
	p.most = find_most(&p);
	p.bottom = TOP + SPACE / 2 + (unsigned)count * run_height(&p);
	write_head(&p, title, p.bottom + 18 + FLAME_LINE * legend_lines(&p));
	write_axis(&p);
	write_runs(&p);
	write_keys(&p, p.bottom + 20);
	tr_flame_fit_script(file, LEFT, FLAME_WIDTH - p.right);
	fputs("</svg>\n", file);
}

int main(int argc, char **argv)
{
	struct tr_cli cli;
	struct tr_counter_files files = {.cli = &cli, .prefix = ""};
	const char *title = NULL;
	unsigned level = 1;
	const struct tr_option options[] = {
	    {"level", .argument = "1|2", .range = {&level, 1, 2},
	     .help = "2: a part for each class (1)"},
	    {"frontend", .flag = &files.needs_frontend, .help = "only the frontend"},
	    {"title", .argument = "TEXT", .text = &title, .help = "title of the picture"},
	    {0}};
	tr_cli_init(&cli, TR_CLI_TEXT, "tma-bars", usage, argc, argv);
	tr_options_parse(&cli, options, NULL);
	tr_counter_files_read(&files);
	const enum bar_content what = files.needs_frontend ? BARS_OF_FRONTEND
				      : level == 2	   ? BARS_OF_CLASSES
							   : BARS_OF_GROUPS;
	if (!title)
		title = files.needs_frontend ? "Frontend" : "Top-down analysis";
	FILE *file = tr_cli_text(&cli);
	draw_bars(&files, what, title, file);
	tr_cli_text_close(&cli, file);
	tr_counter_files_release(&files);
	return TR_EXIT_OK;
}
