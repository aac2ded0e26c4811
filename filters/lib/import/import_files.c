/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the logs of a run, and takes turns in converting them. */
#include "import/import_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "import/import_state.h"

/* Lines of a file in its turn: as many as harts may be apart. */
enum { TURN = 64 };

struct tr_import_files {
	struct tr_import **files;
	bool *ended;
	size_t count, opened;
	int status;
	char message[500]; /* of the files as a whole */
	const char *said;  /* NULL, or a message */
};

static int fail_files(struct tr_import_files *f, int status, const char *message)
{
	f->said = message;
	return f->status = status;
}

static int fail_file(struct tr_import_files *f, size_t i, const char *what)
{
	snprintf(f->message, sizeof(f->message), "%s: %s", f->files[i]->name, what);
	return fail_files(f, TR_E_ARGUMENT, f->message);
}

/* The other files are like the first, and go where it goes. */
static int join_file(struct tr_import_files *f, size_t i)
{
	static const char *const keys[] = {"xlen", "precision", "cannot_supply"};
	struct tr_import *first = f->files[0], *im = f->files[i];
	char what[200];
	for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++) {
		const char *mine = tr_header_get(im->header, keys[k]);
		const char *its = tr_header_get(first->header, keys[k]);
		if (mine && its && strcmp(mine, its) == 0)
			continue;
		snprintf(what, sizeof(what), "%s is %s, but %s in the first file",
			 keys[k], mine ? mine : "not known", its ? its : "not known");
		return fail_file(f, i, what);
	}
	tr_import_free_sink(im->sink);
	im->sink = first->sink;
	im->sink->files++;
	return TR_OK;
}

/* Numbers the harts: by the names of the files, or by their places. */
static int number_harts(struct tr_import_files *f)
{
	bool taken[TR_MAX_HARTS] = {false};
	size_t named = 0;
	for (size_t i = 0; i < f->count; i++)
		named += f->files[i]->is_numbered;
	for (size_t i = 0; i < f->count; i++) {
		struct tr_import *im = f->files[i];
		if (!named && f->count > 1)
			im->first_hart = (uint32_t)i;
		else if (f->count > 1 && !im->is_numbered)
			return fail_file(f, i, "the name does not tell the hart");
		if (taken[im->first_hart])
			return fail_file(f, i, "the hart is that of another file");
		taken[im->first_hart] = true;
	}
	return TR_OK;
}

static int open_import_files(struct tr_import_files *f, const char *const *paths,
			     const struct tr_import_options *options)
{
	struct tr_import_options each = *options;
	for (size_t i = 0; i < f->count; i++) {
		int status = tr_import_open(&f->files[i], paths[i], &each);
		f->opened += f->files[i] != NULL;
		if (status)
			return fail_files(f, status,
					  f->files[i]
					      ? tr_import_message(f->files[i])
					      : tr_status_text((enum tr_status)status));
		const struct import_kind *kind = f->files[i]->kind;
		each.format = kind->format.name;
		if (f->count > 1 && (!kind->in_order || kind->has_stacks))
			return fail_file(
			    f, i, "the format has all harts in one file: one at a time");
		if (i && join_file(f, i))
			return f->status;
	}
	return number_harts(f);
}

int tr_import_files_open(struct tr_import_files **files, const char *const *paths,
			 size_t count, const struct tr_import_options *options)
{
	struct tr_import_files *f = *files = calloc(1, sizeof(*f));
	if (!f)
		return TR_E_NOMEM;
	f->files = calloc(count, sizeof(struct tr_import *));
	f->ended = calloc(count, sizeof(*f->ended));
	f->count = count;
	if (!f->files || !f->ended)
		return fail_files(f, TR_E_NOMEM, "out of memory");
	if (count > TR_MAX_HARTS)
		return fail_files(f, TR_E_ARGUMENT, "more than 64 files");
	return open_import_files(f, paths, options);
}

void tr_import_files_close(struct tr_import_files *f)
{
	for (size_t i = 0; f && i < f->opened; i++)
		tr_import_close(f->files[i]);
	if (f) {
		free(f->files);
		free(f->ended);
	}
	free(f);
}

bool tr_import_files_are_no_stream(const struct tr_import_files *f)
{
	return f->opened &&
	       (tr_import_is_packed(f->files[0]) || tr_import_is_text(f->files[0]));
}

const struct tr_header *tr_import_files_header(const struct tr_import_files *f)
{
	return tr_import_header(f->files[0]);
}

/* Returns the cycle up to which a file is converted; 0 before its first token, and if its
 * lines are not in order. */
static uint64_t converted_cycle(const struct tr_import_files *f, size_t i)
{
	struct tr_import *im = f->files[i];
	if (f->ended[i])
		return UINT64_MAX;
	if (!im->kind->in_order)
		return 0;
	const uint64_t cycle =
	    f->count > 1 ? tr_import_cycle(im, im->first_hart) : tr_import_last_cycle(im);
	return cycle == UINT64_MAX ? 0 : cycle;
}

/* Returns the file that is behind the others. */
static size_t find_file_behind(const struct tr_import_files *f)
{
	size_t least = 0;
	for (size_t i = 1; i < f->count; i++)
		if (converted_cycle(f, i) < converted_cycle(f, least))
			least = i;
	return least;
}

/* Ends the files that are open yet, when one has an error, or all have ended. */
static int finish_files(struct tr_import_files *f, int status)
{
	struct tr_import *first = f->files[0];
	for (size_t i = 0; i < f->count; i++)
		if (!f->ended[i])
			tr_import_end(f->files[i]);
	tr_import_flush(first);
	if (first->status)
		return fail_files(f, first->status,
				  tr_status_text((enum tr_status)first->status));
	if (first->sink->limited)
		return f->status = TR_END;
	if (status == TR_END && !first->sink->tokens)
		return fail_files(f, tr_import_void(first), tr_import_message(first));
	return f->status = status;
}

int tr_import_files_some(struct tr_import_files *f, struct tr_writer *writer,
			 unsigned lines)
{
	f->files[0]->sink->writer = writer;
	while (lines && !f->status) {
		const size_t i = find_file_behind(f);
		unsigned turn = f->count > 1 || f->files[0]->sink->order ? TURN : lines;
		if (turn > lines)
			turn = lines;
		lines -= turn;
		int status = tr_import_some(f->files[i], turn);
		f->ended[i] = status != TR_OK;
		if (status && status != TR_END) {
			f->said = tr_import_message(f->files[i]);
			return finish_files(f, status);
		}
		const uint64_t horizon = converted_cycle(f, find_file_behind(f));
		if (horizon == UINT64_MAX)
			return finish_files(f, TR_END);
		tr_import_release(f->files[0], horizon);
		if (f->files[0]->sink->limited)
			return finish_files(f, TR_END);
	}
	return f->status;
}

const char *tr_import_files_message(const struct tr_import_files *f)
{
	return f->said ? f->said : "";
}

bool tr_import_files_limited(const struct tr_import_files *f)
{
	return f->files[0]->sink->limited;
}

const char *tr_import_files_remark(struct tr_import_files *f, size_t i, const char **name)
{
	*name = i < f->count ? f->files[i]->name : NULL;
	return *name ? tr_import_remark(f->files[i]) : NULL;
}

uint64_t tr_import_files_skipped(const struct tr_import_files *f, const char **message)
{
	uint64_t sum = 0;
	const char *first;
	*message = NULL;
	for (size_t i = 0; i < f->count; i++) {
		sum += tr_import_skipped(f->files[i], &first);
		if (!*message)
			*message = first;
	}
	return sum;
}

uint64_t tr_import_files_offset(const struct tr_import_files *f)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < f->count; i++)
		sum += tr_import_offset(f->files[i]);
	return sum;
}

uint64_t tr_import_files_size(const struct tr_import_files *f)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < f->count; i++)
		sum += tr_import_size(f->files[i]);
	return sum;
}
