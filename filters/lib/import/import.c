/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a log, finds its format, and converts it line by line. */
#include "import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/unpack.h"
#include "import/import_code.h"
#include "import/import_parse.h"

/* Of the log that is held; of its beginning that shows what it has; room for readers
 * beyond the end of a line. */
enum { DATA_BYTES = 1 << 20, LOOK_BYTES = 1 << 18, PIPE_BYTES = 1 << 12, PADDING = 32 };

const struct tr_import_format *tr_import_format(unsigned i)
{
	for (unsigned at = 0; at < i; at++)
		if (!tr_import_kinds[at])
			return NULL;
	return tr_import_kinds[i] ? &tr_import_kinds[i]->format : NULL;
}

static int fail(struct tr_import *im, int status, const char *what)
{
	snprintf(im->message, sizeof(im->message), "%s: %s", im->name, what);
	return im->status = status;
}

bool tr_import_expect(struct tr_import *im, const struct import_line *line,
		      const char *what)
{
	if (im->kind->take_bytes && im->line)
		snprintf(im->message, sizeof(im->message),
			 "%s: packet %" PRIu64 ", byte %" PRIu64 ": expected %s",
			 im->name, im->line, im->offset, what);
	else if (im->kind->take_bytes)
		snprintf(im->message, sizeof(im->message),
			 "%s: byte %" PRIu64 ": expected %s", im->name, im->offset, what);
	else
		snprintf(im->message, sizeof(im->message),
			 "%s: line %" PRIu64 ", column %td: expected %s", im->name,
			 im->line, line->at - line->start + 1, what);
	return false;
}

/* Reads more behind what is held. Returns a status. */
static int fill(struct tr_import *im)
{
	if (im->begin) {
		memmove(im->data, im->data + im->begin, im->end - im->begin);
		im->end -= im->begin;
		im->begin = 0;
	}
	ssize_t n = tr_unpack_read(im->unpack, im->data + im->end, DATA_BYTES - im->end);
	if (n < 0) {
		const char *form = tr_unpack_form(im->unpack);
		char what[64];
		snprintf(what, sizeof(what), "%s %s", form,
			 n == TR_E_TRUNCATED ? "data cut off" : "data damaged");
		return fail(im, (int)n,
			    n == TR_E_CORRUPT || n == TR_E_TRUNCATED ? what
			    : n == TR_E_IO			     ? strerror(errno)
					   : tr_status_text((enum tr_status)n));
	}
	im->ended = n == 0;
	im->end += (size_t)n;
	memset(im->data + im->end, 0, PADDING);
	return TR_OK;
}

/* Returns the line at `begin`, without its end, or false if all of it is not at hand. */
static bool line_at(const struct tr_import *im, size_t begin, struct import_line *line,
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

static bool is_named(const struct import_kind *kind, const char *name)
{
	return strcmp(kind->format.name, name) == 0;
}

static const struct import_kind *recognise(const struct import_line *line)
{
	for (unsigned i = 0; tr_import_kinds[i]; i++)
		if (tr_import_kinds[i]->recognises &&
		    tr_import_kinds[i]->recognises(line))
			return tr_import_kinds[i];
	return NULL;
}

/* Finds the format by the first bytes, or the first line that one of them recognises. */
static void find_kind(struct tr_import *im)
{
	struct import_line line;
	for (unsigned i = 0; !im->kind && tr_import_kinds[i]; i++)
		if (tr_import_kinds[i]->recognises_bytes &&
		    tr_import_kinds[i]->recognises_bytes(im->data, im->end))
			im->kind = tr_import_kinds[i];
	for (size_t at = 0; !im->kind && line_at(im, at, &line, &at);)
		im->kind = recognise(&line);
}

static void look(struct tr_import *im)
{
	struct import_line line;
	for (size_t at = 0; im->kind->look && line_at(im, at, &line, &at);)
		im->kind->look(im, &line);
}

/* Prepares the conversion of what the beginning shows. */
static int open_kind(struct tr_import *im)
{
	char what[300] = "out of memory";
	im->has_cycles = im->kind->has_cycles;
	if (im->options.nparams && !im->kind->has_params)
		return fail(im, TR_E_ARGUMENT,
			    "no trace of an encoder: no --encoder here");
	int status = im->kind->open ? im->kind->open(im, what, sizeof(what)) : TR_OK;
	if (status) {
		snprintf(im->message, sizeof(im->message), "%s", what);
		return im->status = status;
	}
	look(im);
	return TR_OK;
}

/* Opens the programs, if the format needs them. */
static int open_code(struct tr_import *im)
{
	char what[300];
	const struct tr_import_options *o = &im->options;
	if (!im->kind->needs_code && o->nbins)
		return fail(im, TR_E_ARGUMENT,
			    "the log has the addresses: no --bins here");
	if (!im->kind->needs_code)
		return TR_OK;
	if (!o->nbins)
		return fail(im, TR_E_ARGUMENT,
			    "the programs that ran are needed: --bins FILE");
	int status =
	    tr_import_code_open(&im->code, o->bins, o->nbins, what, sizeof(what));
	if (status) {
		snprintf(im->message, sizeof(im->message), "%s", what);
		return im->status = status;
	}
	im->xlen = tr_import_code_xlen(im->code);
	if (o->xlen && o->xlen != im->xlen)
		return fail(im, TR_E_ARGUMENT,
			    "--xlen is not that of the programs of --bins");
	return TR_OK;
}

static int choose_kind(struct tr_import *im)
{
	char what[160];
	int status;
	for (unsigned i = 0; im->options.format && tr_import_kinds[i]; i++)
		if (is_named(tr_import_kinds[i], im->options.format))
			im->kind = tr_import_kinds[i];
	if (im->options.format && !im->kind) {
		snprintf(what, sizeof(what), "no such format: %.60s", im->options.format);
		return fail(im, TR_E_ARGUMENT, what);
	}
	if (!im->end)
		return fail(im, TR_E_TRUNCATED, "empty: no log");
	if (!im->kind)
		find_kind(im);
	if (!im->kind)
		return fail(im, TR_E_UNSUPPORTED,
			    "neither a trace stream nor a log of a known format");
	status = open_code(im);
	if (!status)
		status = open_kind(im);
	if (!status && im->options.xlen)
		im->xlen = im->options.xlen;
	return status;
}

static void set(struct tr_import *im, const char *key, const char *value)
{
	if (value && *value && !im->status)
		im->status = tr_header_set(im->header, key, value);
}

static int make_header(struct tr_import *im)
{
	char lacks[64];
	im->header = tr_header_new();
	if (!im->header)
		return im->status = TR_E_NOMEM;
	snprintf(lacks, sizeof(lacks), "%s%s", im->kind->lacks(im),
		 im->has_sp ? "" : ",tp");
	set(im, "source", im->kind->format.name);
	set(im, "content", im->kind->has_stacks ? "stacks" : "rows");
	set(im, "xlen", im->xlen == 32 ? "32" : "64");
	set(im, "precision", im->has_cycles ? "cycles" : "instructions");
	set(im, "cannot_supply", lacks);
	if (im->has_sp)
		set(im, "watch", "2,4");
	return im->status;
}

/* FireSim names its files TRACEFILE-C<n>. */
static void number_hart(struct tr_import *im)
{
	const char *dash = strrchr(im->name, '-');
	if (dash && dash[1] == 'C' && dash[2] >= '0' && dash[2] <= '9')
		im->first_hart = (uint32_t)(strtoul(dash + 2, NULL, 10) % TR_MAX_HARTS);
}

/* Reads what is looked at; of a pipe not more than a live simulator may have written. An
 * error behind some contents is found again when they have been converted. */
static int fill_beginning(struct tr_import *im)
{
	const size_t enough = tr_unpack_size(im->unpack) ? LOOK_BYTES : PIPE_BYTES;
	int status = TR_OK;
	while (!status && !im->ended && im->end < enough)
		status = fill(im);
	if (im->end)
		status = im->status = TR_OK;
	return status;
}

int tr_import_open(struct tr_import **import, const char *path,
		   const struct tr_import_options *options)
{
	struct tr_import *im = calloc(1, sizeof(*im));
	*import = im;
	if (!im)
		return TR_E_NOMEM;
	im->name = strcmp(path, "-") ? path : "<stdin>";
	im->options = *options;
	im->xlen = 64;
	im->data = malloc(DATA_BYTES + PADDING);
	if (!im->data)
		return fail(im, TR_E_NOMEM, "out of memory");
	int status = tr_unpack_open(&im->unpack, path);
	if (status)
		return fail(im, status,
			    status == TR_E_IO ? strerror(errno)
					      : tr_status_text((enum tr_status)status));
	status = fill_beginning(im);
	if (!status)
		status = choose_kind(im);
	if (!status)
		status = make_header(im);
	number_hart(im);
	return status;
}

/* A line that was not understood. Returns true to go on. */
bool tr_import_skip(struct tr_import *im)
{
	if (im->skipped == im->options.skip_bad) {
		im->status = TR_E_CORRUPT;
		return false;
	}
	if (!im->skipped++)
		memcpy(im->first_skipped, im->message, sizeof(im->message));
	return true;
}

/* The log ends without the end of a line. */
static int end_of_lines(struct tr_import *im)
{
	if (im->begin == im->end)
		return TR_END;
	struct import_line line = {.start = im->data + im->begin,
				   .at = im->data + im->begin,
				   .end = im->data + im->end};
	im->line++;
	if (im->kind->take(im, &line))
		return TR_END;
	return fail(im, TR_E_TRUNCATED, "truncated: the last line is incomplete");
}

/* Takes what is at hand of the lines. Returns TR_OK if more must be read. */
static int take_lines(struct tr_import *im, unsigned *lines)
{
	struct import_line line;
	size_t next;
	for (; *lines && !im->limited && line_at(im, im->begin, &line, &next); --*lines) {
		im->line++;
		if (!im->kind->take(im, &line) && !im->status && !tr_import_skip(im))
			break;
		if (im->status)
			return im->status;
		im->offset += next - im->begin;
		im->begin = next;
	}
	if (im->status || im->limited || !*lines)
		return im->limited ? TR_END : im->status;
	if (im->end - im->begin > IMPORT_LINE_BYTES)
		return fail(im, TR_E_CORRUPT, "a line of more than 65536 bytes");
	return im->ended ? end_of_lines(im) : TR_OK;
}

static int take_bytes(struct tr_import *im, unsigned *lines)
{
	size_t size = im->kind->take_bytes(im, im->data + im->begin, im->end - im->begin);
	im->begin += size;
	im->offset += size;
	*lines = 0;
	if (im->status || im->limited)
		return im->limited ? TR_END : im->status;
	if (im->ended && im->begin < im->end)
		return fail(im, TR_E_TRUNCATED,
			    "truncated: the last record is incomplete");
	return im->ended ? TR_END : TR_OK;
}

int tr_import_some(struct tr_import *im, struct tr_writer *writer, unsigned lines)
{
	im->writer = writer;
	int status = im->status;
	while (!status && lines) {
		status = im->kind->take_bytes ? take_bytes(im, &lines)
					      : take_lines(im, &lines);
		if (!status && lines)
			status = fill(im);
		else if (!status && im->kind->take_bytes)
			status = fill(im);
	}
	if (status) {
		im->status = TR_OK;
		if (im->kind->end)
			im->kind->end(im);
		tr_import_flush(im);
		im->status = im->status ? im->status : status;
		status = im->status;
	}
	return status;
}

bool tr_import_is_packed(const struct tr_import *im)
{
	const char *form = im->unpack ? tr_unpack_form(im->unpack) : NULL;
	return form && strcmp(form, "zstd") != 0;
}

const struct tr_header *tr_import_header(const struct tr_import *im)
{
	return im->header;
}

const char *tr_import_message(const struct tr_import *im)
{
	return im->message;
}

bool tr_import_limited(const struct tr_import *im)
{
	return im->limited;
}

const char *tr_import_remark(struct tr_import *im)
{
	*im->message = '\0';
	if (im->kind->remark)
		im->kind->remark(im, im->message, sizeof(im->message));
	return *im->message ? im->message : NULL;
}

uint64_t tr_import_skipped(const struct tr_import *im, const char **message)
{
	*message = im->skipped ? im->first_skipped : NULL;
	return im->skipped;
}

uint64_t tr_import_offset(const struct tr_import *im)
{
	return tr_unpack_offset(im->unpack);
}

uint64_t tr_import_size(const struct tr_import *im)
{
	return tr_unpack_size(im->unpack);
}

void tr_import_close(struct tr_import *im)
{
	if (!im)
		return;
	if (im->kind && im->kind->release)
		im->kind->release(im);
	tr_import_release_harts(im);
	tr_import_code_close(im->code);
	tr_unpack_close(im->unpack);
	tr_header_free(im->header);
	free(im->data);
	free(im);
}
