/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a trace stream, plain or zstd, from a file or a pipe.
 *
 * Frames are returned in order, complete and verified: checksums, order, sums of tokens
 * and cycles, contexts. Memory is bounded by the largest frame and one dictionary
 * generation, whatever the length of the stream, and by what the caller holds
 * (stream/frame.h). A reader belongs to one thread. */
#ifndef TR_READER_H
#define TR_READER_H

#include "base/status.h"
#include "stream/counters.h"
#include "stream/header.h"
#include "stream/probes.h"
#include "stream/stream.h"

struct tr_link;
struct tr_reader;

/* Opens `path` ("-" is standard input) and reads the header. With two or more `threads` a
 * separate thread reads and decompresses ahead; the records are the same. On failure
 * *reader is set all the same (unless TR_E_NOMEM) so that tr_reader_message() can be
 * called; close it. Returns TR_OK or an error; TR_E_NO_SOURCE means that the program that
 * should have written the stream failed and reported why. */
int tr_reader_open(struct tr_reader **reader, const char *path, unsigned threads);
/* Reads from a link, which remains the caller's; `name` stands for it in messages. The
 * same otherwise, but waits for the header. */
int tr_reader_open_link(struct tr_reader **reader, struct tr_link *link,
			const char *name);
void tr_reader_close(struct tr_reader *reader);

/* Returns the stream's header; the reader owns it. */
const struct tr_header *tr_reader_header(const struct tr_reader *reader);
/* Checks the content before any frame is read. Returns TR_OK, or TR_E_UNSUPPORTED, with
 * the message set, when the stream holds the other content. Reading frames of the other
 * content fails in the same way. */
int tr_reader_expect(struct tr_reader *reader, enum tr_content content);
/* Returns the counters named in the header; the reader owns them. */
const struct tr_counters *tr_reader_counters(const struct tr_reader *reader);
/* Returns the probes named in the header; the reader owns them. */
const struct tr_probe_names *tr_reader_probes(const struct tr_reader *reader);

/* Returns the message of the call that failed last, as in "run.tr: record 812, byte 9744:
 * unknown type 0x1f": file, record, byte of the plain stream, reason. It is the
 * reader's. */
const char *tr_reader_message(const struct tr_reader *reader);

/* Gets the number of the current frame's record, and its byte in the plain stream, for
 * messages. */
void tr_reader_place(const struct tr_reader *reader, uint32_t *record, uint64_t *byte);

/* Reads the next frame of rows, which is valid, with all that its events point to, until
 * the next call, or longer with tr_frame_hold(). Returns TR_OK; TR_END after a valid end
 * record with nothing after it; or an error, which all later calls repeat. */
int tr_reader_next(struct tr_reader *reader, const struct tr_frame **frame);

/* Decodes the next frames of rows in a separate thread while the caller works on the
 * current one, if the reader was opened with two or more threads; otherwise does nothing.
 * Frames and errors are the same, in the same order, and each frame is returned as soon
 * as it is decoded. Memory is that of three more frames (frame.h). The thread begins
 * after the first frame that is large enough to gain from it. Call this before the first
 * frame. tr_saver_put() and tr_reader_go() cannot be used with it. */
void tr_reader_decode_ahead(struct tr_reader *reader);

/* Return a block or timing of the current frame's generation, valid until the next frame.
 * Ids found in a frame are always valid; others are undefined. */
const struct tr_block *tr_reader_block(const struct tr_reader *reader, uint32_t id);
const struct tr_timing *tr_reader_timing(const struct tr_reader *reader, uint32_t id);
/* Return the number of block or timing ids: ids run from 0 to count - 1 in order of
 * definition. */
uint32_t tr_reader_block_count(const struct tr_reader *reader);
uint32_t tr_reader_timing_count(const struct tr_reader *reader);

/* Reads the next frame of stacks, which is valid until the next call: it cannot be held
 * (tr_frame_hold()), and frames of stacks are not decoded ahead. Returns TR_OK, TR_END or
 * an error, which all later calls repeat. Functions, nodes and threads keep their ids for
 * the whole stream. */
int tr_reader_next_stacks(struct tr_reader *reader, const struct tr_sframe **frame);
const struct tr_func *tr_reader_func(const struct tr_reader *reader, uint32_t id);
const struct tr_node *tr_reader_node(const struct tr_reader *reader, uint32_t id);
const struct tr_thread *tr_reader_thread(const struct tr_reader *reader, uint32_t id);
uint32_t tr_reader_func_count(const struct tr_reader *reader);
uint32_t tr_reader_node_count(const struct tr_reader *reader);
uint32_t tr_reader_thread_count(const struct tr_reader *reader);

/* What tr_reader_seek() leaves out, before and behind the window: cycles and instructions
 * of all harts. And the cycles at which the first hart begins, and the last one ends. */
struct tr_reader_skipped {
	uint64_t cycles[2], instructions[2];
	uint64_t first_cycle, last_cycle;
};
/* For tr_reader_seek(): do nothing if there are hits of probes or marks; if there are
 * several harts, for callers that need the order in which nodes first run. Sums may come
 * in place of rows; but not if there are several harts or the kernel's tasks are known,
 * for callers that need the order in which processes first run, and their tasks; and only
 * those over TR_SUMS_FRAMES frames. */
enum {
	TR_SEEK_NO_HITS = 1,
	TR_SEEK_ONE_HART = 2,
	TR_SEEK_SUMS = 4,
	TR_SEEK_SUMS_BY_TASK = 8,
	TR_SEEK_FIRST_SUMS = 16,
};
/* Before the first frame of stacks: prepares to read only frames that may have something
 * between the cycles `from` and `to`, by the index of the stream. In place of the others,
 * tr_reader_next_stacks() returns frames with what they define and, for each node that
 * first runs in them, a row of no cycles and instructions in the context of that first
 * row (`is_index`). With TR_SEEK_SUMS it does so also in the window, if the index has
 * sums of frames that are in it as a whole: these follow as one frame, with a row for
 * each stack, thread and context. Returns true if it does, and *skipped is set; false if
 * the stream has no index that fits, or all of it is needed: all is read. */
bool tr_reader_seek(struct tr_reader *reader, uint64_t from, uint64_t to, unsigned limits,
		    struct tr_reader_skipped *skipped);

/* Returns the end record after TR_END: "end" tells how the run ended, "instructions" and
 * "cycles" hold its totals. Returns NULL before TR_END. The reader owns it. */
const struct tr_header *tr_reader_end(const struct tr_reader *reader);

/* Return the number of bytes read from the file, and the file's size (0 for a pipe). */
uint64_t tr_reader_offset(const struct tr_reader *reader);
uint64_t tr_reader_size(const struct tr_reader *reader);

/* Returns the encoded payload of the current frame, valid until the next one. */
struct tr_payload tr_reader_payload(const struct tr_reader *reader);

/* Iterates over a hart's frame: rows and events in order, with the context in force. */
struct tr_cursor {
	struct tr_context context; /* of the rows just returned */
	const struct tr_hart_frame *hart;
	uint64_t cycle; /* the hart's time before the rows or the event just returned */
	uint32_t row, event;
	uint64_t next_cycle;
};
enum tr_step { TR_STEP_END = 0, TR_STEP_ROWS, TR_STEP_EVENT };
void tr_cursor_init(struct tr_cursor *cursor, const struct tr_hart_frame *hart);
/* Returns one of
 * - TR_STEP_ROWS: rows [*first, *last) run in cursor->context. No event stands between
 *   them.
 * - TR_STEP_EVENT: *event is set, and cursor->context is the context after it. An event
 *   inside a row (token > 0) is returned before the row; it changes no context.
 * - TR_STEP_END: no rows or events are left. */
enum tr_step tr_cursor_next(struct tr_cursor *cursor, uint32_t *first, uint32_t *last,
			    const struct tr_event **event);

/* Applies an event to a context. Writer, reader and filters all use this one function. */
void tr_context_apply(struct tr_context *context, const struct tr_event *event);

/* Copies what an event points to, so that it outlives the reader's frame. Returns TR_OK
 * or TR_E_NOMEM; then the event must not be used. */
int tr_event_copy_data(struct tr_event *event, struct tr_arena *arena);

/* A single decoded token. */
struct tr_token {
	uint64_t pc;
	uint64_t insn; /* instruction bits; 0 if the source has none */
	uint64_t cycles;
	const struct tr_run *runs;
	uint16_t nruns;
	uint8_t bytes;
};
/* Decodes a row into tokens[0 .. block->tokens). */
void tr_tokens(const struct tr_block *block, const struct tr_timing *timing,
	       struct tr_token tokens[TR_BLOCK_MAX_TOKENS]);

/* Returns the length in bytes of the instruction whose first two bytes are `low`: 2, 4, 6
 * or 8, or 0 for a reserved longer encoding (unprivileged 1.5). */
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
