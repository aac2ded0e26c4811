/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a flame graph as SVG. */
#include <inttypes.h>
#include <string.h>

#include "flame/flame_internal.h"

static const char *const script[] = {
#include "flame/flame.js.inc"
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

static unsigned bottom(const struct svg *svg)
{
	return FLAME_TOP + svg->layout.rows * FLAME_ROW;
}

static double pixels(const struct svg *svg, uint64_t value)
{
	uint64_t all = svg->layout.frames[0].total;
	return all ? (double)value * FLAME_INNER / (double)all : FLAME_INNER;
}

/* Returns true if the frame is wide enough and within the visible rows. */
static bool is_drawn(const struct svg *svg, const struct flame_frame *frame, double least)
{
	return pixels(svg, frame->total) >= least && frame->depth < svg->layout.rows;
}

static unsigned top_of(const struct svg *svg, const struct flame_frame *frame)
{
	return bottom(svg) - (frame->depth + 1) * FLAME_ROW;
}

static unsigned tone_count(const struct tr_flame *flame)
{
	if (flame->classes)
		return tr_flame_class_tones(flame->classes);
	return flame->difference ? 2 * FLAME_SHADES + 1 : FLAME_TONES;
}

/* Writes a tone as CSS. */
static void write_tone(const struct svg *svg, unsigned tone)
{
	FILE *file = svg->file;
	static const struct {
		uint16_t hue, hue_step, saturation, light;
	} tints[TR_TINTS] = {
	    [TR_TINT_USER] = {42, 2, 92, 64},	   [TR_TINT_KERNEL] = {14, 2, 82, 62},
	    [TR_TINT_FIRMWARE] = {203, 2, 55, 69}, [TR_TINT_PROGRAM] = {34, 1, 32, 76},
	    [TR_TINT_OTHER] = {220, 0, 6, 76},	   [TR_TINT_CODE] = {66, 3, 52, 66},
	};
	unsigned tint = tone / FLAME_SHADES, shade = tone % FLAME_SHADES;
	if (svg->flame->classes)
		tr_flame_class_colour(file, svg->flame->classes, tone);
	else if (!svg->flame->difference)
		fprintf(file, "hsl(%u,%u%%,%u%%)",
			tints[tint].hue + tints[tint].hue_step * shade,
			tints[tint].saturation, tints[tint].light + shade);
	else if (tone < FLAME_NEUTRAL)
		fprintf(file, "hsl(214,78%%,%u%%)", 90 - 4 * (FLAME_NEUTRAL - tone));
	else if (tone > FLAME_NEUTRAL)
		fprintf(file, "hsl(4,84%%,%u%%)", 90 - 4 * (tone - FLAME_NEUTRAL));
	else
		fputs("hsl(40,10%,91%)", file);
}

static void write_style(const struct svg *svg)
{
	for (unsigned tone = 0; tone < tone_count(svg->flame); tone++) {
		fprintf(svg->file, ".c%u{fill:", tone);
		write_tone(svg, tone);
		fputs("}\n", svg->file);
	}
	fputs("</style>\n", svg->file);
}

static void write_head(const struct svg *svg, unsigned height)
{
	FILE *file = svg->file;
	tr_flame_open(file, svg->flame->title, height, style);
	write_style(svg);
	fprintf(file,
		"<rect class=\"paper\" width=\"%d\" height=\"%u\" fill=\"#fff\"/>\n"
		"<text class=\"title middle\" x=\"%d\" y=\"24\" text-anchor=\"middle\">",
		FLAME_WIDTH, height, FLAME_WIDTH / 2);
	tr_flame_xml(file, svg->flame->title);
	fprintf(file,
		"</text>\n<text class=\"note middle\" x=\"%d\" y=\"43\" "
		"text-anchor=\"middle\">",
		FLAME_WIDTH / 2);
	tr_flame_xml(file, svg->flame->subtitle);
	fprintf(file,
		"</text>\n<text class=\"button reset off\" x=\"%d\" y=\"24\">Reset "
		"zoom</text>\n"
		"<text class=\"button search right off\" x=\"%d\" y=\"24\" "
		"text-anchor=\"end\">Search</text>\n",
		FLAME_PAD, FLAME_WIDTH - FLAME_PAD);
}

/* Frames wider than 2 pixels leave a gap of half a pixel. */
static void write_bars(const struct svg *svg, unsigned tone)
{
	bool any = false;
	for (uint32_t i = 0; i < svg->layout.count; i++) {
		const struct flame_frame *frame = &svg->layout.frames[i];
		double width = pixels(svg, frame->total);
		if (frame->tone != tone || !is_drawn(svg, frame, 0.1))
			continue;
		if (!any)
			fprintf(svg->file, "<path class=\"c%u\" d=\"", tone);
		any = true;
		if (width > 2)
			width -= 0.5;
		fprintf(svg->file, "M%.1f %uh%.1fv%dh-%.1fz",
			FLAME_PAD + pixels(svg, frame->start), top_of(svg, frame), width,
			FLAME_BAR, width);
	}
	if (any)
		fputs("\"/>\n", svg->file);
}

static void write_labels(const struct svg *svg)
{
	for (uint32_t i = 0; i < svg->layout.count; i++) {
		const struct flame_frame *frame = &svg->layout.frames[i];
		double room = pixels(svg, frame->total) - 6;
		bool whole;
		if (!is_drawn(svg, frame, FLAME_FONT + 6))
			continue;
		const char *name = svg->layout.names[frame->name];
		size_t bytes =
		    tr_flame_fit(name, (unsigned)(room * 1000 / FLAME_FONT), &whole);
		if (!bytes)
			continue;
		fprintf(svg->file, "<text x=\"%.1f\" y=\"%u\">",
			FLAME_PAD + 3 + pixels(svg, frame->start),
			top_of(svg, frame) + 12);
		tr_flame_xml_part(svg->file, name, bytes);
		fputs(whole ? "</text>\n" : "..</text>\n", svg->file);
	}
}

static void write_still(const struct svg *svg)
{
	fputs("<g class=\"stage\">\n", svg->file);
	for (unsigned tone = 0; tone < tone_count(svg->flame); tone++)
		write_bars(svg, tone);
	write_labels(svg);
	fputs("</g>\n", svg->file);
}

unsigned tr_flame_key(FILE *file, unsigned x, unsigned y, unsigned tone,
		      const char *label)
{
	fprintf(file,
		"<rect class=\"c%u\" x=\"%u\" y=\"%u\" width=\"10\" height=\"10\"/>"
		"<text class=\"note\" x=\"%u\" y=\"%u\">",
		tone, x, y - 9, x + 14, y);
	tr_flame_xml(file, label);
	fputs("</text>\n", file);
	return x + 40 + 6 * (unsigned)strlen(label);
}

static void write_legend(const struct svg *svg, unsigned y)
{
	static const char *const labels[TR_TINTS] = {
	    [TR_TINT_USER] = "user",
	    [TR_TINT_KERNEL] = "kernel",
	    [TR_TINT_FIRMWARE] = "firmware",
	    [TR_TINT_PROGRAM] = "program",
	    [TR_TINT_OTHER] = "trap, gap, unknown",
	    [TR_TINT_CODE] = "code",
	};
	unsigned x = FLAME_PAD, used = 0;
	if (svg->flame->classes) {
		tr_flame_class_legend(svg->file, svg->flame->classes, &svg->layout, y);
		return;
	}
	if (svg->flame->difference) {
		x = tr_flame_key(svg->file, x, y, 1, "less than before");
		x = tr_flame_key(svg->file, x, y, FLAME_NEUTRAL, "as before");
		tr_flame_key(svg->file, x, y, FLAME_NEUTRAL + FLAME_SHADES - 1,
			     "more than before");
		return;
	}
	for (uint32_t i = 1; i < svg->layout.count; i++)
		used |= 1U << (svg->layout.frames[i].tone / FLAME_SHADES);
	for (unsigned tint = 0; tint < TR_TINTS; tint++)
		if (used >> tint & 1)
			x = tr_flame_key(svg->file, x, y, tint * FLAME_SHADES + 2,
					 labels[tint]);
}

/* Writes the limits of the picture. */
static void write_limits(const struct svg *svg, unsigned y)
{
	const struct flame_layout *layout = &svg->layout;
	char number[2][28];
	if (layout->dropped) {
		fprintf(svg->file,
			"<text class=\"note\" x=\"%d\" y=\"%u\">%s frames too narrow or "
			"deep to embed: %s ",
			FLAME_PAD, y, tr_flame_number(layout->dropped, number[0]),
			tr_flame_number(layout->dropped_value, number[1]));
		tr_flame_xml(svg->file, svg->flame->unit);
		fputs(", counted in the frames below them</text>\n", svg->file);
		y += FLAME_LINE;
	}
	if (layout->levels > layout->rows)
		fprintf(svg->file,
			"<text class=\"note\" x=\"%d\" y=\"%u\">%u of %u levels are "
			"shown: zoom to see more</text>\n",
			FLAME_PAD, y, layout->rows, layout->levels);
}

static void write_foot(const struct svg *svg, unsigned y)
{
	FILE *file = svg->file;
	fprintf(file,
		"<text class=\"info\" x=\"%d\" y=\"%u\"> </text>\n"
		"<text class=\"found right\" x=\"%d\" y=\"%u\" text-anchor=\"end\"> "
		"</text>\n",
		FLAME_PAD, y, FLAME_WIDTH - FLAME_PAD, y);
	y += 22;
	write_legend(svg, y);
	y += FLAME_LINE * (svg->flame->classes ? 2U : 1U) + 2;
	fprintf(file, "<text class=\"note\" x=\"%d\" y=\"%u\">", FLAME_PAD, y);
	tr_flame_xml(file, svg->flame->footer);
	fputs("</text>\n", file);
	write_limits(svg, y + FLAME_LINE);
}

static void write_names(const struct svg *svg)
{
	fputs("const names=[", svg->file);
	for (uint32_t i = 0; i < svg->layout.nnames; i++) {
		if (i)
			fputs(i % 8 ? "," : ",\n", svg->file);
		tr_flame_quoted(svg->file, svg->layout.names[i]);
	}
	fputs("];\n", svg->file);
}

/* Writes for each frame: depth, name, tone, units between it and its left neighbour,
 * total, other total, and own value (for a difference: its change). */
static void write_data(const struct svg *svg)
{
	uint64_t edges[FLAME_MAX_DEPTH + 1] = {0};
	write_names(svg);
	fputs("const data=[", svg->file);
	for (uint32_t i = 0; i < svg->layout.count; i++) {
		const struct flame_frame *frame = &svg->layout.frames[i];
		const uint64_t *self = tr_folded_node(svg->folded, frame->id)->self;
		fprintf(svg->file, "%s%u,%u,%u,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",",
			i % 8 ? "" : "\n", frame->depth, frame->name, frame->tone,
			frame->start - edges[frame->depth], frame->total,
			svg->layout.other[frame->id]);
		if (svg->flame->difference && self[0] > self[1])
			fprintf(svg->file, "-%" PRIu64 ",", self[0] - self[1]);
		else if (svg->flame->difference)
			fprintf(svg->file, "%" PRIu64 ",", self[1] - self[0]);
		else
			fprintf(svg->file, "%" PRIu64 ",", self[svg->flame->which]);
		edges[frame->depth] = frame->start + frame->total;
		edges[frame->depth + 1] = frame->start;
	}
	fputs("];\n", svg->file);
	if (svg->flame->classes)
		tr_flame_class_data(svg->file, svg->flame->classes, &svg->layout);
	else
		fputs("const classes=[],lost=[];\n", svg->file);
}

static void write_script(const struct svg *svg)
{
	FILE *file = svg->file;
	fputs("<script><![CDATA[\n(() => {\n\"use strict\";\n", file);
	write_data(svg);
	fprintf(file,
		"const difference=%s,unit=", svg->flame->difference ? "true" : "false");
	tr_flame_quoted(file, svg->flame->unit);
	fputs(",otherUnit=", file);
	tr_flame_quoted(file, svg->flame->other_unit);
	fprintf(
	    file,
	    ",PAD=%d,LEAST=%d,ROW=%d,BAR=%d,FONT=%d,BOTTOM=%u,ROWS=%u;\nconst widths=[",
	    FLAME_PAD, FLAME_LEAST, FLAME_ROW, FLAME_BAR, FLAME_FONT, bottom(svg),
	    svg->layout.rows);
	for (unsigned i = 0; i < 95; i++)
		fprintf(file, "%u,", tr_flame_widths[i]);
	fputs("];\n", file);
	tr_flame_lines(file, script);
	fputs("})();\n]]></script>\n", file);
}

int tr_flame_write(const struct tr_folded *folded, const struct tr_flame *flame,
		   FILE *file)
{
	struct svg svg = {.folded = folded, .flame = flame, .file = file};
	int status = tr_flame_layout(&svg.layout, folded, flame);
	if (status)
		return status;
	unsigned foot = bottom(&svg) + 18;
	unsigned notes = (svg.layout.dropped ? 1U : 0) +
			 (svg.layout.levels > svg.layout.rows ? 1U : 0);
	notes += flame->classes ? 1U : 0;
	write_head(&svg, foot + 52U + notes * FLAME_LINE);
	write_still(&svg);
	write_foot(&svg, foot);
	write_script(&svg);
	fputs("</svg>\n", file);
	tr_flame_layout_free(&svg.layout);
	return TR_OK;
}
