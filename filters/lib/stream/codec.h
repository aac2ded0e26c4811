/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes inside frames: what writer*.c and reader*.c share. tr-stream(5),
 * "Frames". */
#ifndef TR_CODEC_H
#define TR_CODEC_H

#include "base/buffer.h"
#include "base/varint.h"
#include "stream/chunk.h"
#include "stream/counters.h"
#include "stream/dictionary.h"
#include "stream/stream.h"

/* Sections of a frame; on the wire kind << 1 | must understand. */
enum tr_section {
	TR_SECTION_BLOCKS = 1,
	TR_SECTION_TIMINGS = 2,
	TR_SECTION_ROWS = 3,   /* one a hart, in the order of the frame's harts */
	TR_SECTION_EVENTS = 4, /* likewise */
	TR_SECTION_NOTES = 5,
	TR_SECTION_FUNCS = 6,
	TR_SECTION_NODES = 7,
	TR_SECTION_THREADS = 8,
	TR_SECTION_SROWS = 9,
	TR_SECTION_SCONTEXTS = 10, /* readers may skip it, and what follows */
	TR_SECTION_SSAMPLES = 11,
};

enum {
	TR_MAX_EVENT_KIND = 1 << 15,
};

/* Bits at the bottom of an srow's first varint; its node is above. */
enum { SROW_THREAD = 1, SROW_FRESH = 2, SROW_CLASSES = 4 };

/* A context of stacks: TR_PRIV_* at the bottom, then the process, then triggers. */
enum { SCONTEXT_PROCESS = 4, SCONTEXT_TRIGGERS = 36, SCONTEXT_BITS = 38 };

/* A hart's line in the head of a frame. */
struct tr_hart_head {
	struct tr_context context;
	uint64_t start_cycle, cycles, tokens;
	uint32_t hart, nrows, nevents;
};
struct tr_frame_head {
	uint64_t number, generation;
	bool begins_generation;
	uint32_t nharts;
	struct tr_hart_head harts[TR_MAX_HARTS];
};
void tr_encode_frame_head(struct tr_buffer *out, const struct tr_frame_head *head);
void tr_decode_frame_head(struct tr_bytes *in, struct tr_frame_head *head);

/* Appends a section; nothing when it is empty. */
void tr_encode_section(struct tr_buffer *out, enum tr_section kind,
		       const struct tr_buffer *body);
/* The next section; false at the end or when bad. */
bool tr_decode_section(struct tr_bytes *in, unsigned *kind, bool *must,
		       struct tr_bytes *body);

/* Sections of definitions and rows are columns: numbers of one kind beside their
 * like. A writer has a buffer for each. */
enum { TR_BLOCK_COLUMNS = 3, TR_TIMING_COLUMNS = 3, TR_ROW_COLUMNS = 4 };
/* Appends a section; nothing when all columns are empty. */
void tr_encode_columns(struct tr_buffer *out, enum tr_section kind,
		       const struct tr_buffer *columns, unsigned count);
/* Takes a body of `count` columns apart; false when it is not one. */
bool tr_decode_columns(struct tr_bytes *in, struct tr_bytes *columns, unsigned count);
/* Is all taken, and none bad? */
bool tr_columns_done(const struct tr_bytes *columns, unsigned count);
size_t tr_columns_size(const struct tr_buffer *columns, unsigned count);
void tr_columns_clear(struct tr_buffer *columns, unsigned count);
void tr_columns_free(struct tr_buffer *columns, unsigned count);

/* Where a section's next block may well begin: behind those before it, and where
 * they jump to. Zero-initialised at the start of a section. */
enum { TR_EXPECTED = 16 };
struct tr_expected {
	uint64_t pc[TR_EXPECTED]; /* a ring */
	uint64_t last_end;	  /* address behind the last block */
	uint32_t count;		  /* ever */
};
void tr_encode_block(struct tr_buffer *columns, struct tr_expected *expected,
		     const struct tr_block *block);
/* TR_OK or TR_E_NOMEM. */
int tr_encode_timing(struct tr_buffer *columns, struct tr_delays *delays,
		     const struct tr_timing *timing);
/* Decode all definitions of a section into the dictionary; a status, with
 * TR_E_CORRUPT for values that no writer makes. */
int tr_decode_blocks(struct tr_bytes *in, struct tr_dictionary *dictionary);
int tr_decode_timings(struct tr_bytes *in, struct tr_dictionary *dictionary,
		      uint32_t commit_width);

/* Rows: the state that both sides step alike. */
struct tr_row_state {
	uint32_t owner; /* last block id + 1, 0 at the start of a generation */
	uint32_t new_block, new_timing; /* one above the highest ids used */
};
/* A row that is not encoded yet. */
struct tr_row_ids {
	uint32_t block, timing;
};
/* TR_OK or TR_E_NOMEM. `new_*` are shared by the harts of a stream. */
int tr_encode_rows(struct tr_buffer *columns, struct tr_dictionary *dictionary,
		   struct tr_row_state *state, uint32_t *owner,
		   const struct tr_row_ids *rows, uint32_t count);
/* Decodes `count` rows; sums their tokens and cycles. */
int tr_decode_rows(struct tr_bytes *in, struct tr_dictionary *dictionary,
		   struct tr_row_state *state, uint32_t *owner, struct tr_row *rows,
		   uint32_t count, uint64_t *tokens, uint64_t *cycles);

/* What the events of a hart follow from. */
struct tr_event_state {
	const struct tr_counters *counters;
	struct tr_samples samples;
	uint32_t last_row; /* of the event before in the frame */
};

/* Samples must be good (tr_sample_good). */
void tr_encode_event(struct tr_buffer *out, const struct tr_event *event,
		     struct tr_event_state *state);
/* TR_OK, TR_E_CORRUPT, TR_E_NOMEM, or TR_E_UNSUPPORTED for an unknown kind that
 * must be understood. Raw payloads point into the input, runs and values into
 * `arena`. */
int tr_decode_event(struct tr_bytes *in, struct tr_event *event,
		    struct tr_event_state *state, struct tr_arena *arena,
		    uint32_t commit_width);

/* Set, count, and each value as a zigzag of its difference to the last. Not the
 * cycle. Decoding: TR_OK, TR_E_CORRUPT, TR_E_NOMEM. */
void tr_encode_sample(struct tr_buffer *out, const struct tr_sample *sample,
		      const struct tr_counters *counters, struct tr_samples *last);
int tr_decode_sample(struct tr_bytes *in, struct tr_sample *sample,
		     const struct tr_counters *counters, struct tr_samples *last,
		     struct tr_arena *arena);
/* All values of a set that there is. */
bool tr_sample_good(const struct tr_sample *sample, const struct tr_counters *counters);

/* Where sections and columns of a frame's payload begin. */
void tr_frame_cuts(const uint8_t *payload, size_t size, struct tr_cuts *cuts);

void tr_encode_note(struct tr_buffer *out, const struct tr_note *note,
		    uint64_t *last_address);
void tr_decode_note(struct tr_bytes *in, struct tr_note *note, uint64_t *last_address);

#endif
