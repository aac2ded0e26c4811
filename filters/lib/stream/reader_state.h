/* SPDX-License-Identifier: Apache-2.0 */
/* Internal state of the reader, shared by reader*.c. */
#ifndef TR_READER_STATE_H
#define TR_READER_STATE_H

#include "stream/decode_ahead.h"
#include "stream/chunk.h"
#include "stream/codec.h"
#include "stream/frame_state.h"
#include "stream/reader.h"
#include "stream/spans.h"

struct reader_hart {
	struct tr_context context;
	uint64_t cycle;
	uint32_t hart;
	uint32_t owner; /* owner of the next row: block id + 1 */
	struct tr_event_state events_from;
	uint64_t sample_cycle; /* cycle of the last counter sample */
};

struct reader_totals {
	uint64_t tokens, cycles, rows, frames;
};

/* Counts by address. */
struct reader_spans {
	struct tr_scope *scopes; /* from 1 */
	struct tr_span *spans;
	struct tr_spot *spots;
	uint32_t *sites; /* by node */
	struct tr_span_count *counts;
	struct tr_span_stall *stalls;
	struct tr_branch *branches;
	size_t nscopes, scope_room, nspans, span_room, nspots, spot_room;
	size_t nsites, site_room, ncounts, count_room, nstalls, stall_room;
	size_t nbranches, branch_room;
	size_t nodes_before; /* last node before this frame */
};

struct reader_stacks {
	struct tr_func *funcs;
	struct tr_node *nodes;
	struct tr_thread *threads;
	size_t nfuncs, func_room, nnodes, node_room, nthreads, thread_room;
	struct tr_arena names;

	struct tr_shart harts[TR_MAX_HARTS];
	struct tr_srow *rows[TR_MAX_HARTS];
	struct tr_class_cycles *classes[TR_MAX_HARTS];
	struct tr_scontext *contexts[TR_MAX_HARTS];
	size_t row_room[TR_MAX_HARTS], class_room[TR_MAX_HARTS];
	size_t context_room[TR_MAX_HARTS];
	struct tr_sample *samples[TR_MAX_HARTS];
	size_t sample_room[TR_MAX_HARTS];
	struct tr_samples last[TR_MAX_HARTS]; /* of each hart, and its cycle */
	uint64_t sample_cycle[TR_MAX_HARTS];
	struct tr_hit *hits[TR_MAX_HARTS];
	size_t hit_room[TR_MAX_HARTS];
	uint64_t hit_cycle[TR_MAX_HARTS];
	bool has_samples, has_hits; /* in this frame */
	struct tr_stask *tasks;	    /* of this frame */
	struct tr_stask_use *uses;  /* of this frame */
	struct tr_sname *renames;   /* of this frame */
	struct tr_stp *tps;	    /* the same */
	size_t task_room, use_room, name_room, tp_room;
	uint32_t ntasks;	      /* in the stream */
	uint64_t cycle[TR_MAX_HARTS]; /* where the hart's next frame must begin */
	uint32_t nharts;
	bool is_summary; /* the frame is one of the index, with definitions */
	struct tr_sframe frame;
	struct reader_spans spans;
};

struct tr_reader {
	struct tr_chunk_reader *chunks;
	struct tr_chunk chunk; /* current chunk */
	struct tr_header *header, *end;
	char *path;
	char *message;
	int status; /* sticky: the first failure, or TR_END */

	uint32_t commit_width;
	struct tr_counters counters;
	struct tr_probe_names probes;
	struct tr_dictionary dictionary;
	struct tr_row_state rows;
	uint64_t generation;
	struct reader_hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct reader_totals totals;

	struct tr_frame_head head;
	struct tr_frame_pool *pool;
	struct frame_cell *cell; /* being decoded */

	bool is_ahead;		       /* the caller wants that */
	struct tr_decode_ahead *ahead; /* it has all of the above, unless it is NULL */

	/* The caller's frame of rows, or NULL, and the view of it or of the dictionary.
	 */
	struct frame_cell *current;
	struct tr_view view;

	uint64_t header_hash;	     /* XXH64 of its chunk */
	struct tr_reader_seek *seek; /* NULL: the whole stream is read */
	struct tr_arena runs;	     /* names and values of the frame of stacks */
	struct reader_stacks stacks;
};

/* Records the status and the message "PATH: record N, byte N: reason". Returns the
 * status. */
int tr_reader_fail(struct tr_reader *reader, int status, const char *reason);
/* reader_stacks.c: reads a string, which lives as long as the reader. Returns NULL if it
 * is damaged. */
const char *tr_reader_string(struct tr_reader *reader, struct tr_bytes *in);
/* Takes the classes of a row of stacks, or of a sum of rows, which are at most `left`
 * cycles, or slots. Returns a status. */
int tr_reader_take_classes(struct tr_reader *r, struct tr_bytes *in, uint32_t h,
			   struct tr_srow *row, size_t *used, uint64_t left);
/* reader_spans.c: begins a frame; reads a section of counts by address (returns a
 * status); frees them. */
void tr_reader_begin_spans(struct tr_reader *reader);
int tr_reader_take_spans(struct tr_reader *reader, unsigned kind, struct tr_bytes *in);
void tr_reader_free_spans(struct tr_reader *reader);
/* reader_index.c: what the next frame is: the chunk that is read next; one of the index
 * with definitions, which is the current chunk; or the current frame, of sums. */
enum tr_seek_frame { TR_SEEK_CHUNK, TR_SEEK_DEFINITIONS, TR_SEEK_SECTION };
/* Goes to the next frame. Returns a status. */
int tr_reader_seek_frame(struct tr_reader *reader, enum tr_seek_frame *kind);
void tr_reader_free_index(struct tr_reader *reader);
/* Reads the next chunk, which must be of `type` or the end record. Returns TR_OK, TR_END
 * or an error. */
int tr_reader_chunk(struct tr_reader *reader, enum tr_chunk_type type);
/* Decodes the next frame of rows, to which the caller gets a reference. Returns TR_OK,
 * TR_END or an error. */
int tr_reader_decode(struct tr_reader *reader, struct frame_cell **cell);
/* Drops the current frame of rows. */
void tr_reader_drop_frame(struct tr_reader *reader);
/* Finds or adds the state of a hart. Returns NULL when there are too many harts. */
struct reader_hart *tr_reader_hart(struct tr_reader *reader, uint32_t hart);

#endif
