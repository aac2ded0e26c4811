/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a flame graph as SVG. */
#include <stdlib.h>

#include "base/number.h"
#include "flame/flame_internal.h"

static const char *const script[] = {
#include "flame/flame.js.inc"
#include "flame/flame_text.js.inc"
#include "flame/flame_draw.js.inc"
#include "flame/flame_control.js.inc"
    NULL,
};
static const char *const style[] = {
#include "flame/flame.css.inc"
    NULL,
};

struct svg {
	const struct tr_folded *folded;
	const struct tr_flame *flame;
	struct flame_layout layout;
	FILE *file;
};

static unsigned flame_bottom(const struct svg *svg)
{
	return FLAME_TOP + svg->layout.rows * FLAME_ROW;
}

static double value_pixels(const struct svg *svg, uint64_t value)
{
	uint64_t all = svg->layout.frames[0].total;
	return all ? (double)value * FLAME_INNER / (double)all : FLAME_INNER;
}

/* Returns true if the frame is wide enough and within the visible rows. */
static bool is_drawn(const struct svg *svg, const struct flame_frame *frame, double least)
{
	return value_pixels(svg, frame->total) >= least &&
	       frame->depth < svg->layout.rows;
}

static unsigned top_of(const struct svg *svg, const struct flame_frame *frame)
{
	return flame_bottom(svg) - (frame->depth + 1) * FLAME_ROW;
}

/* The script replaces the styles of tones when the model changes. */
static void write_style(const struct svg *svg)
{
	fputs("</style>\n<style class=\"tones\">\n", svg->file);
	tr_flame_tones(&svg->layout, svg->flame, svg->file);
	fputs("</style>\n", svg->file);
}

static void write_flame_head(const struct svg *svg, unsigned height)
{
	FILE *file = svg->file;
	tr_flame_open(file, svg->flame->title, height, style);
	write_style(svg);
	/* Dark and bright lines, which are visible on any colour. */
	if (svg->flame->bars)
		fputs("<defs><pattern id=\"hatching\" width=\"5\" height=\"5\" "
		      "patternUnits=\"userSpaceOnUse\" "
		      "patternTransform=\"rotate(45)\"><g class=\"hatch\"><rect "
		      "width=\"1.4\" height=\"5\"/><rect x=\"1.4\" width=\"1.4\" "
		      "height=\"5\" fill=\"#fff\"/></g></pattern></defs>\n",
		      file);
	fprintf(file,
		"<rect class=\"paper\" width=\"%d\" height=\"%u\"/>\n<text class=\"title "
		"middle\" x=\"%d\" y=\"24\" "
		"text-anchor=\"middle\">",
		FLAME_WIDTH, height, FLAME_WIDTH / 2);
	tr_flame_xml(file, svg->flame->title);
	fprintf(file,
		"</text>\n<text class=\"note middle subtitle\" x=\"%d\" y=\"43\" "
		"text-anchor=\"middle\">",
		FLAME_WIDTH / 2);
	tr_flame_xml(file, svg->flame->subtitle);
	fputs("</text>\n", file);
}

static unsigned frame_tone(const struct svg *svg, const struct flame_frame *frame)
{
	return tr_flame_tone(&svg->layout, svg->layout.mode, frame);
}

/* Writes the outline of a frame. Those wider than 2 pixels leave a gap of half a
 * pixel. */
static void write_outline(const struct svg *svg, const struct flame_frame *frame)
{
	double width = value_pixels(svg, frame->total);
	if (width > 2)
		width -= 0.5;
	fprintf(svg->file, "M%.1f %uh%.1fv%dh-%.1fz",
		FLAME_PAD + value_pixels(svg, frame->start), top_of(svg, frame), width,
		FLAME_BAR, width);
}

static void write_flame_bars(const struct svg *svg, unsigned tone)
{
	const char letter = tr_flame_mode_letter(svg->layout.mode);
	bool any = false;
	for (uint32_t i = 0; i < svg->layout.count; i++) {
		const struct flame_frame *frame = &svg->layout.frames[i];
		if (frame_tone(svg, frame) != tone || !is_drawn(svg, frame, 0.1))
			continue;
		if (!any)
			fprintf(svg->file, "<path class=\"%c%u\" d=\"", letter, tone);
		any = true;
		write_outline(svg, frame);
	}
	if (any)
		fputs("\"/>\n", svg->file);
}

/* Draws over the frames that rest on too few windows. */
static void write_hatching(const struct svg *svg)
{
	if (!svg->flame->bars)
		return;
	fputs("<path class=\"hatched\" d=\"", svg->file);
	for (uint32_t i = 0; i < svg->layout.count; i++) {
		const struct flame_frame *frame = &svg->layout.frames[i];
		if (flame_is_doubtful(svg->flame, frame) && is_drawn(svg, frame, 0.1))
			write_outline(svg, frame);
	}
	fputs("\"/>\n", svg->file);
}

static void write_labels(const struct svg *svg)
{
	for (uint32_t i = 0; i < svg->layout.count; i++) {
		const struct flame_frame *frame = &svg->layout.frames[i];
		double room = value_pixels(svg, frame->total) - 6;
		bool whole;
		if (!is_drawn(svg, frame, FLAME_FONT + 6))
			continue;
		const char *name = svg->layout.functions[frame->function].name;
		size_t bytes =
		    tr_flame_fit(name, (unsigned)(room * 1000 / FLAME_FONT), &whole);
		if (!bytes)
			continue;
		fprintf(svg->file, "<text class=\"l%c%u\" x=\"%.1f\" y=\"%u\">",
			tr_flame_mode_letter(svg->layout.mode), frame_tone(svg, frame),
			FLAME_PAD + 3 + value_pixels(svg, frame->start),
			top_of(svg, frame) + 12);
		tr_flame_xml_part(svg->file, name, bytes);
		fputs(whole ? "</text>\n" : "..</text>\n", svg->file);
	}
}

static void write_still(const struct svg *svg)
{
	fputs("<g class=\"stage\">\n", svg->file);
	bool used[FLAME_MAX_TONES] = {false};
	for (uint32_t i = 0; i < svg->layout.count; i++)
		used[frame_tone(svg, &svg->layout.frames[i])] = true;
	for (unsigned tone = 0; tone < FLAME_MAX_TONES; tone++)
		if (used[tone])
			write_flame_bars(svg, tone);
	write_hatching(svg);
	write_labels(svg);
	fputs("</g>\n", svg->file);
}

/* Draws the legend of the mode. Returns the y of the next line. */
static unsigned write_legend(const struct svg *svg, unsigned y)
{
	struct flame_keys keys;
	unsigned x = FLAME_PAD;
	tr_flame_keys(&svg->layout, svg->flame, svg->layout.mode, &keys);
	for (unsigned i = 0; i < keys.count; i++) {
		unsigned width = 34 + tr_flame_text_width(keys.key[i].label);
		if (x > FLAME_PAD && x + width > FLAME_WIDTH) {
			x = FLAME_PAD;
			y += FLAME_LINE;
		}
		fprintf(svg->file,
			"<rect class=\"%c%u\" x=\"%u\" y=\"%u\" width=\"10\" "
			"height=\"10\"/><text class=\"note\" x=\"%u\" y=\"%u\">",
			tr_flame_mode_letter(svg->layout.mode), keys.key[i].tone, x,
			y - 9, x + 14, y);
		tr_flame_xml(svg->file, keys.key[i].label);
		fputs("</text>\n", svg->file);
		x += width;
	}
	y += FLAME_LINE + 2;
	return keys.note ? tr_flame_wrap(svg->file, keys.note, y) : y;
}

void tr_flame_notes(const struct flame_layout *layout, const struct tr_flame *flame,
		    struct flame_notes *notes)
{
	char number[2][28];
	notes->count = 0;
	if (*flame->footer)
		snprintf(notes->line[notes->count++], sizeof(notes->line[0]), "%s",
			 flame->footer);
	if (flame->bars)
		snprintf(notes->line[notes->count++], sizeof(notes->line[0]),
			 "estimated from %s windows of a sampled run; ± is the error at "
			 "95 %%; hatched: rests on fewer than %d windows",
			 tr_flame_number(flame->windows, number[0]), TR_ESTIMATE_FEW);
	if (layout->dropped)
		snprintf(notes->line[notes->count++], sizeof(notes->line[0]),
			 "%s frame%s too narrow or deep to embed: %s %s, counted in the "
			 "frames below them",
			 tr_flame_number(layout->dropped, number[0]),
			 tr_plural(layout->dropped),
			 tr_flame_number(layout->dropped_value, number[1]), flame->unit);
	if (layout->levels > layout->rows)
		snprintf(notes->line[notes->count++], sizeof(notes->line[0]),
			 "%u of %u levels are shown: zoom to see more", layout->rows,
			 layout->levels);
}

/* Draws what is below the frames. Returns its lower end. */
static unsigned write_foot(const struct svg *svg, FILE *file)
{
	struct svg copy = *svg;
	struct flame_notes notes;
	unsigned y = flame_bottom(svg) + 40;
	copy.file = file;
	fputs("<g class=\"foot\">\n", file);
	y = write_legend(&copy, y);
	tr_flame_notes(&svg->layout, svg->flame, &notes);
	for (unsigned i = 0; i < notes.count; i++)
		y = tr_flame_wrap(file, notes.line[i], y);
	fputs("</g>\n", file);
	return y - 4;
}

static void write_script(const struct svg *svg)
{
	FILE *file = svg->file;
	fprintf(file,
		"<script><![CDATA[\n(() => {\n\"use strict\";\n"
		"const PAD=%d,TOP=%d,ROW=%d,BAR=%d,FONT=%d,LINE=%d;\nconst widths=[",
		FLAME_PAD, FLAME_TOP, FLAME_ROW, FLAME_BAR, FLAME_FONT, FLAME_LINE);
	for (unsigned i = 0; i < 95; i++)
		fprintf(file, "%u,", tr_flame_widths[i]);
	fputs("];\n", file);
	tr_flame_lines(file, script);
	fputs("start(\n", file);
	tr_flame_layout_model(&svg->layout, svg->folded, svg->flame, file);
	fputs("}\n);\n})();\n]]></script>\n", file);
}

int tr_flame_write(const struct tr_folded *folded, const struct tr_flame *flame,
		   FILE *file)
{
	struct svg svg = {.folded = folded, .flame = flame, .file = file};
	char *foot = NULL;
	size_t size = 0;
	FILE *memory = open_memstream(&foot, &size);
	if (!memory)
		return TR_E_NOMEM;
	int status = tr_flame_layout(&svg.layout, folded, flame);
	unsigned height = status ? 0 : write_foot(&svg, memory);
	if (fclose(memory) != 0)
		status = TR_E_NOMEM;
	if (!status) {
		write_flame_head(&svg, height);
		write_still(&svg);
		fputs(foot, file);
		write_script(&svg);
		fputs("</svg>\n", file);
		tr_flame_layout_free(&svg.layout);
	}
	free(foot);
	return status;
}
