/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding inside frames, shared by writer*.c and reader*.c. tr-stream(5), "Frames". */
#ifndef TR_CODEC_H
#define TR_CODEC_H

#include "base/buffer.h"
#include "base/varint.h"
#include "stream/chunk.h"
#include "stream/counters.h"
#include "stream/dictionary.h"
#include "stream/probes.h"
#include "stream/stream.h"

/* Sections of a frame, encoded as kind << 1 | must-understand. */
enum tr_section {
	TR_SECTION_BLOCKS = 1,
	TR_SECTION_TIMINGS = 2,
	TR_SECTION_ROWS = 3,   /* one per hart, in the order of the frame's harts */
	TR_SECTION_EVENTS = 4, /* one per hart, in the same order */
	TR_SECTION_NOTES = 5,
	TR_SECTION_FUNCS = 6,
	TR_SECTION_NODES = 7,
	TR_SECTION_THREADS = 8,
	TR_SECTION_SROWS = 9,
	TR_SECTION_SCONTEXTS = 10, /* readers may skip this and the following kinds */
	TR_SECTION_SSAMPLES = 11,
	TR_SECTION_SCOPES = 12, /* this and the following: stream/spans.h */
	TR_SECTION_SPANS = 13,
	TR_SECTION_SITES = 14,
	TR_SECTION_COUNTS = 15,
	TR_SECTION_BRANCHES = 16,
	TR_SECTION_SPROBES = 17,
	TR_SECTION_STASKS = 18,
	TR_SECTION_STASKUSES = 19,
	TR_SECTION_SNAMES = 20,
	TR_SECTION_WIDE_TIMINGS = 21, /* must be understood in frames of rows */
	TR_SECTION_ACCESSES = 22,     /* one per hart with rows: stream/accesses.h */
	TR_SECTION_STPS = 23,
};

enum {
	TR_MAX_EVENT_KIND = 1 << 15,
};

/* Flags in the low bits of an srow's first varint; the node is above them. */
enum { SROW_THREAD = 1, SROW_FRESH = 2, SROW_CLASSES = 4 };

/* Layout of a context of stacks: TR_PRIV_* in the low bits, then the process, then
 * triggers. */
enum { SCONTEXT_PROCESS = 4, SCONTEXT_TRIGGERS = 36, SCONTEXT_BITS = 38 };

/* A hart's entry in the head of a frame. */
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
/* A context: satp, tp, space, privilege, and hgatp unless it is 0. */
void tr_encode_context(struct tr_buffer *out, const struct tr_context *context);
void tr_decode_context(struct tr_bytes *in, struct tr_context *context);
void tr_encode_frame_head(struct tr_buffer *out, const struct tr_frame_head *head);
void tr_decode_frame_head(struct tr_bytes *in, struct tr_frame_head *head);

/* Appends a section, unless it is empty. */
void tr_encode_section(struct tr_buffer *out, enum tr_section kind,
		       const struct tr_buffer *body);
/* Reads the next section. Returns false at the end or when malformed. */
bool tr_decode_section(struct tr_bytes *in, unsigned *kind, bool *must,
		       struct tr_bytes *body);

/* Definitions and rows are stored in columns: each column holds one field of all entries.
 * A writer has a buffer per column. */
enum {
	TR_BLOCK_COLUMNS = 3,
	TR_TIMING_COLUMNS = 3,
	TR_WIDE_TIMING_COLUMNS = 4,
	TR_ROW_COLUMNS = 4,
	TR_ACCESS_COLUMNS = 4
};
/* Appends a section of columns, unless all are empty. */
void tr_encode_columns(struct tr_buffer *out, enum tr_section kind,
		       const struct tr_buffer *columns, unsigned count);
/* Splits a body into `count` columns. Returns false when malformed. */
bool tr_decode_columns(struct tr_bytes *in, struct tr_bytes *columns, unsigned count);
/* Returns true if all columns are consumed and well-formed. */
bool tr_columns_done(const struct tr_bytes *columns, unsigned count);
size_t tr_columns_size(const struct tr_buffer *columns, unsigned count);
void tr_columns_clear(struct tr_buffer *columns, unsigned count);
void tr_columns_free(struct tr_buffer *columns, unsigned count);

/* Predicted start addresses of a section's next block: the end of recent blocks and their
 * jump targets. All zero at the start of a section. */
enum { TR_EXPECTED = 16 };
struct tr_expected {
	uint64_t pc[TR_EXPECTED]; /* ring buffer */
	uint64_t last_end;	  /* address after the last block */
	uint32_t count;		  /* entries added so far */
};
void tr_encode_block(struct tr_buffer *columns, struct tr_expected *expected,
		     const struct tr_block *block);
/* Returns TR_OK or TR_E_NOMEM. */
int tr_encode_timing(struct tr_buffer *columns, struct tr_delays *delays,
		     const struct tr_timing *timing);
/* The same, with a bit for each token of no cycles, for commit widths above 1: a section
 * of TR_WIDE_TIMING_COLUMNS. */
int tr_encode_wide_timing(struct tr_buffer *columns, struct tr_delays *delays,
			  const struct tr_timing *timing);
/* Decode all definitions of a section into the dictionary. Return a status: TR_E_CORRUPT
 * for values that no writer produces. */
int tr_decode_blocks(struct tr_bytes *in, struct tr_dictionary *dictionary);
int tr_decode_timings(struct tr_bytes *in, struct tr_dictionary *dictionary,
		      uint32_t commit_width);
int tr_decode_wide_timings(struct tr_bytes *in, struct tr_dictionary *dictionary,
			   uint32_t commit_width);

/* Row state that reader and writer update in the same way. */
struct tr_row_state {
	uint32_t owner; /* last block id + 1, 0 at the start of a generation */
	uint32_t new_block, new_timing; /* one above the highest id used */
};
/* A row to be encoded. */
struct tr_row_ids {
	uint32_t block, timing;
};
/* Encodes rows. Returns TR_OK or TR_E_NOMEM. `state` is shared by all harts of a
 * stream. */
int tr_encode_rows(struct tr_buffer *columns, struct tr_dictionary *dictionary,
		   struct tr_row_state *state, uint32_t *owner,
		   const struct tr_row_ids *rows, uint32_t count);
/* Decodes `count` rows and sums their tokens and cycles. Returns a status. */
int tr_decode_rows(struct tr_bytes *in, struct tr_dictionary *dictionary,
		   struct tr_row_state *state, uint32_t *owner, struct tr_row *rows,
		   uint32_t count, uint64_t *tokens, uint64_t *cycles);

/* State that the encoding of a hart's events depends on. */
struct tr_event_state {
	const struct tr_counters *counters;
	const struct tr_probe_names *probes;
	struct tr_samples samples;
	uint32_t last_row; /* row of the previous event in the frame */
};

/* Encodes an event. Samples must be valid (tr_sample_good()), and hits of probes
 * (tr_hit_good()). */
void tr_encode_event(struct tr_buffer *out, const struct tr_event *event,
		     struct tr_event_state *state);
/* Decodes an event. Raw payloads point into the input, runs and values into `arena`.
 * Returns TR_OK, TR_E_CORRUPT, TR_E_NOMEM, or TR_E_UNSUPPORTED for an unknown
 * must-understand kind. */
int tr_decode_event(struct tr_bytes *in, struct tr_event *event,
		    struct tr_event_state *state, struct tr_arena *arena,
		    uint32_t commit_width);

/* Samples are encoded as set, count and the zigzag difference of each value to the last
 * sample, without the cycle. Decoding returns TR_OK, TR_E_CORRUPT or TR_E_NOMEM. */
void tr_encode_sample(struct tr_buffer *out, const struct tr_sample *sample,
		      const struct tr_counters *counters, struct tr_samples *last);
int tr_decode_sample(struct tr_bytes *in, struct tr_sample *sample,
		     const struct tr_counters *counters, struct tr_samples *last,
		     struct tr_arena *arena);
/* Returns true if the sample has all values of an existing set. */
bool tr_sample_good(const struct tr_sample *sample, const struct tr_counters *counters);

/* A hit is encoded as probe, number of values and the values, without the cycle.
 * Decoding takes all that is left, and returns false unless it is a valid hit. */
void tr_encode_hit(struct tr_buffer *out, const struct tr_hit *hit);
/* Appends the size of the encoding in front of it. */
void tr_encode_sized_hit(struct tr_buffer *out, const struct tr_hit *hit);
bool tr_decode_hit(struct tr_bytes *in, struct tr_hit *hit,
		   const struct tr_probe_names *probes);

/* Finds where the sections and columns of a frame's payload begin. */
void tr_frame_cuts(const uint8_t *payload, size_t size, struct tr_cuts *cuts);

void tr_encode_note(struct tr_buffer *out, const struct tr_note *note,
		    uint64_t *last_address);
void tr_decode_note(struct tr_bytes *in, struct tr_note *note, uint64_t *last_address);

#endif
