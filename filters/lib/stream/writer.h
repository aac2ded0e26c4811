/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a trace stream, plain or zstd, to a file or a pipe.
 *
 * Sources (simulators) call tr_writer_tokens() and tr_writer_event(); filters write rows
 * or pass whole frames. Calls for one hart come in order of time; tokens and events of
 * all harts come in order of their cycle.
 *
 * Functions that return a status return TR_OK, TR_E_NOMEM, TR_E_IO (errno is set; EPIPE
 * for a closed pipe) or TR_E_ARGUMENT; after an error all later calls return the same
 * error. Runs that lose more slots than their cycles have, at the header's commit_width,
 * are TR_E_ARGUMENT. */
#ifndef TR_WRITER_H
#define TR_WRITER_H

#include "base/status.h"
#include "stream/header.h"
#include "stream/reader.h"
#include "stream/stream.h"

struct tr_buffer;
struct tr_link;
struct tr_writer;

struct tr_writer_options {
	int level;	  /* zstd level 1 to 19; 0 is plain */
	unsigned group;	  /* frames in a zstd frame, 1 to TR_MAX_GROUP; 0 is 1 */
	bool has_index;	  /* a compressed file of stacks gets one (stacks_index.h) */
	unsigned threads; /* 2 to 64: compress in as many background threads */
	/* Add a BREAK event wherever a row cannot follow the one before: for a source,
	 * not for a filter, whose input has them already. */
	bool marks_breaks;
	struct tr_link *link; /* write to it, and to no file; remains the caller's */
};

/* Writes the header to `fd`, which remains the caller's to close. Returns a status. */
int tr_writer_open(struct tr_writer **writer, int fd, const struct tr_header *header,
		   const struct tr_writer_options *options);

/* Sets the initial state of a hart, before its first token. The default is cycle 0 in
 * M-mode with satp 0. Returns a status. */
int tr_writer_begin(struct tr_writer *, uint32_t hart, uint64_t cycle,
		    const struct tr_context *context);

/* Appends tokens. The cycles of a stall count from the hart's previous token, trap or
 * gap. Returns a status. */
int tr_writer_tokens(struct tr_writer *, uint32_t hart, const struct tr_batch *batch);
/* Appends one token. `bits` holds the instruction of `bytes` (2, 4, 6 or 8) bytes, the
 * length that its low bits encode. `cycles` counts from the hart's previous token, trap
 * or gap; `runs` (may be NULL) classifies the slots lost among them. Returns a status. */
int tr_writer_token(struct tr_writer *, uint32_t hart, uint64_t pc, uint64_t bits,
		    unsigned bytes, uint64_t cycles, const struct tr_run *runs,
		    unsigned nruns);

/* Appends an event after the last token; the writer sets its row. It ends the block,
 * unless it is of a kind that is about the next token (MMIO_LOAD, CSR_READ, ATOMIC,
 * PROBE): then event->token is 0, or before tr_writer_row() the number of its token in
 * that row. All that it points to is copied. Returns a status. */
int tr_writer_event(struct tr_writer *, uint32_t hart, const struct tr_event *event);

/* Ends the current frame at the last row or event. Returns a status. */
int tr_writer_flush(struct tr_writer *);

/* Ends the current block, so that the next token begins a row. Returns a status. */
int tr_writer_cut(struct tr_writer *, uint32_t hart);

/* Fast path: append whole rows. Ids are valid while tr_writer_generation() is unchanged;
 * a call that adds a row, a token or an event may change it. Timing id 0 is one cycle per
 * token. The caller must end blocks as stream.h specifies. tr_writer_generation() returns
 * the current generation; the others return a status. */
uint64_t tr_writer_generation(const struct tr_writer *);
int tr_writer_block(struct tr_writer *, const struct tr_block *block, uint32_t *id);
int tr_writer_timing(struct tr_writer *, const struct tr_timing *timing, uint32_t *id);
int tr_writer_row(struct tr_writer *, uint32_t hart, uint32_t block, uint32_t timing);

/* Gives the addresses of all accesses of the row that is added next, `count` of them
 * (stream/accesses.h). Returns a status. */
struct tr_accessed;
int tr_writer_addresses(struct tr_writer *, uint32_t hart,
			const struct tr_accessed *addresses, unsigned count);

/* Copies a frame from a reader: rows and definitions unchanged, events and notes as given
 * (`events[i]` and `nevents[i]` for the i-th hart of the frame). Contexts are recomputed
 * from the events. Must not be mixed with the calls above. */
struct tr_pass {
	struct tr_payload payload;
	const struct tr_event *const *events;
	const uint32_t *nevents;
	const struct tr_note *notes;
	uint32_t nharts;
	uint32_t nnotes;
	/* Sections of tr_accesses_encode() instead of the frame's; NULL: the frame's. */
	const struct tr_buffer *accesses;
};
/* Copies a frame. Returns a status. */
int tr_writer_pass(struct tr_writer *, const struct tr_pass *pass);

/* Stacks: definitions get ids 0, 1, 2, … in order of the calls (nodes from 1; node 0 is
 * the root); srows come in order of time for each hart. tr_writer_stacks_flush() ends an
 * sframe. A hart begins at cycle 0 unless tr_writer_stacks_begin() is called before its
 * first srow. All return a status. */
int tr_writer_stacks_begin(struct tr_writer *, uint32_t hart, uint64_t cycle);
int tr_writer_func(struct tr_writer *, const struct tr_func *func);
int tr_writer_node(struct tr_writer *, const struct tr_node *node);
int tr_writer_thread(struct tr_writer *, const struct tr_thread *thread);
/* Sets the context of the hart's following srows; `first_row` is ignored. A stream has
 * contexts from before its first srow on, or none. Returns a status. */
int tr_writer_scontext(struct tr_writer *, uint32_t hart,
		       const struct tr_scontext *context);
/* Appends a row of stacks. Returns a status. */
int tr_writer_srow(struct tr_writer *, uint32_t hart, const struct tr_srow *row,
		   const struct tr_class_cycles *classes);
/* Defines the next task, or gives an earlier one another name. Returns a status. */
int tr_writer_task(struct tr_writer *, const struct tr_stask *task);
/* Appends which task a defined thread, or a process, is. Returns a status. */
int tr_writer_task_use(struct tr_writer *, const struct tr_stask_use *use);
/* Gives a defined thread another name. Returns a status. */
int tr_writer_thread_name(struct tr_writer *, const struct tr_sname *name);
/* Gives a defined thread the tp that it has had all the time. Returns a status. */
int tr_writer_thread_tp(struct tr_writer *, const struct tr_stp *tp);
/* Appends a sample of the header's counters, in order of its cycle, which may lie beyond
 * the rows so far. Returns a status. */
int tr_writer_sample(struct tr_writer *, uint32_t hart, const struct tr_sample *sample);
/* Appends a hit of one of the header's probes, in order of its cycle, which may lie
 * beyond the rows so far. Returns a status. */
int tr_writer_hit(struct tr_writer *, uint32_t hart, const struct tr_hit *hit);
/* Ends the current sframe. Returns a status. */
int tr_writer_stacks_flush(struct tr_writer *);

/* Returns the number of frames written so far, which is the number of the current
 * frame. */
uint64_t tr_writer_frames(const struct tr_writer *);
/* Return the totals so far over all harts. */
uint64_t tr_writer_instructions(const struct tr_writer *);
uint64_t tr_writer_cycles(const struct tr_writer *);

/* Breaks: see continuity.h. */
struct tr_breaks {
	uint64_t count;	       /* over all harts */
	struct tr_break first; /* if there is one */
	uint32_t hart;	       /* of the first */
};
/* Returns the breaks in the stream so far, marked by the writer or passed to it; after
 * tr_writer_end() all of them. */
struct tr_breaks tr_writer_breaks(const struct tr_writer *);

/* Writes everything so far without an end record, for truncated input. Returns a
 * status. */
int tr_writer_drain(struct tr_writer *);
/* Flushes and writes the end record: `end` ("end" tells how the run ended; other keys are
 * optional) and the totals. Returns a status. */
int tr_writer_end(struct tr_writer *, const struct tr_header *end);
/* Frees the writer. Without tr_writer_end() the stream is truncated, and readers report
 * it. */
void tr_writer_close(struct tr_writer *);

#endif
