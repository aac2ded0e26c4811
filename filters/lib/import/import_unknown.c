/* SPDX-License-Identifier: Apache-2.0 */
/* Says of text that is no log of a known format which formats there are, and why the
 * nearest does not fit. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import_state.h"

enum { LOOK_LINES = 100, TEXT_BYTES = 512 };

bool tr_import_is_text(const struct tr_import *im)
{
	const size_t size = im->end < TEXT_BYTES ? im->end : TEXT_BYTES;
	for (size_t i = 0; i < size; i++) {
		const unsigned char c = (unsigned char)im->data[i];
		if ((c < ' ' && c != '\t' && c != '\n' && c != '\r') || c == 0x7f)
			return false;
	}
	return size;
}

/* How far a line fits a format. */
struct near {
	const struct import_kind *kind;
	ptrdiff_t bytes;
	char message[sizeof(((struct tr_import *)0)->message)];
};

/* Tries a line in a format, on an import without a writer. */
static void try_line(struct tr_import *scratch, const struct import_kind *kind,
		     const struct import_line *line, struct near *nearest)
{
	struct import_line l = *line;
	const ptrdiff_t blanks = (ptrdiff_t)strspn(line->start, " \t");
	scratch->kind = kind;
	scratch->status = TR_E_UNSUPPORTED; /* nothing is passed on */
	if (kind->take(scratch, &l) || l.at - l.start - blanks <= nearest->bytes)
		return;
	nearest->kind = kind;
	nearest->bytes = l.at - l.start - blanks;
	memcpy(nearest->message, scratch->message, sizeof(nearest->message));
}

static void find_nearest(const struct tr_import *im, struct near *nearest)
{
	struct tr_import scratch = {.name = "", .xlen = 64};
	struct import_line line;
	size_t at = 0;
	scratch.sink = calloc(1, sizeof(*scratch.sink));
	for (unsigned n = 0; scratch.sink && n < LOOK_LINES; n++) {
		const bool is_line = tr_import_line_at(im, at, &line, &at);
		if (!is_line && !tr_import_last_line(im, at, &line))
			break;
		scratch.line++;
		for (unsigned i = 0; tr_import_kinds[i]; i++) {
			const struct import_kind *kind = tr_import_kinds[i];
			if (!kind->take || kind->has_stacks || line.at == line.end)
				continue;
			try_line(&scratch, kind, &line, nearest);
			if (kind->release)
				kind->release(&scratch);
			scratch.own = NULL;
		}
		if (!is_line)
			break;
	}
	tr_import_free_sink(scratch.sink);
}

int tr_import_unknown(struct tr_import *im)
{
	char names[200] = "", what[360];
	struct near nearest = {.bytes = 0};
	size_t size = 0;
	for (unsigned i = 0; tr_import_kinds[i] && size < sizeof(names); i++)
		size += (size_t)snprintf(names + size, sizeof(names) - size, "%s%s",
					 i ? ", " : "", tr_import_kinds[i]->format.name);
	if (tr_import_is_text(im))
		find_nearest(im, &nearest);
	int room =
	    snprintf(what, sizeof(what),
		     "neither a trace stream nor a log of a known format: %s", names);
	if (nearest.kind)
		snprintf(what + room, sizeof(what) - (size_t)room, "; as %s%s",
			 nearest.kind->format.name, nearest.message);
	return tr_import_fail(im, TR_E_UNSUPPORTED, what);
}
