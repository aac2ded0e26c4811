/* SPDX-License-Identifier: Apache-2.0 */
/* Takes a log line by line. */
#include <string.h>

#include "import/import_state.h"

bool tr_import_line_at(const struct tr_import *im, size_t begin, struct import_line *line,
		       size_t *next)
{
	const char *start = im->data + begin;
	const char *end = memchr(start, '\n', im->end - begin);
	if (!end)
		return false;
	*next = (size_t)(end + 1 - im->data);
	if (end > start && end[-1] == '\r')
		end--;
	*line = (struct import_line){.start = start, .at = start, .end = end};
	return true;
}

bool tr_import_skip(struct tr_import *im)
{
	if (im->skipped - im->begins_cut == im->options.skip_bad) {
		im->status = TR_E_CORRUPT;
		return false;
	}
	if (!im->skipped++)
		memcpy(im->first_skipped, im->message, sizeof(im->message));
	return true;
}

static bool is_blank_line(const struct import_line *line)
{
	const char *at = line->at;
	while (at < line->end && (*at == ' ' || *at == '\t'))
		at++;
	return at == line->end;
}

bool tr_import_last_line(const struct tr_import *im, size_t begin,
			 struct import_line *line)
{
	const char *start = im->data + begin, *end = im->data + im->end;
	if (!im->ended || begin >= im->end)
		return false;
	if (end[-1] == '\r')
		end--;
	*line = (struct import_line){.start = start, .at = start, .end = end};
	return !is_blank_line(line);
}

/* A line that was not understood. The first one may be the end of a line, if it is not
 * too long and what follows is understood. Returns true to go on. */
static bool is_excused(struct tr_import *im, bool is_long)
{
	if (im->begins_cut && !im->understood) {
		memcpy(im->message, im->first_skipped, sizeof(im->message));
		im->skipped = 0;
		im->status = TR_E_CORRUPT;
		return false;
	}
	if (!im->understood && !im->skipped && !im->options.skip_bad && !is_long) {
		im->begins_cut = true;
		im->skipped = 1;
		memcpy(im->first_skipped, im->message, sizeof(im->message));
		return true;
	}
	return tr_import_skip(im);
}

/* Takes a line. Returns false at an error that ends the conversion. */
static bool take_import_line(struct tr_import *im, struct import_line *line)
{
	const char *const too_long = "a line of at most 65536 bytes";
	const bool is_long = line->end - line->start > IMPORT_LINE_BYTES;
	im->line++;
	if (!is_long && is_blank_line(line))
		return true;
	const bool good =
	    is_long ? tr_import_expect(im, line, too_long) : im->kind->take(im, line);
	if (!good && !im->status && !is_excused(im, is_long))
		return false;
	im->understood |= good;
	return !im->status;
}

/* The log ends without the end of a line, or after one that was not understood. */
static int end_of_lines(struct tr_import *im)
{
	struct import_line line;
	if (im->begins_cut && !im->understood) {
		is_excused(im, false);
		return im->status;
	}
	if (im->is_long || !tr_import_last_line(im, im->begin, &line))
		return TR_END;
	im->line++;
	if ((!im->kind->is_whole || im->kind->is_whole(im, &line)) &&
	    im->kind->take(im, &line))
		return TR_END;
	return tr_import_fail(im, TR_E_TRUNCATED,
			      "truncated: the last line is incomplete");
}

static void drop_input(struct tr_import *im, size_t next)
{
	im->offset += next - im->begin;
	im->begin = next;
}

/* Drops what is at hand of a line that is too long, of which the beginning was counted.
 */
static void drop_long(struct tr_import *im)
{
	const char *start = im->data + im->begin;
	const char *end = memchr(start, '\n', im->end - im->begin);
	drop_input(im, end ? (size_t)(end + 1 - im->data) : im->end);
	im->is_long = !end;
}

int tr_import_lines(struct tr_import *im, unsigned *lines)
{
	struct import_line line;
	size_t next;
	if (im->is_long && im->begin < im->end) {
		drop_long(im);
		*lines =
		    0; /* such a line may have no end: the caller is asked to go on */
		return TR_OK;
	}
	for (; *lines && !im->sink->limited &&
	       tr_import_line_at(im, im->begin, &line, &next);
	     --*lines) {
		if (!take_import_line(im, &line))
			return im->status;
		drop_input(im, next);
	}
	if (im->status || im->sink->limited || !*lines)
		return im->sink->limited ? TR_END : im->status;
	if (im->end - im->begin > IMPORT_LINE_BYTES) {
		line = (struct import_line){.start = im->data + im->begin,
					    .at = im->data + im->begin,
					    .end = im->data + im->end};
		im->is_long = true;
		if (!take_import_line(im, &line))
			return im->status;
		drop_input(im, im->end);
	}
	return im->ended ? end_of_lines(im) : TR_OK;
}
