/* SPDX-License-Identifier: Apache-2.0 */
/* What a hart of a log has done, and what of it has reached the writer. For the files
 * that pass it on. */
#ifndef TR_IMPORT_HART_H
#define TR_IMPORT_HART_H

#include "import/import_order.h"
#include "import/import_state.h"
#include "stream/lengths.h"
#include "stream/runs.h"

/* Of an instruction without bits whose successor does not follow it */
enum { GUESSED_BYTES = 4 };

struct import_hart {
	uint32_t number, index;
	bool begun, written; /* the log has it; the stream has it */
	struct tr_context start;
	uint64_t start_cycle; /* before the first token */
	uint64_t released;    /* of what the stream has, with a limit */
	uint64_t cycle;	      /* of the last token, whether held or not */
	uint8_t priv;
	bool has_priv;	/* the log reports the privilege */
	bool has_lower; /* code outside M-mode has run */

	bool held;     /* `last` is not in the batch */
	bool in_order; /* put what it does into the order of time */
	struct tr_commit last;
	uint64_t last_cycles;
	bool last_bits;
	struct tr_runs last_lost, lost; /* slots, before `last`, and behind it */
	uint8_t writes;			/* WRITES_* */
	uint64_t sp, tp, satp;
	bool trapped;
	struct tr_event trap;

	/* Tokens for tr_writer_tokens() */
	struct tr_commit tokens[IMPORT_BATCH];
	struct tr_stall stalls[IMPORT_BATCH];
	struct tr_run runs[IMPORT_BATCH];
	uint32_t count, nstalls, nruns;

	struct tr_lengths plain; /* tokens without bits */
};

/* Keeps the first error. Returns true if there was none. */
static inline bool tr_import_wrote(struct tr_import *im, int status)
{
	if (status && !im->status)
		im->status = status;
	return !im->status;
}

/* Begin the hart in the stream, and pass its batch or block on. */
void tr_out_begin(struct tr_import *im, struct import_hart *h);
void tr_out_batch(struct tr_import *im, struct import_hart *h);
void tr_out_block(struct tr_import *im, struct import_hart *h);
/* Adds an event. */
void tr_out_event(struct tr_import *im, struct import_hart *h,
		  const struct tr_event *event);
/* Adds the cycles between what the hart did last and the limit. */
void tr_out_limit(struct tr_import *im, struct import_hart *h);

/* Returns the length of a token, of which the bits are not known, or not all; the next
 * one is not right behind it, unless it is longer than 4 bytes. */
unsigned tr_out_guess(uint64_t bits);

/* Adds a token without bits, whose successor is at `next`. */
static inline void tr_out_length(struct tr_import *im, struct import_hart *h,
				 const struct tr_commit *token, uint64_t next,
				 uint64_t cycles)
{
	if (h->count)
		tr_out_batch(im, h);
	uint64_t bytes = next - token->pc;
	bool follows = bytes == 2 || bytes == 4;
	if (!follows) {
		const unsigned guess = tr_out_guess(token->bits);
		follows = bytes == guess;
		bytes = guess;
	}
	if (!tr_lengths_fits(&h->plain, token->pc))
		tr_out_block(im, h);
	bool is_full = tr_lengths_add(&h->plain, token->pc, (unsigned)bytes, cycles);
	is_full |= tr_lengths_classify(&h->plain, h->last_lost.runs, h->last_lost.count);
	h->last_lost.count = 0;
	if (is_full || !follows)
		tr_out_block(im, h);
}

/* Adds a token with bits. */
static inline void tr_out_bits(struct tr_import *im, struct import_hart *h,
			       const struct tr_commit *token, uint64_t cycles)
{
	if (h->plain.count)
		tr_out_block(im, h);
	if (cycles != 1 || h->last_lost.count) {
		h->stalls[h->nstalls++] =
		    (struct tr_stall){.cycles = cycles,
				      .first_run = h->nruns,
				      .nruns = (uint16_t)h->last_lost.count,
				      .token = (uint16_t)h->count};
		h->nruns += tr_runs_move(&h->last_lost, h->runs + h->nruns);
	}
	h->tokens[h->count++] = *token;
	if (h->count == IMPORT_BATCH || h->nruns > IMPORT_BATCH - TR_TOKEN_MAX_RUNS)
		tr_out_batch(im, h);
}

#endif
