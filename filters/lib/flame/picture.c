/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a picture, its text (escapes and widths), and the colours of classes.
 */
#include "flame/picture.h"

#include <string.h>

static const char *const picture_style[] = {
#include "flame/picture.css.inc"
    NULL,
};

static const char *const fit_script[] = {
#include "flame/fit.js.inc"
    NULL,
};

/* Widths of DejaVu Sans, one of the widest fonts that a browser may substitute. */
const uint16_t tr_flame_widths[95] = {
    318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
    500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
};

/* Returns the length of the UTF-8 character at `text`, 0 if XML does not allow it. */
static size_t xml_character_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;
	size_t length = 1;
	if (c[0] >= 0x80)
		length = c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
	if (!length || c[0] > 0xf4)
		return 0;
	uint32_t code = length == 1 ? c[0] : c[0] & (0x7fU >> length);
	for (size_t i = 1; i < length; i++) {
		if ((c[i] & 0xc0) != 0x80)
			return 0;
		code = code << 6 | (c[i] & 0x3fU);
	}
	if ((length == 3 && code < 0x800) || (length == 4 && code < 0x10000))
		return 0;
	if ((code >= 0xd800 && code < 0xe000) || code == 0xfffe || code == 0xffff ||
	    code > 0x10ffff)
		return 0;
	return length;
}

void tr_flame_xml_part(FILE *file, const char *text, size_t bytes)
{
	for (const char *end = text + bytes; text < end;) {
		size_t length = xml_character_length(text);
		if (!length)
			fputs("\xef\xbf\xbd", file);
		else if ((unsigned char)*text < ' ' || *text == '\x7f')
			putc('?', file);
		else if (*text == '&')
			fputs("&amp;", file);
		else if (*text == '<')
			fputs("&lt;", file);
		else if (*text == '>')
			fputs("&gt;", file);
		else if (*text == '"')
			fputs("&quot;", file);
		else
			fwrite(text, 1, length, file);
		text += length ? length : 1;
	}
}

void tr_flame_xml(FILE *file, const char *text)
{
	tr_flame_xml_part(file, text, strlen(text));
}

void tr_flame_lines(FILE *file, const char *const *lines)
{
	for (; *lines; lines++)
		fprintf(file, "%s\n", *lines);
}

void tr_flame_fit_script(FILE *file, unsigned left, unsigned right)
{
	fprintf(file,
		"<script><![CDATA[\n(() => {\n\"use strict\";\n"
		"const LEFT=%u,RIGHT=%u;\n",
		left, right);
	tr_flame_lines(file, fit_script);
	fputs("})();\n]]></script>\n", file);
}

void tr_flame_open(FILE *file, const char *title, unsigned height,
		   const char *const *style)
{
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" "
		"role=\"img\" width=\"%d\" "
		"height=\"%u\" viewBox=\"0 0 %d %u\">\n<title>",
		FLAME_WIDTH, height, FLAME_WIDTH, height);
	tr_flame_xml(file, title);
	fputs("</title>\n<style>\n", file);
	tr_flame_lines(file, picture_style);
	tr_flame_lines(file, style);
}

void tr_flame_quoted(FILE *file, const char *text)
{
	putc('"', file);
	while (*text) {
		size_t length = xml_character_length(text);
		if (!length)
			fputs("\\ufffd", file);
		else if ((unsigned char)*text < ' ' || *text == '\x7f')
			putc('?', file);
		else if (strchr("\"\\<>&", *text))
			fprintf(file, "\\u%04x", (unsigned)*text);
		else
			fwrite(text, 1, length, file);
		text += length ? length : 1;
	}
	putc('"', file);
}

static unsigned width_of(const char *text, size_t length)
{
	if (length == 1 && *text >= ' ' && *text <= '~')
		return tr_flame_widths[*text - ' '];
	return 1000;
}

size_t tr_flame_fit(const char *text, unsigned room, bool *whole)
{
	const unsigned dots = 2U * tr_flame_widths['.' - ' '];
	size_t at = 0, cut = 0;
	unsigned width = 0;
	*whole = true;
	while (text[at] && *whole) {
		size_t length = xml_character_length(text + at);
		width += width_of(text + at, length);
		at += length ? length : 1;
		if (width > room)
			*whole = false;
		else if (width + dots <= room)
			cut = at;
	}
	return *whole ? at : cut;
}

/* Groups that many sources have keep their colours, others get one in their order. */
struct flame_colour tr_flame_group_colour(const struct tr_classes *classes,
					  unsigned group)
{
	static const struct {
		const char *name;
		struct flame_colour colour;
	} known[] = {{"frontend", {199, 81, 65}},
		     {"badspec", {286, 55, 52}},
		     {"memory", {359, 51, 60}},
		     {"core", {32, 82, 54}},
		     {"idle", {209, 5, 62}}};
	static const uint16_t others[] = {172, 325, 62, 95, 240};
	for (unsigned i = 0; i < sizeof(known) / sizeof(*known); i++)
		if (strcmp(known[i].name, classes->group_name[group]) == 0)
			return known[i].colour;
	return (struct flame_colour){others[group % (sizeof(others) / sizeof(*others))],
				     60, 64};
}

struct flame_colour tr_flame_retiring_colour(void)
{
	return (struct flame_colour){115, 60, 77};
}

struct flame_colour tr_flame_shaded(struct flame_colour colour, unsigned shade,
				    unsigned palest)
{
	int range = (int)palest - (int)colour.light;
	colour.light = (unsigned)((int)palest - range * (int)shade / (FLAME_SHADES - 1));
	return colour;
}

/* Returns a channel of hsl() as defined by CSS, made linear by an approximation that is
 * within 0.004 of the standard's. */
static double linear_channel(const struct flame_colour *colour, double n)
{
	double s = colour->saturation / 100.0, l = colour->light / 100.0;
	double k = n + colour->hue / 30.0, a = s * (l < 1 - l ? l : 1 - l);
	k -= k >= 12 ? 12 : 0;
	double t = k - 3 < 9 - k ? k - 3 : 9 - k;
	t = t > 1 ? 1 : t < -1 ? -1 : t;
	double c = l - a * t;
	return c * c * (0.7 + 0.3 * c);
}

bool tr_flame_needs_white(struct flame_colour colour)
{
	/* White and black have the same contrast at 0.179. */
	return 0.2126 * linear_channel(&colour, 0) + 0.7152 * linear_channel(&colour, 8) +
		   0.0722 * linear_channel(&colour, 4) <
	       0.179;
}

unsigned tr_flame_text_width(const char *text)
{
	unsigned width = 0;
	while (*text) {
		size_t length = xml_character_length(text);
		width += width_of(text, length);
		text += length ? length : 1;
	}
	return width * FLAME_FONT / 1000;
}

unsigned tr_flame_wrap(FILE *file, const char *text, unsigned y)
{
	const unsigned room = (FLAME_WIDTH - 2 * FLAME_PAD) * 1000 / FLAME_FONT;
	while (*text) {
		bool whole;
		size_t size = tr_flame_fit(text, room, &whole), cut = size;
		while (!whole && cut && text[cut] != ' ')
			cut--;
		cut = cut ? cut : size;
		fprintf(file, "<text class=\"note\" x=\"%d\" y=\"%u\">", FLAME_PAD, y);
		tr_flame_xml_part(file, text, cut);
		fputs("</text>\n", file);
		y += FLAME_LINE;
		text += cut + (text[cut] == ' ');
	}
	return y;
}
