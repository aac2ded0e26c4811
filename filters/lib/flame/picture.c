/* SPDX-License-Identifier: Apache-2.0 */
/* The beginning of a picture, and its text: escapes and widths. */
#include "flame/picture.h"

#include <string.h>

static const char *const picture_style[] = {
#include "flame/picture.css.inc"
    NULL,
};

/* Of DejaVu Sans, among the widest that a browser may take in its place. */
const uint16_t flame_widths[95] = {
    318,  401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337,
    636,  636, 636, 636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531,
    1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557, 863, 748, 787,
    603,  787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500,
    500,  613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612,
    635,  635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
};

/* Bytes of the UTF-8 character at `text`, 0 if it is none that XML allows. */
static size_t utf8_length(const char *text)
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

void flame_xml_part(FILE *file, const char *text, size_t bytes)
{
	for (const char *end = text + bytes; text < end;) {
		size_t length = utf8_length(text);
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

void flame_xml(FILE *file, const char *text)
{
	flame_xml_part(file, text, strlen(text));
}

void flame_lines(FILE *file, const char *const *lines)
{
	for (; *lines; lines++)
		fprintf(file, "%s\n", *lines);
}

void flame_open(FILE *file, const char *title, unsigned height, const char *const *style)
{
	fprintf(file,
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
		"height=\"%u\" viewBox=\"0 0 %d %u\">\n<title>",
		FLAME_WIDTH, height, FLAME_WIDTH, height);
	flame_xml(file, title);
	fputs("</title>\n<style>\n", file);
	flame_lines(file, picture_style);
	flame_lines(file, style);
}

void flame_quoted(FILE *file, const char *text)
{
	putc('"', file);
	while (*text) {
		size_t length = utf8_length(text);
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
		return flame_widths[*text - ' '];
	return 1000;
}

size_t flame_fit(const char *text, unsigned room, bool *whole)
{
	const unsigned dots = 2U * flame_widths['.' - ' '];
	size_t at = 0, cut = 0;
	unsigned width = 0;
	*whole = true;
	while (text[at] && *whole) {
		size_t length = utf8_length(text + at);
		width += width_of(text + at, length);
		at += length ? length : 1;
		if (width > room)
			*whole = false;
		else if (width + dots <= room)
			cut = at;
	}
	return *whole ? at : cut;
}
