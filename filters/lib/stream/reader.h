/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace stream, plain or zstd, from a file or a pipe.
 *
 * Frames come in order, whole and checked: checksums, order, the sums of tokens
 * and cycles, the contexts. Memory is bounded by the largest frame and one
 * dictionary generation, whatever the length of the stream.
 */
#ifndef TR_READER_H
#define TR_READER_H

#include "base/status.h"
#include "stream/counters.h"
#include "stream/header.h"
#include "stream/stream.h"

struct tr_reader;

/* Opens `path` ("-": standard input) and reads the header. `threads` of 2 or
 * more reads and decompresses ahead in a thread of its own; the records are the
 * same. On failure *reader is still set (unless TR_E_NOMEM) so that
 * tr_reader_message() can tell why; close it. TR_E_NO_SOURCE: the program that should
 * have written the stream failed, and has told why. */
int tr_reader_open(struct tr_reader **reader, const char *path, unsigned threads);
void tr_reader_close(struct tr_reader *reader);

const struct tr_header *tr_reader_header(const struct tr_reader *reader);
/* TR_OK, or TR_E_UNSUPPORTED when the stream holds the other. Reading frames of the other
 * fails alike; this tells before anything is done. */
int tr_reader_expect(struct tr_reader *reader, enum tr_content content);
/* The counters that the header names. */
const struct tr_counters *tr_reader_counters(const struct tr_reader *reader);

/* "run.tr: record 812, byte 9744: unknown type 0x1f" for the last call that
 * failed: file, record, byte of the plain stream, reason. */
const char *tr_reader_message(const struct tr_reader *reader);

/* The next frame of rows. TR_OK; TR_END after a good end record and nothing
 * behind it; or an error, which every later call repeats. The frame is valid
 * until the next call, with all that its events point to. */
int tr_reader_next(struct tr_reader *reader, const struct tr_frame **frame);

/* Blocks and timings of the current frame's generation. The ids in a frame are
 * always good; others are undefined. Valid until the next frame. */
const struct tr_block *tr_reader_block(const struct tr_reader *reader, uint32_t id);
const struct tr_timing *tr_reader_timing(const struct tr_reader *reader, uint32_t id);
/* How many ids of each there are: ids are 0 .. count-1, ascending as defined. */
uint32_t tr_reader_block_count(const struct tr_reader *reader);
uint32_t tr_reader_timing_count(const struct tr_reader *reader);

/* The same for a stream of stacks. Functions,
 * nodes and threads keep their ids for the whole stream. */
int tr_reader_next_stacks(struct tr_reader *reader, const struct tr_sframe **frame);
const struct tr_func *tr_reader_func(const struct tr_reader *reader, uint32_t id);
const struct tr_node *tr_reader_node(const struct tr_reader *reader, uint32_t id);
const struct tr_thread *tr_reader_thread(const struct tr_reader *reader, uint32_t id);
uint32_t tr_reader_func_count(const struct tr_reader *reader);
uint32_t tr_reader_node_count(const struct tr_reader *reader);
uint32_t tr_reader_thread_count(const struct tr_reader *reader);

/* After TR_END: the end record. "end" says how the run ended, "instructions",
 * "cycles" its totals. NULL before. */
const struct tr_header *tr_reader_end(const struct tr_reader *reader);

/* Where the reader is: bytes of the file taken, and its size (0: a pipe). */
uint64_t tr_reader_offset(const struct tr_reader *reader);
uint64_t tr_reader_size(const struct tr_reader *reader);

/* The payload of the current frame as it stood, for tr_writer_pass(). */
struct tr_payload {
	const uint8_t *data;
	size_t size;
};
struct tr_payload tr_reader_payload(const struct tr_reader *reader);

/* Walks a hart's frame: first every row and event in order, with the context
 * that is in force there. */
struct tr_cursor {
	struct tr_context context; /* for the rows just returned */
	const struct tr_hart_frame *hart;
	uint64_t cycle; /* of the hart before the rows or the event just returned */
	uint32_t row, event;
	uint64_t next_cycle;
};
enum tr_step { TR_STEP_END = 0, TR_STEP_ROWS, TR_STEP_EVENT };
void tr_cursor_init(struct tr_cursor *cursor, const struct tr_hart_frame *hart);
/* TR_STEP_ROWS: rows [*first, *last) run in cursor->context; no event stands
 * before, between or after them but at their ends, unless it is inside a row
 * (token > 0), where it changes no context and is returned after the rows.
 * TR_STEP_EVENT: *event; cursor->context is that after the event. */
enum tr_step tr_cursor_next(struct tr_cursor *cursor, uint32_t *first, uint32_t *last,
			    const struct tr_event **event);

/* What event does to a context: the one rule for writer, reader and filters. */
void tr_context_apply(struct tr_context *context, const struct tr_event *event);

/* One token of a row, for those who want them singly. */
struct tr_token {
	uint64_t pc;
	uint64_t insn; /* bits; 0 when the source has none */
	uint64_t cycles;
	const struct tr_run *runs;
	uint16_t nruns;
	uint8_t bytes;
};
/* Fills tokens[0 .. block->tokens). */
void tr_tokens(const struct tr_block *block, const struct tr_timing *timing,
	       struct tr_token tokens[TR_BLOCK_MAX_TOKENS]);

/* Length in bytes (2, 4, 6, 8; 0 for a reserved longer one) of the instruction
 * whose first two bytes are `low` (unprivileged 1.5). */
static inline unsigned tr_insn_length(unsigned low)
{
	if ((low & 3U) != 3U)
		return 2;
	if ((low & 0x1cU) != 0x1cU)
		return 4;
	if ((low & 0x3fU) == 0x1fU)
		return 6;
	if ((low & 0x7fU) == 0x3fU)
		return 8;
	return 0;
}

#endif
