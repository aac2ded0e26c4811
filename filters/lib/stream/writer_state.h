/* SPDX-License-Identifier: Apache-2.0 */
/* The writer's own state, shared by writer*.c. */
#ifndef TR_WRITER_STATE_H
#define TR_WRITER_STATE_H

#include "stream/chunk.h"
#include "stream/codec.h"
#include "stream/writer.h"

enum {
	WRITER_RUNS = 1024,   /* of one block under construction */
	WRITER_SHAPES = 1024, /* see writer_token.c */
};

/* A row being put together from tokens. Code is stored eight bytes at a time. */
struct draft {
	struct tr_block block;
	struct tr_timing timing;
	bool ended; /* by the last token */
	uint8_t code[TR_BLOCK_MAX_TOKENS * TR_INSN_MAX_BYTES];
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_run runs[WRITER_RUNS];
};

/* A cache of the blocks of this generation with their tokens, direct-mapped by address.
 * Tokens that repeat one are compared with it, and not put together to a block and looked
 * up. It is empty while frames are passed on. Zero-initialised is empty. */
enum { WRITER_KNOWN = 1 << 13, WRITER_KNOWN_TOKENS = 1 << 16 };
struct writer_known {
	struct known_block {
		uint32_t block, timing; /* ids; the timing is the one it had last */
		uint32_t first;		/* in tokens */
		uint32_t count;		/* 0: nothing here */
	} blocks[WRITER_KNOWN];
	struct tr_commit tokens[WRITER_KNOWN_TOKENS];
	uint32_t ntokens;
};

struct writer_hart {
	struct tr_hart_head head; /* of the frame under construction */
	struct tr_context context;
	uint64_t cycle;
	uint32_t owner;
	struct tr_event_state events_from;
	uint64_t sample_cycle; /* of the last sample of counters */
	bool passed;	       /* has been in a passed frame */
	struct tr_row_ids *rows;
	size_t row_room;
	struct tr_buffer events;
	struct draft draft;
};

struct writer_stacks {
	struct tr_buffer funcs, nodes, threads;
	struct tr_buffer contexts, all_samples; /* of all harts */
	struct writer_shart {
		struct tr_buffer rows;
		struct tr_buffer contexts; /* whole runs, as written */
		struct tr_buffer samples;
		struct tr_samples last;
		uint64_t sample_cycle;	    /* of the last */
		struct tr_scontext context; /* in force, and since which row */
		uint64_t start_cycle, cycle;
		uint32_t hart, count, thread;
		uint32_t nruns, nsamples;
		bool has_context;
	} harts[TR_MAX_HARTS];
	uint32_t nharts, nnodes, nthreads;
	bool pending;
};

struct tr_writer {
	struct tr_chunk_writer *chunks;
	struct tr_buffer chunk;			  /* head room, then the payload */
	struct tr_buffer encoded[TR_ROW_COLUMNS]; /* rows of one hart */
	int status;				  /* the first error stays */
	bool rv32;
	uint8_t shapes[WRITER_SHAPES]; /* of instructions */
	uint32_t commit_width;
	struct tr_counters counters;

	struct tr_dictionary dictionary;
	struct tr_row_state rows;
	/* definitions of this frame */
	struct tr_buffer blocks[TR_BLOCK_COLUMNS], timings[TR_TIMING_COLUMNS];
	struct tr_expected expected;
	uint64_t frames, generation, frame_tokens;
	uint64_t generation_start;		  /* instructions before it */
	uint64_t frame_events, frame_definitions; /* bytes */
	bool begins_generation, passed;
	struct writer_known known;
	struct writer_hart *harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct writer_stacks stacks;

	uint64_t instructions, cycles;
};

/* Finds or makes a hart, NULL when out of memory or harts. */
struct writer_hart *tr_writer_hart(struct tr_writer *writer, uint32_t hart);

/* Makes a row of the draft, which has tokens: those at `tokens` if these are still there,
 * and nothing but themselves ends the block, else NULL. */
int tr_writer_end_block(struct tr_writer *writer, struct writer_hart *hart,
			const struct tr_commit *tokens);
/* Finds the id, and defines what is new. */
int tr_writer_find_timing(struct tr_writer *writer, const struct tr_timing *timing,
			  uint32_t *id);
/* Adds a row for which there is room; `cycle` is that of its last token. */
static inline void tr_hart_add_row(struct tr_writer *writer, struct writer_hart *hart,
				   struct tr_row_ids row, uint64_t tokens, uint64_t cycle)
{
	hart->cycle = cycle;
	hart->head.tokens += tokens;
	hart->rows[hart->head.nrows++] = row;
	writer->frame_tokens += tokens;
}
/* May end the frame, and begin a new generation. */
int tr_writer_put_row(struct tr_writer *writer, struct writer_hart *hart,
		      struct tr_row_ids row);
/* Puts a block into the cache. When its tokens have no room all others leave. */
void tr_writer_know(struct writer_known *known, uint32_t block,
		    const struct tr_commit *tokens, unsigned count, uint32_t timing);
void tr_writer_forget(struct writer_known *known);
static inline void tr_draft_clear(struct draft *draft)
{
	draft->block.tokens = draft->block.bytes = 0;
	draft->timing.nstalls = draft->timing.nruns = 0;
	draft->timing.extra = 0;
	draft->ended = false;
}
void tr_writer_begin_generation(struct tr_writer *writer);
/* Fills in writer->shapes. */
void tr_writer_init_shapes(struct tr_writer *writer);
/* Clears writer->chunk and leaves room for the head. */
void tr_writer_begin_chunk(struct tr_writer *writer);
int tr_writer_put_chunk(struct tr_writer *writer, enum tr_chunk_type type);
/* What a reader would accept (writer_rows.c). */
bool tr_writer_block_good(const struct tr_block *block);
bool tr_writer_timing_good(const struct tr_timing *timing, uint32_t commit_width);
bool tr_writer_event_good(const struct tr_event *event, uint32_t commit_width);
/* A sample at `cycle`, behind the hart's last one: false, and an error, when it is not.
 */
bool tr_writer_sample_at(struct tr_writer *writer, uint64_t *last, uint64_t cycle);
/* Remembers the first error and returns it. */
static inline int tr_writer_status(struct tr_writer *writer, int status)
{
	if (status < 0 && !writer->status)
		writer->status = status;
	return writer->status;
}

#endif
