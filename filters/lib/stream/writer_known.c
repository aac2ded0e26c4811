/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of blocks by address: most of what runs has just run. */
#include "stream/writer_state.h"

void tr_writer_forget(struct writer_known *known)
{
	memset(known->blocks, 0, sizeof(known->blocks));
	known->ntokens = 0;
}

static inline struct known_block *place(struct writer_known *known, uint64_t pc)
{
	return &known->blocks[pc / 2 % WRITER_KNOWN];
}

void tr_writer_know(struct writer_known *known, uint32_t block,
		    const struct tr_commit *tokens, unsigned count, uint32_t timing)
{
	if (count > WRITER_KNOWN_TOKENS - known->ntokens)
		tr_writer_forget(known);
	*place(known, tokens->pc) = (struct known_block){
	    .block = block, .timing = timing, .first = known->ntokens, .count = count};
	memcpy(known->tokens + known->ntokens, tokens, count * sizeof(*tokens));
	known->ntokens += count;
}

static inline bool same_tokens(const struct tr_commit *a, const struct tr_commit *b,
			       unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (a[i].pc != b[i].pc || a[i].bits != b[i].bits)
			return false;
	return true;
}

/* Are they the stalls of the timing, for a block that begins with token `first`? */
static inline bool same_stalls(const struct tr_timing *timing,
			       const struct tr_batch *batch, unsigned nstalls)
{
	if (timing->nstalls != nstalls)
		return false;
	for (unsigned i = 0; i < nstalls; i++) {
		const struct tr_stall *a = &timing->stalls[i], *b = &batch->stalls[i];
		if (a->cycles != b->cycles || a->nruns != b->nruns ||
		    a->token != b->token - batch->first ||
		    !tr_same_runs(timing->runs + a->first_run, batch->runs + b->first_run,
				  a->nruns))
			return false;
	}
	return true;
}

static inline unsigned count_stalls(const struct tr_batch *batch, unsigned count)
{
	unsigned n = 0;
	while (n < batch->nstalls && batch->stalls[n].token - batch->first < (int)count)
		n++;
	return n;
}

/* The timing of the next tokens, when it is not the one that the block had last. False
 * when the stalls have no room in one row, or on an error. */
static bool find_timing(struct tr_writer *w, struct draft *draft,
			const struct tr_batch *batch, unsigned nstalls, uint32_t *id)
{
	bool found = true;
	for (unsigned i = 0; i < nstalls && found; i++)
		found =
		    tr_writer_add_stall(w, draft, batch->stalls[i].token - batch->first,
					&batch->stalls[i], batch->runs);
	found = found && tr_writer_find_timing(w, &draft->timing, id) == TR_OK;
	tr_draft_clear(draft);
	return found;
}

/* tr_writer_put_row() for most rows: false, and nothing done, when the row may end the
 * frame or there is no room for it. */
static inline bool put_inner_row(struct tr_writer *w, struct writer_hart *hart,
				 const struct known_block *k)
{
	uint64_t tokens = k->count;
	uint64_t cycle = hart->cycle + tokens + (uint64_t)w->dictionary.extras[k->timing];
	if (hart->head.nrows == hart->row_room ||
	    w->frame_tokens + tokens >= TR_FRAME_TOKENS || cycle > INT64_MAX)
		return false;
	tr_hart_add_row(w, hart, (struct tr_row_ids){k->block, k->timing}, tokens, cycle);
	return true;
}

void tr_writer_take_known(struct tr_writer *w, struct writer_hart *hart,
			  struct tr_batch *batch)
{
	const struct tr_dictionary *d = &w->dictionary;
	while (batch->count && !w->status) {
		struct known_block *k = place(&w->known, batch->tokens->pc);
		unsigned count = k->count, nstalls;
		if (count - 1 >= batch->count ||
		    !same_tokens(w->known.tokens + k->first, batch->tokens, count))
			return;
		nstalls = count_stalls(batch, count);
		bool again = same_stalls(&d->timings[k->timing], batch, nstalls);
		if (!again && !find_timing(w, &hart->draft, batch, nstalls, &k->timing))
			return;
		if (!again || !put_inner_row(w, hart, k))
			tr_writer_put_row(w, hart,
					  (struct tr_row_ids){k->block, k->timing});
		tr_batch_skip(batch, count, nstalls);
	}
}
