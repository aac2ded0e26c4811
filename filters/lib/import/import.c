/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a log, finds its format, and converts it line by line. */
#include "import/import.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/unpack.h"
#include "import/import_code.h"
#include "import/import_order.h"
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

int tr_import_fail(struct tr_import *im, int status, const char *what)
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
static int fill_import_data(struct tr_import *im)
{
	if (im->begin) {
		memmove(im->data, im->data + im->begin, im->end - im->begin);
		im->end -= im->begin;
		im->begin = 0;
	}
	ssize_t n = tr_unpack_read(im->unpack, im->data + im->end, DATA_BYTES - im->end);
	if (n < 0) {
		const char *form = tr_unpack_form(im->unpack);
		char what[128];
		if (n == TR_E_UNSUPPORTED)
			snprintf(what, sizeof(what),
				 "the %s data takes more than %" PRIu64
				 " MiB to decompress: decompress it first, by %s -dc%s",
				 form, tr_unpack_memory(im->unpack) >> 20, form,
				 strcmp(form, "zstd") == 0 ? " --long=31" : "");
		else
			snprintf(what, sizeof(what), "%s %s", form,
				 n == TR_E_TRUNCATED ? "data cut off" : "data damaged");
		return tr_import_fail(im, (int)n,
				      n == TR_E_CORRUPT || n == TR_E_TRUNCATED ||
					      n == TR_E_UNSUPPORTED
					  ? what
				      : n == TR_E_IO ? strerror(errno)
						     : tr_status_text((enum tr_status)n));
	}
	im->ended = n == 0;
	im->end += (size_t)n;
	memset(im->data + im->end, 0, PADDING);
	return TR_OK;
}

static bool is_kind_named(const struct import_kind *kind, const char *name)
{
	return strcmp(kind->format.name, name) == 0;
}

static const struct import_kind *recognise_line_kind(const struct import_line *line)
{
	for (unsigned i = 0; tr_import_kinds[i]; i++)
		if (tr_import_kinds[i]->recognises &&
		    tr_import_kinds[i]->recognises(line))
			return tr_import_kinds[i];
	return NULL;
}

/* Returns the size of the mark of the byte order, with which text may begin. */
static size_t byte_order_mark_size(const struct tr_import *im)
{
	static const char bytes[] = "\xef\xbb\xbf";
	const size_t size = sizeof(bytes) - 1;
	return im->end >= size && memcmp(im->data, bytes, size) == 0 ? size : 0;
}

/* Finds the format by the first bytes, or the first line that one of them recognises. */
static void find_kind(struct tr_import *im)
{
	struct import_line line;
	for (unsigned i = 0; !im->kind && tr_import_kinds[i]; i++)
		if (tr_import_kinds[i]->recognises_bytes &&
		    tr_import_kinds[i]->recognises_bytes(im->data, im->end))
			im->kind = tr_import_kinds[i];
	size_t at = byte_order_mark_size(im);
	while (!im->kind && tr_import_line_at(im, at, &line, &at))
		im->kind = recognise_line_kind(&line);
	if (!im->kind && tr_import_last_line(im, at, &line))
		im->kind = recognise_line_kind(&line);
}

static void look_at_lines(struct tr_import *im)
{
	struct import_line line;
	size_t at = byte_order_mark_size(im);
	while (im->kind->look && tr_import_line_at(im, at, &line, &at))
		im->kind->look(im, &line);
	if (im->kind->look && tr_import_last_line(im, at, &line) &&
	    (!im->kind->is_whole || im->kind->is_whole(im, &line)))
		im->kind->look(im, &line);
}

/* Prepares the conversion of what the beginning shows. */
static int open_kind(struct tr_import *im)
{
	char what[300] = "out of memory";
	im->has_cycles = im->kind->has_cycles;
	if (im->options.nparams && !im->kind->has_params)
		return tr_import_fail(im, TR_E_ARGUMENT,
				      "no trace of an encoder: no --encoder here");
	int status = im->kind->open ? im->kind->open(im, what, sizeof(what)) : TR_OK;
	if (status) {
		snprintf(im->message, sizeof(im->message), "%s", what);
		return im->status = status;
	}
	look_at_lines(im);
	return TR_OK;
}

/* Opens the programs, if the format needs them. */
static int open_code(struct tr_import *im)
{
	char what[300];
	const struct tr_import_options *o = &im->options;
	if (!im->kind->needs_code && o->nbins)
		return tr_import_fail(im, TR_E_ARGUMENT,
				      "the log has the addresses: no --bins here");
	if (!im->kind->needs_code)
		return TR_OK;
	if (!o->nbins)
		return tr_import_fail(im, TR_E_ARGUMENT,
				      "the programs that ran are needed: --bins FILE");
	int status =
	    tr_import_code_open(&im->code, o->bins, o->nbins, what, sizeof(what));
	if (status) {
		snprintf(im->message, sizeof(im->message), "%s", what);
		return im->status = status;
	}
	im->xlen = tr_import_code_xlen(im->code);
	if (o->xlen && o->xlen != im->xlen)
		return tr_import_fail(im, TR_E_ARGUMENT,
				      "--xlen is not that of the programs of --bins");
	return TR_OK;
}

static int choose_kind(struct tr_import *im)
{
	char what[160];
	int status;
	for (unsigned i = 0; im->options.format && tr_import_kinds[i]; i++)
		if (is_kind_named(tr_import_kinds[i], im->options.format))
			im->kind = tr_import_kinds[i];
	if (im->options.format && !im->kind) {
		snprintf(what, sizeof(what),
			 "no such format: %.60s; --from help lists them",
			 im->options.format);
		return tr_import_fail(im, TR_E_ARGUMENT, what);
	}
	if (!im->end)
		return tr_import_fail(im, TR_E_TRUNCATED, "empty: no log");
	if (!im->kind)
		find_kind(im);
	if (!im->kind)
		return tr_import_unknown(im);
	if (!im->kind->take_bytes)
		im->begin = im->offset = byte_order_mark_size(im);
	status = open_code(im);
	if (!status)
		status = open_kind(im);
	if (!status && im->options.xlen)
		im->xlen = im->options.xlen;
	return status;
}

static void set_header_value(struct tr_import *im, const char *key, const char *value)
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
	snprintf(lacks, sizeof(lacks), "%s%s%s", im->kind->lacks(im),
		 im->has_sp ? "" : ",tp",
		 im->classes && im->sink->order ? ",classes" : "");
	set_header_value(im, "source", im->kind->format.name);
	set_header_value(im, "content", im->kind->has_stacks ? "stacks" : "rows");
	set_header_value(im, "xlen", im->xlen == 32 ? "32" : "64");
	set_header_value(im, "precision", im->has_cycles ? "cycles" : "instructions");
	set_header_value(im, "cannot_supply", lacks);
	if (im->has_sp)
		set_header_value(im, "watch", "2,4");
	if (im->commit_width && !im->status)
		im->status =
		    tr_header_set_u64(im->header, "commit_width", im->commit_width);
	set_header_value(im, "classes", im->sink->order ? NULL : im->classes);
	return im->status;
}

/* Files of one hart have its number in their names: TRACEFILE-C<n> of FireSim,
 * trace_rvfi_hart_<n>.dasm and trace_hart_<n>.dasm of CVA6, and trace_core_<n>.log of
 * Ibex, where it is hexadecimal. */
static void number_hart(struct tr_import *im)
{
	static const struct {
		const char *before;
		int base;
	} names[] = {{"-C", 10}, {"hart_", 10}, {"core_", 16}};
	const char *slash = strrchr(im->name, '/');
	const char *name = slash ? slash + 1 : im->name;
	for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const char *at = strstr(name, names[i].before);
		if (!at)
			continue;
		at += strlen(names[i].before);
		if (*at < '0' || *at > '9')
			continue;
		im->is_numbered = true;
		im->first_hart =
		    (uint32_t)(strtoul(at, NULL, names[i].base) % TR_MAX_HARTS);
	}
}

/* Reads what is looked at; of a pipe not more than a live simulator may have written. An
 * error behind some contents is found again when they have been converted. */
static int fill_beginning(struct tr_import *im)
{
	const size_t enough = tr_unpack_size(im->unpack) ? LOOK_BYTES : PIPE_BYTES;
	int status = TR_OK;
	while (!status && !im->ended && im->end < enough)
		status = fill_import_data(im);
	if (im->end)
		status = im->status = TR_OK;
	return status;
}

/* A limit counts in the order of time. */
static int start_time_order(struct tr_import *im)
{
	if (im->kind->has_stacks && im->options.max_instructions != UINT64_MAX)
		return tr_import_fail(im, TR_E_ARGUMENT,
				      "no instructions: no --max-instructions here");
	if (im->kind->has_stacks || (im->options.max_cycles == UINT64_MAX &&
				     im->options.max_instructions == UINT64_MAX))
		return TR_OK;
	im->sink->order = tr_order_new();
	return im->sink->order ? TR_OK : tr_import_fail(im, TR_E_NOMEM, "out of memory");
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
	im->sink = calloc(1, sizeof(*im->sink));
	if (im->sink)
		im->sink->files = 1;
	if (!im->data || !im->sink)
		return tr_import_fail(im, TR_E_NOMEM, "out of memory");
	int status = tr_unpack_open(&im->unpack, path);
	if (status)
		return tr_import_fail(im, status,
				      status == TR_E_IO
					  ? strerror(errno)
					  : tr_status_text((enum tr_status)status));
	status = fill_beginning(im);
	if (!status)
		status = choose_kind(im);
	if (!status)
		status = start_time_order(im);
	if (!status)
		status = make_header(im);
	number_hart(im);
	return status;
}

static int take_import_bytes(struct tr_import *im, unsigned *lines)
{
	size_t size = im->kind->take_bytes(im, im->data + im->begin, im->end - im->begin);
	im->begin += size;
	im->offset += size;
	*lines = 0;
	if (im->status || im->sink->limited)
		return im->sink->limited ? TR_END : im->status;
	if (im->ended && im->begin < im->end)
		return tr_import_fail(im, TR_E_TRUNCATED,
				      "truncated: the last record is incomplete");
	return im->ended ? TR_END : TR_OK;
}

void tr_import_end(struct tr_import *im)
{
	if (im->kind->end)
		im->kind->end(im);
}

int tr_import_some(struct tr_import *im, unsigned lines)
{
	int status = im->status;
	while (!status && lines) {
		status = im->kind->take_bytes ? take_import_bytes(im, &lines)
					      : tr_import_lines(im, &lines);
		if (!status && lines)
			status = fill_import_data(im);
		else if (!status && im->kind->take_bytes)
			status = fill_import_data(im);
	}
	if (!status)
		return TR_OK;
	im->status = TR_OK; /* what follows is still written */
	tr_import_end(im);
	return im->status ? im->status : status;
}

int tr_import_void(struct tr_import *im)
{
	return tr_import_fail(im, TR_E_UNSUPPORTED,
			      im->kind->has_stacks
				  ? "no stack was found in the log"
				  : "no instruction was found in the log");
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
	if (im->sink && !--im->sink->files)
		tr_import_free_sink(im->sink);
	tr_import_code_close(im->code);
	tr_unpack_close(im->unpack);
	tr_header_free(im->header);
	free(im->data);
	free(im);
}
