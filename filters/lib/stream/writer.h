/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a trace stream, plain or zstd, to a file or a pipe.
 *
 * Sources (simulators) call tr_writer_tokens and tr_writer_event; filters write
 * rows or pass frames through. For each hart calls come in order of time, and
 * over all harts tokens and events come in order of their cycle. Every call
 * returns TR_OK, TR_E_NOMEM, TR_E_IO (errno is set; also a closed pipe, EPIPE),
 * or TR_E_ARGUMENT; after an error each later call repeats it. Runs that lose more
 * slots than there are in their cycles, at the header's commit_width, are such an
 * error.
 */
#ifndef TR_WRITER_H
#define TR_WRITER_H

#include "base/status.h"
#include "stream/header.h"
#include "stream/reader.h"
#include "stream/stream.h"

struct tr_writer;

struct tr_writer_options {
	int level;	  /* of zstd, 1 to 19; 0 is plain */
	unsigned threads; /* 2 or more compress in the background */
};

/* Writes the header to `fd`, which the writer does not close. */
int tr_writer_open(struct tr_writer **writer, int fd, const struct tr_header *header,
		   const struct tr_writer_options *options);

/* Where hart `hart` begins; before its first token. Without the call a hart
 * begins at cycle 0 in M-mode with satp 0. */
int tr_writer_begin(struct tr_writer *, uint32_t hart, uint64_t cycle,
		    const struct tr_context *context);

/* The cycles of a stall are since the hart's previous token, trap or gap. */
int tr_writer_tokens(struct tr_writer *, uint32_t hart, const struct tr_batch *batch);
/* One: `bits` holds `bytes` (2, 4, 6, 8) bytes of it, its length as its low bits say.
 * `cycles` since the hart's previous token, trap or gap; `runs` (may be NULL) tells the
 * classes of the slots lost among them. */
int tr_writer_token(struct tr_writer *, uint32_t hart, uint64_t pc, uint64_t bits,
		    unsigned bytes, uint64_t cycles, const struct tr_run *runs,
		    unsigned nruns);

/* An event after the last token; it ends the block, and the writer sets row and
 * token itself. What it points to is copied. */
int tr_writer_event(struct tr_writer *, uint32_t hart, const struct tr_event *event);

/* Ends the frame under construction, at the last row or event. */
int tr_writer_flush(struct tr_writer *);

/* Ends the block under construction, so that the next token begins a row. */
int tr_writer_cut(struct tr_writer *, uint32_t hart);

/* The faster door, a row at a time. Ids hold while tr_writer_generation() keeps
 * its value; calls that add a row, a token or an event may change it at their end.
 * Timing id 0 is: each token one cycle. The caller ends blocks as stream.h says. */
uint64_t tr_writer_generation(const struct tr_writer *);
int tr_writer_block(struct tr_writer *, const struct tr_block *block, uint32_t *id);
int tr_writer_timing(struct tr_writer *, const struct tr_timing *timing, uint32_t *id);
int tr_writer_row(struct tr_writer *, uint32_t hart, uint32_t block, uint32_t timing);

/* Copies a frame of a reader: rows and definitions as they stand, events and
 * notes as given (`events[i]`, `nevents[i]` for the i-th hart of the frame).
 * Contexts are made anew from the events. Not to be mixed with the calls
 * above. */
struct tr_pass {
	struct tr_payload payload;
	const struct tr_event *const *events;
	const uint32_t *nevents;
	const struct tr_note *notes;
	uint32_t nharts;
	uint32_t nnotes;
};
int tr_writer_pass(struct tr_writer *, const struct tr_pass *pass);

/* Stacks: definitions get ids 0, 1, 2, … in order of the calls (nodes from 1;
 * node 0 is the root), srows follow in order of time for each hart.
 * tr_writer_stacks_flush ends an sframe. A hart begins at cycle 0 unless
 * tr_writer_stacks_begin says otherwise before its first srow. */
int tr_writer_stacks_begin(struct tr_writer *, uint32_t hart, uint64_t cycle);
int tr_writer_func(struct tr_writer *, const struct tr_func *func);
int tr_writer_node(struct tr_writer *, const struct tr_node *node);
int tr_writer_thread(struct tr_writer *, const struct tr_thread *thread);
/* Who runs in the hart's srows from here on (`first_row` does not matter); to be told
 * before the first srow of the stream, or never. */
int tr_writer_scontext(struct tr_writer *, uint32_t hart,
		       const struct tr_scontext *context);
int tr_writer_srow(struct tr_writer *, uint32_t hart, const struct tr_srow *row,
		   const struct tr_class_cycles *classes);
/* A sample of the header's counters, in order of its cycle; it may be beyond the
 * rows so far. */
int tr_writer_sample(struct tr_writer *, uint32_t hart, const struct tr_sample *sample);
int tr_writer_stacks_flush(struct tr_writer *);

/* Frames written so far: the number of the one under construction. */
uint64_t tr_writer_frames(const struct tr_writer *);
/* Totals so far, over all harts. */
uint64_t tr_writer_instructions(const struct tr_writer *);
uint64_t tr_writer_cycles(const struct tr_writer *);

/* Writes what is there so far and no end record: for an input that broke off. */
int tr_writer_drain(struct tr_writer *);
/* Flushes and writes the end record: `end` ("end" says how the run ended, other
 * keys as wanted) with the totals added. */
int tr_writer_end(struct tr_writer *, const struct tr_header *end);
/* Frees; a stream without tr_writer_end is truncated, and readers say so. */
void tr_writer_close(struct tr_writer *);

#endif
