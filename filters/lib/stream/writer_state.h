/* SPDX-License-Identifier: Apache-2.0 */
/* Internal state of the writer, shared by writer*.c. */
#ifndef TR_WRITER_STATE_H
#define TR_WRITER_STATE_H

#include "base/map.h"
#include "stream/chunk.h"
#include "stream/codec.h"
#include "stream/continuity.h"
#include "stream/spans.h"
#include "stream/stacks_index.h"
#include "stream/writer.h"

enum {
	WRITER_RUNS = 1024,   /* runs in one block under construction */
	WRITER_SHAPES = 1024, /* see writer_token.c */
};

/* A row under construction. Code is stored eight bytes at a time. */
struct draft {
	struct tr_block block;
	struct tr_timing timing;
	bool ended; /* by its last token */
	uint8_t code[TR_BLOCK_MAX_TOKENS * TR_INSN_MAX_BYTES];
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_run runs[WRITER_RUNS];
};

/* A direct-mapped cache, by address, of this generation's blocks with their tokens.
 * Tokens that match a cached block skip block construction and look-up. It is empty while
 * frames are passed through. All zero is empty. */
enum { WRITER_KNOWN = 1 << 13, WRITER_KNOWN_TOKENS = 1 << 16 };
struct writer_known {
	struct known_block {
		uint32_t block, timing; /* ids; `timing` is the most recent one */
		uint32_t first;		/* index into tokens */
		uint32_t count;		/* 0: unused entry */
	} blocks[WRITER_KNOWN];
	struct tr_commit tokens[WRITER_KNOWN_TOKENS];
	uint32_t ntokens;
};

/* Addresses of the current frame's accesses, and the rows that they are of. */
struct writer_addressed {
	uint32_t row, first, count; /* first: in the list */
};
struct writer_addresses {
	struct tr_accessed *list;
	size_t count, room;
	struct writer_addressed *rows;
	size_t row_room;
	uint32_t nrows, next;
};

struct writer_hart {
	struct tr_hart_head head; /* of the current frame */
	struct tr_context context;
	uint64_t cycle;
	uint32_t owner;
	struct tr_event_state events_from;
	uint64_t sample_cycle; /* cycle of the last counter sample */
	bool passed;	       /* was in a passed frame */
	struct tr_row_ids *rows;
	size_t row_room;
	struct tr_buffer events;
	struct writer_addresses addresses;
	struct draft draft;
	struct tr_continuity continuity;
	bool has_inner; /* the last event placed is inside the next row */
	/* Events about the next token; their tokens count from it. */
	struct tr_event *held;
	struct tr_arena held_values; /* of hits of probes */
	size_t held_room;
	uint32_t nheld;
};

/* Counts by address of the current sframe. */
struct writer_spans {
	struct tr_buffer scopes, spans, sites, counts, branches;
	uint32_t nscopes, nspans, nspots; /* in the stream */
	uint64_t address;		  /* of the frame's last span */
	uint32_t site_node, site;	  /* its last call site */
	struct tr_span_count last;	  /* its last count and branch */
	struct tr_branch branch;
};

struct writer_stacks {
	struct tr_buffer funcs, nodes, threads, tasks, uses, names, tps;
	struct tr_buffer contexts, all_samples, all_hits; /* for all harts */
	struct writer_shart {
		struct tr_buffer rows;
		struct tr_buffer contexts; /* complete runs, encoded */
		struct tr_buffer samples, hits;
		struct tr_samples last;
		uint64_t sample_cycle;	    /* cycle of the last sample */
		uint64_t hit_cycle;	    /* cycle of the last hit */
		struct tr_scontext context; /* in force, and the row from which */
		uint64_t start_cycle, cycle;
		uint32_t hart, count, thread;
		uint32_t nruns, nsamples, nhits;
		bool has_context;
		/* For the index: the frame's first rows of nodes. */
		struct tr_buffer firsts, first_contexts;
		uint32_t nfirsts;
	} harts[TR_MAX_HARTS];
	uint32_t nharts, nnodes, nthreads, ntasks;
	bool pending;
	size_t full_at; /* size of a buffer that is looked at more closely */
	struct writer_spans spans;
};

/* Sums of the rows since the last section of a level ended. */
struct writer_sums_level {
	struct sums_cell *cells; /* in order of appearance */
	uint64_t *slots;	 /* of each cell, by class */
	size_t room, slot_room;
	struct tr_map map;
	uint32_t ncells;
	bool is_left_out; /* until the end of the section */
	uint64_t offset;  /* of its first frame in the file, or less */
};
struct writer_sums {
	struct writer_sums_level levels[TR_SUMS_LEVELS];
	uint32_t *last; /* by node: its newest cell in the first level, if it is there */
	size_t nlast, last_room;
	unsigned columns;		/* classes that a row may have, with class 0 */
	uint8_t *gap_funcs, *gap_nodes; /* by their numbers: untraced time */
	size_t nfuncs, gap_func_room, gap_node_room;
};

/* The index of a stream of stacks. */
struct writer_index {
	bool is_on, has_hits, has_sums;
	uint64_t header;       /* XXH64 of its chunk */
	struct tr_buffer body; /* entries */
	uint32_t nplaces, nharts;
	uint8_t *ran; /* by node: it has had a row */
	size_t ran_room;
	uint64_t instructions, cycles; /* before the frame */
	uint64_t starts[TR_MAX_HARTS], hit_cycles[TR_MAX_HARTS];
	struct writer_sums sums;
};

struct tr_writer {
	struct tr_chunk_writer *chunks;
	struct tr_buffer chunk; /* room for the head, then the payload */
	struct tr_buffer encoded[TR_ROW_COLUMNS]; /* encoded rows of one hart */
	int status;				  /* sticky: the first error */
	unsigned isa;				  /* stream/isa.h */
	uint8_t shapes[WRITER_SHAPES];		  /* instruction shapes */
	uint32_t commit_width;
	bool marks_breaks, infers_traps;
	bool has_marked_breaks; /* the source has marked breaks itself */
	struct tr_breaks breaks;
	struct tr_exits *exits; /* of the generation's blocks, if breaks are marked */
	size_t exits_room;
	struct tr_counters counters;
	struct tr_probe_names probes;

	struct tr_dictionary dictionary;
	struct tr_row_state rows;
	/* Definitions in this frame. */
	struct tr_buffer blocks[TR_BLOCK_COLUMNS], timings[TR_WIDE_TIMING_COLUMNS];
	struct tr_expected expected;
	uint64_t frames, generation, frame_tokens;
	uint64_t generation_start;		  /* instructions before the generation */
	uint64_t frame_events, frame_definitions; /* bytes */
	bool begins_generation, passed;
	struct writer_known known;
	struct writer_hart *harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct writer_stacks stacks;
	struct writer_index index;
	struct tr_accesses *accesses; /* NULL until there are addresses */

	uint64_t instructions, cycles;
};

/* Finds or creates a hart. Returns NULL when out of memory or when there are too many
 * harts. */
struct writer_hart *tr_writer_hart(struct tr_writer *writer, uint32_t hart);

/* Ends the draft, which has tokens, as a row. `tokens` points to its tokens if they are
 * still in memory and nothing but the tokens themselves ends the block, else it is NULL.
 * Returns a status. */
int tr_writer_end_block(struct tr_writer *writer, struct writer_hart *hart,
			const struct tr_commit *tokens);
/* Finds the timing's id, or defines the timing. Returns a status. */
int tr_writer_find_timing(struct tr_writer *writer, const struct tr_timing *timing,
			  uint32_t *id);
/* Counts the breaks that an event of the hart reports. */
void tr_writer_count_breaks(struct tr_writer *writer, uint32_t hart,
			    const struct tr_event *event);
/* Adds a BREAK event of the hart, before its next row, or behind it if events inside the
 * row have their places. */
void tr_writer_put_break(struct tr_writer *writer, struct writer_hart *hart,
			 const struct tr_break *broken);
/* With marks_breaks, marks the break before the row that is added next, if there is one.
 */
void tr_writer_check_row(struct tr_writer *writer, struct writer_hart *hart,
			 uint32_t block);
/* Adds a row; the caller has made room for it. `cycle` is the cycle of its last token. */
static inline void tr_hart_add_row(struct tr_writer *writer, struct writer_hart *hart,
				   struct tr_row_ids row, uint64_t tokens, uint64_t cycle)
{
	hart->cycle = cycle;
	hart->head.tokens += tokens;
	hart->rows[hart->head.nrows++] = row;
	hart->has_inner = false;
	writer->frame_tokens += tokens;
}
/* Appends a row; this may end the frame and begin a new generation. Returns a status. */
int tr_writer_put_row(struct tr_writer *writer, struct writer_hart *hart,
		      struct tr_row_ids row);
/* Adds a block to the cache. When there is no room for its tokens, the cache is emptied
 * first. */
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
/* Initialises writer->shapes. */
void tr_writer_init_shapes(struct tr_writer *writer);
/* Empties writer->chunk and reserves room for the head. */
void tr_writer_begin_chunk(struct tr_writer *writer);
/* Writes writer->chunk. Returns a status. */
int tr_writer_put_chunk(struct tr_writer *writer, enum tr_chunk_type type);
/* Return true if a reader would accept the argument (writer_rows.c). */
bool tr_writer_block_good(const struct tr_block *block);
bool tr_writer_timing_good(const struct tr_timing *timing, uint32_t commit_width);
bool tr_writer_event_good(const struct tr_event *event, uint32_t commit_width);
/* Places the held events: the next token is number `token` of the next row, which has
 * `tokens` tokens (0: it is not known). Returns a status. */
int tr_writer_place_held(struct tr_writer *writer, struct writer_hart *hart,
			 unsigned token, unsigned tokens);
/* Returns false for a sample or hit that does not match the header's counters or probes.
 */
bool tr_writer_named_good(const struct tr_writer *writer, const struct tr_event *event);
/* Ends the frame if it is full. Returns a status. */
int tr_writer_check_frame(struct tr_writer *writer, const struct writer_hart *hart);
void tr_writer_begin_generation(struct tr_writer *writer);
/* Rows after passed frames cannot use those frames' dictionary. */
static inline void tr_writer_leave_passing(struct tr_writer *writer)
{
	if (writer->passed)
		tr_writer_begin_generation(writer);
	writer->passed = false;
}
/* Checks that `cycle` is not before the hart's last sample or hit, and records it in
 * `*last`.
 * Returns false, and sets an error, if it is. */
bool tr_writer_sample_at(struct tr_writer *writer, uint64_t *last, uint64_t cycle);
/* writer_stacks.c: append text with its length. */
void tr_writer_put_string(struct tr_buffer *out, const char *text);
/* Ends the frame if the buffer has become too large. Returns the writer's status. */
int tr_writer_full(struct tr_writer *writer, const struct tr_buffer *buffer);
/* Marks that the buffer has something to write. Returns the writer's status. */
static inline int tr_writer_defined(struct tr_writer *writer,
				    const struct tr_buffer *buffer)
{
	writer->stacks.pending = true;
	return buffer->failed || buffer->size > writer->stacks.full_at
		   ? tr_writer_full(writer, buffer)
		   : writer->status;
}
/* writer_accesses.c: append the sections of addresses of the frame's rows, and free them.
 */
void tr_writer_put_addresses(struct tr_writer *writer);
void tr_writer_free_addresses(struct tr_writer *writer);
/* writer_spans.c: append the sections of counts by address, and free them. */
void tr_writer_put_spans(struct tr_writer *writer);
void tr_writer_free_spans(struct tr_writer *writer);
/* writer_index.c: the index begins, if the stream gets one; the header's chunk is
 * complete; a hart gets a row; a frame is complete, but not written; there is a place
 * before the next chunk; all is written; the memory is freed. Errors are the writer's. */
void tr_writer_index_open(struct tr_writer *writer, int fd,
			  const struct tr_header *header,
			  const struct tr_writer_options *options);
void tr_writer_index_header(struct tr_writer *writer);
void tr_writer_index_row(struct tr_writer *writer, struct writer_shart *hart,
			 const struct tr_srow *row);
void tr_writer_index_frame(struct tr_writer *writer);
void tr_writer_index_place(struct tr_writer *writer);
void tr_writer_index_end(struct tr_writer *writer);
void tr_writer_index_close(struct tr_writer *writer);
/* writer_sums.c: the index gets sums; a function or node is defined; a row comes; a frame
 * has been written; the memory is freed. Errors are the writer's. */
void tr_writer_sums_open(struct tr_writer *writer, const struct tr_header *header);
void tr_writer_sums_func(struct tr_writer *writer, const struct tr_func *func);
void tr_writer_sums_node(struct tr_writer *writer, uint32_t id,
			 const struct tr_node *node);
void tr_writer_sums_row(struct tr_writer *writer, uint32_t hart,
			const struct tr_srow *row, const struct tr_class_cycles *classes);
void tr_writer_sums_frame(struct tr_writer *writer);
void tr_writer_sums_close(struct tr_writer *writer);
/* Records the first error. Returns it. */
static inline int tr_writer_status(struct tr_writer *writer, int status)
{
	if (status < 0 && !writer->status)
		writer->status = status;
	return writer->status;
}

#endif
