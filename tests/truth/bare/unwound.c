/* SPDX-License-Identifier: Apache-2.0 */
/* Reads tr-unwind's rows, and the windows of the trace. */
#include "unwound.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

/* Returns the traced instructions of a hart. */
static uint64_t instructions(const struct unwound_hart *h)
{
	return h->nrows ? h->rows[h->nrows - 1].end : 0;
}

static bool add_row(struct unwound_hart *h, const struct tr_srow *row)
{
	uint64_t before = instructions(h);

	if (!row->instructions)
		return true;
	if (!tr_grow(&h->rows, &h->room, h->nrows + 1, sizeof(*h->rows)))
		return false;
	h->rows[h->nrows++] =
	    (struct unwound_row){before + row->instructions, row->node, row->thread};
	return true;
}

static bool add_rows(struct unwound *t, const struct tr_shart *hart)
{
	if (hart->hart >= SOC_HARTS_MAX)
		return false;
	for (uint32_t i = 0; i < hart->nrows; i++)
		if (!add_row(&t->harts[hart->hart], &hart->rows[i]))
			return false;
	return true;
}

static bool add_window(struct unwound *t, uint64_t first, uint64_t count)
{
	if (!tr_grow(&t->windows, &t->window_room, t->nwindows + 1, sizeof(*t->windows)))
		return false;
	t->windows[t->nwindows++] = (struct unwound_window){first, first + count};
	return true;
}

static bool read_windows(struct unwound *t, const char *path)
{
	FILE *in = fopen(path, "r");
	uint64_t first, count;

	if (!in) {
		perror(path);
		return false;
	}
	while (fscanf(in, "%" SCNu64 " %" SCNu64, &first, &count) == 2)
		if (!add_window(t, first, count))
			break;
	fclose(in);
	t->is_cut = true;
	return t->nwindows > 0;
}

static bool read_rows(struct unwound *t)
{
	const struct tr_sframe *frame;
	int status;

	while ((status = tr_reader_next_stacks(t->reader, &frame)) == TR_OK) {
		if (!t->harts[0].nrows && frame->nharts)
			t->start_cycle = frame->harts[0].start_cycle;
		for (uint32_t i = 0; i < frame->nharts; i++)
			if (!add_rows(t, &frame->harts[i]))
				return false;
	}
	if (status != TR_END)
		fprintf(stderr, "truth: %s\n", tr_reader_message(t->reader));
	return status == TR_END && t->harts[0].nrows;
}

/* Checks that the windows are those of the stream. */
static bool is_whole(const struct unwound *t, const char *path)
{
	uint64_t count = 0;

	for (size_t i = 0; i < t->nwindows; i++)
		count += t->windows[i].end - t->windows[i].first;
	if (count == instructions(&t->harts[0]))
		return true;
	fprintf(stderr,
		"truth: %s: has %" PRIu64 " instructions, the windows %" PRIu64 "\n",
		path, instructions(&t->harts[0]), count);
	return false;
}

bool unwound_open(struct unwound *t, const char *path, const char *windows, uint64_t hash)
{
	char mine[20];

	if (tr_reader_open(&t->reader, path, 1) != TR_OK) {
		fprintf(stderr, "truth: %s\n", tr_reader_message(t->reader));
		return false;
	}
	snprintf(mine, sizeof(mine), "%016" PRIx64, hash);
	const char *image = tr_header_get(tr_reader_header(t->reader), "image_hash");
	if (!image || strcmp(image, mine) != 0) {
		fprintf(stderr, "truth: %s: of other images\n", path);
		return false;
	}
	if (!read_rows(t))
		return false;
	if (!(windows ? read_windows(t, windows)
		      : add_window(t, 0, instructions(&t->harts[0]))))
		return false;
	return is_whole(t, path);
}

void unwound_close(struct unwound *t)
{
	tr_reader_close(t->reader);
	for (unsigned i = 0; i < SOC_HARTS_MAX; i++)
		free(t->harts[i].rows);
	free(t->windows);
}

uint64_t unwound_tokens(const struct unwound *t)
{
	return t->windows[t->nwindows - 1].end;
}

const struct unwound_row *unwound_at(struct unwound *t, uint64_t token, bool *is_first)
{
	const struct unwound_window *window = &t->windows[t->window];
	struct unwound_hart *h = &t->harts[0];

	if (token == window->end) {
		t->before += window->end - window->first;
		window = &t->windows[++t->window];
	}
	*is_first = token == window->first;
	if (token < window->first)
		return NULL;
	while (h->rows[h->row].end <= t->before + token - window->first)
		h->row++;
	return &h->rows[h->row];
}

const struct unwound_row *unwound_next(struct unwound *t, unsigned hart)
{
	struct unwound_hart *h = &t->harts[hart];

	while (h->row < h->nrows && h->rows[h->row].end <= h->seen)
		h->row++;
	h->seen++;
	return h->row < h->nrows ? &h->rows[h->row] : NULL;
}

uint64_t unwound_doubted(const struct unwound *t)
{
	return tr_header_get_u64(tr_reader_end(t->reader), "unwind_doubted_cycles", 0);
}
