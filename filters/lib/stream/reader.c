/* SPDX-License-Identifier: Apache-2.0 */
/* Opens a stream and reads its chunks from the header to the end record. */
#include "stream/reader_state.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* Smaller frames are decoded in less time than two threads need to pass them on. */
enum { AHEAD_BYTES = 64 << 10 };

static const char *reader_path_name(const struct tr_reader *r)
{
	return strcmp(r->path, "-") ? r->path : "<stdin>";
}

/* Fails with a message about the whole stream. Returns the status. */
static int fail_stream(struct tr_reader *r, int status, const char *reason)
{
	free(r->message);
	if (asprintf(&r->message, "%s: %s", reader_path_name(r), reason) < 0)
		r->message = NULL;
	return r->status = status;
}

int tr_reader_fail(struct tr_reader *r, int status, const char *reason)
{
	if (status == TR_E_IO && r->chunk.record == 0 && r->chunk.byte == 0)
		return fail_stream(r, status, reason);
	free(r->message);
	if (asprintf(&r->message, "%s: record %" PRIu32 ", byte %" PRIu64 ": %s",
		     reader_path_name(r), r->chunk.record, r->chunk.byte, reason) < 0)
		r->message = NULL;
	return r->status = status;
}

void tr_reader_place(const struct tr_reader *reader, uint32_t *record, uint64_t *byte)
{
	const struct frame_cell *current = reader->current;
	*record = current ? current->frame.record : reader->chunk.record;
	*byte = current ? current->frame.byte : reader->chunk.byte;
}

const char *tr_reader_message(const struct tr_reader *reader)
{
	if (reader->ahead)
		return tr_status_text(TR_OK);
	return reader->message ? reader->message : tr_status_text(reader->status);
}

static const char *wrong_content(enum tr_content content)
{
	return content == TR_CONTENT_STACKS
		   ? "holds call stacks, not instructions: tr-unwind has run"
		   : "holds instructions, not call stacks: run tr-unwind";
}

int tr_reader_expect(struct tr_reader *r, enum tr_content content)
{
	enum tr_content holds = tr_header_content(r->header);
	if (r->status || holds == content)
		return r->status;
	return fail_stream(r, TR_E_UNSUPPORTED, wrong_content(holds));
}

static int read_stream_header(struct tr_reader *r)
{
	int status = tr_chunk_read(r->chunks, &r->chunk);
	if (status)
		return tr_reader_fail(r, status == TR_END ? TR_E_TRUNCATED : status,
				      tr_chunk_reader_reason(r->chunks));
	if (r->chunk.type != TR_CHUNK_HEADER)
		return tr_reader_fail(r, TR_E_CORRUPT, "no header at the start");
	r->header_hash =
	    XXH64(r->chunk.payload - TR_CHUNK_HEAD, TR_CHUNK_HEAD + r->chunk.size, 0);
	status =
	    tr_header_parse(r->header, (const char *)r->chunk.payload, r->chunk.size);
	r->commit_width = tr_header_commit_width(r->header);
	if (status)
		return tr_reader_fail(r, status, "damaged header");
	status = tr_counters_read(&r->counters, r->header);
	if (status)
		return tr_reader_fail(r, status, "damaged header: labels of counters");
	status = tr_probe_names_read(&r->probes, r->header);
	return status ? tr_reader_fail(r, status, "damaged header: names of probes")
		      : TR_OK;
}

/* Returns TR_OK or TR_E_NOMEM. */
static int init_reader(struct tr_reader *r, const char *path)
{
	r->path = strdup(path);
	r->header = tr_header_new();
	r->pool = tr_frame_pool_new();
	if (!r->path || !r->header || !r->pool || tr_dictionary_reset(&r->dictionary))
		return r->status = TR_E_NOMEM;
	r->view = tr_dictionary_glance(&r->dictionary);
	r->generation = UINT64_MAX;
	return TR_OK;
}

int tr_reader_open(struct tr_reader **reader, const char *path, unsigned threads)
{
	struct tr_reader *r = *reader = calloc(1, sizeof(*r));
	if (!r || init_reader(r, path))
		return TR_E_NOMEM;
	int status = tr_chunk_reader_open(&r->chunks, path, threads);
	if (status)
		return tr_reader_fail(r, status,
				      r->chunks ? tr_chunk_reader_reason(r->chunks) : "");
	return read_stream_header(r);
}

int tr_reader_open_link(struct tr_reader **reader, struct tr_link *link, const char *name)
{
	struct tr_reader *r = *reader = calloc(1, sizeof(*r));
	if (!r || init_reader(r, name))
		return TR_E_NOMEM;
	const int status = tr_chunk_reader_open_link(&r->chunks, link);
	return status ? tr_reader_fail(r, status, "") : read_stream_header(r);
}

/* Takes the decoder back. */
static void stop_ahead(struct tr_reader *r)
{
	if (r->ahead)
		tr_decode_ahead_stop(r->ahead);
	r->ahead = NULL;
	r->is_ahead = false;
}

void tr_reader_close(struct tr_reader *r)
{
	if (!r)
		return;
	stop_ahead(r);
	tr_chunk_reader_close(r->chunks);
	tr_header_free(r->header);
	tr_header_free(r->end);
	tr_dictionary_free(&r->dictionary);
	tr_counters_release(&r->counters);
	tr_probe_names_release(&r->probes);
	for (uint32_t i = 0; i < r->nharts; i++)
		tr_samples_release(&r->harts[i].events_from.samples);
	tr_reader_drop_frame(r);
	tr_frame_pool_free(r->pool);
	tr_arena_reset(&r->runs);
	tr_reader_free_spans(r);
	tr_reader_free_index(r);
	free(r->stacks.funcs);
	free(r->stacks.nodes);
	free(r->stacks.threads);
	free(r->stacks.tasks);
	free(r->stacks.uses);
	free(r->stacks.renames);
	free(r->stacks.tps);
	for (uint32_t i = 0; i < TR_MAX_HARTS; i++) {
		free(r->stacks.rows[i]);
		free(r->stacks.classes[i]);
		free(r->stacks.contexts[i]);
		free(r->stacks.samples[i]);
		free(r->stacks.hits[i]);
		tr_samples_release(&r->stacks.last[i]);
	}
	tr_arena_reset(&r->stacks.names);
	free(r->message);
	free(r->path);
	free(r);
}

const struct tr_header *tr_reader_header(const struct tr_reader *reader)
{
	return reader->header;
}

const struct tr_counters *tr_reader_counters(const struct tr_reader *reader)
{
	return &reader->counters;
}

const struct tr_probe_names *tr_reader_probes(const struct tr_reader *reader)
{
	return &reader->probes;
}

const struct tr_header *tr_reader_end(const struct tr_reader *reader)
{
	return !reader->ahead && reader->status == TR_END ? reader->end : NULL;
}

uint64_t tr_reader_offset(const struct tr_reader *reader)
{
	if (reader->current)
		return reader->current->offset;
	return reader->chunks ? tr_chunk_reader_offset(reader->chunks) : 0;
}

uint64_t tr_reader_size(const struct tr_reader *reader)
{
	return reader->chunks ? tr_chunk_reader_size(reader->chunks) : 0;
}

struct tr_payload tr_reader_payload(const struct tr_reader *reader)
{
	return reader->current
		   ? reader->current->frame.payload
		   : (struct tr_payload){reader->chunk.payload, reader->chunk.size};
}

static bool total_is(const struct tr_header *end, const char *key, uint64_t total)
{
	const char *text = tr_header_get(end, key);
	return text && tr_header_get_u64(end, key, ~total) == total;
}

/* Checks the end record: its totals must match, and nothing may follow. Returns a
 * status. */
static int read_end(struct tr_reader *r)
{
	r->end = tr_header_new();
	if (!r->end)
		return tr_reader_fail(r, TR_E_NOMEM, "");
	int status =
	    tr_header_parse(r->end, (const char *)r->chunk.payload, r->chunk.size);
	if (status)
		return tr_reader_fail(r, status, "damaged end record");
	if (!total_is(r->end, "instructions", r->totals.tokens) ||
	    !total_is(r->end, "cycles", r->totals.cycles) ||
	    !total_is(r->end, "frames", r->totals.frames))
		return tr_reader_fail(r, TR_E_CORRUPT,
				      "the totals differ from those of the frames");
	status = tr_chunk_read(r->chunks, &r->chunk);
	if (status == TR_OK || status == TR_E_CORRUPT || status == TR_E_TRUNCATED ||
	    status == TR_E_UNSUPPORTED)
		return tr_reader_fail(r, TR_E_CORRUPT, "bytes after the end record");
	if (status != TR_END)
		return tr_reader_fail(r, status, tr_chunk_reader_reason(r->chunks));
	return r->status = TR_END;
}

int tr_reader_chunk(struct tr_reader *r, enum tr_chunk_type type)
{
	if (r->status)
		return r->status;
	int status = tr_chunk_read(r->chunks, &r->chunk);
	if (status == TR_END)
		return tr_reader_fail(r, TR_E_TRUNCATED, "truncated: no end record");
	if (status)
		return tr_reader_fail(r, status, tr_chunk_reader_reason(r->chunks));
	if (r->chunk.type == TR_CHUNK_END)
		return read_end(r);
	if (r->chunk.type == type)
		return TR_OK;
	if (r->chunk.type == TR_CHUNK_FRAME)
		return tr_reader_fail(r, TR_E_UNSUPPORTED,
				      wrong_content(TR_CONTENT_ROWS));
	if (r->chunk.type == TR_CHUNK_STACKS)
		return tr_reader_fail(r, TR_E_UNSUPPORTED,
				      wrong_content(TR_CONTENT_STACKS));
	return tr_reader_fail(r, TR_E_UNSUPPORTED, "unknown type of record");
}

static void release_current(struct tr_reader *r)
{
	if (r->current)
		tr_frame_release(&r->current->frame);
	r->current = NULL;
}

void tr_reader_drop_frame(struct tr_reader *r)
{
	release_current(r);
	r->view = tr_dictionary_glance(&r->dictionary);
}

void tr_reader_decode_ahead(struct tr_reader *r)
{
	r->is_ahead = r->chunks && tr_chunk_reader_has_thread(r->chunks);
}

int tr_reader_next(struct tr_reader *r, const struct tr_frame **frame)
{
	release_current(r);
	if (r->is_ahead && !r->ahead && r->totals.frames && !r->status &&
	    r->chunk.size >= AHEAD_BYTES) {
		r->ahead = tr_decode_ahead_start(r);
		r->is_ahead = r->ahead != NULL;
	}
	int status = r->ahead ? tr_decode_ahead_next(r->ahead, &r->current)
			      : tr_reader_decode(r, &r->current);
	if (status) {
		stop_ahead(r);
		r->view = tr_dictionary_glance(&r->dictionary);
		return status;
	}
	*frame = &r->current->frame;
	r->view = r->current->frame.view;
	return TR_OK;
}

struct reader_hart *tr_reader_hart(struct tr_reader *r, uint32_t hart)
{
	for (uint32_t i = 0; i < r->nharts; i++)
		if (r->harts[i].hart == hart)
			return &r->harts[i];
	if (r->nharts == TR_MAX_HARTS)
		return NULL;
	struct reader_hart *state = &r->harts[r->nharts++];
	*state = (struct reader_hart){.hart = hart,
				      .cycle = UINT64_MAX,
				      .events_from.counters = &r->counters,
				      .events_from.probes = &r->probes};
	return state;
}

const struct tr_block *tr_reader_block(const struct tr_reader *r, uint32_t id)
{
	return &r->view.blocks[id];
}

const struct tr_timing *tr_reader_timing(const struct tr_reader *r, uint32_t id)
{
	return &r->view.timings[id];
}

uint32_t tr_reader_block_count(const struct tr_reader *r)
{
	return r->view.nblocks;
}

uint32_t tr_reader_timing_count(const struct tr_reader *r)
{
	return r->view.ntimings;
}
