/* SPDX-License-Identifier: Apache-2.0 */
/* Assembles tokens into blocks, or finds recently executed blocks. */
#include "stream/writer_state.h"

#include "base/little.h"
#include "stream/decode.h"
#include "stream/insn.h"
#include "stream/reader.h"

/* The shape of an instruction: its length, and whether it ends a block. A reserved
 * encoding has length 0 and ends the block, which is then refused. Bits 6:0 and 15:13
 * determine the shape, except for c.ebreak and Zcmp. */
enum { SHAPE_BYTES = 15, SHAPE_ENDS = 16 };

static inline unsigned shape_index(uint64_t bits)
{
	return (unsigned)(bits & 0x7f) | (unsigned)(bits >> 6 & 0x380);
}

/* Returns true if c.fsdsp may be one of Zcmp and Zcmt: whoever writes a stream of RV32
 * rarely knows which. */
static bool may_have_zcm(unsigned isa)
{
	return isa & TR_ISA_ZCMP || (tr_isa_xlen(isa) == 32 && !tr_isa_tells_zcm(isa));
}

/* Returns true for branches, jal, jalr and their compressed forms (unprivileged 2.5,
 * 16.4), and for what may be cm.popret, cm.popretz, cm.jt or cm.jalt. */
static bool transfers_control(unsigned bits, unsigned isa)
{
	if ((bits & 3) == 3) {
		const unsigned opcode = tr_insn_opcode(bits);
		return opcode == TR_OPCODE_BRANCH || opcode == TR_OPCODE_JALR ||
		       opcode == TR_OPCODE_JAL;
	}
	unsigned funct3 = bits >> 13 & 7;
	if ((bits & 3) == 1)
		return funct3 >= 5 || (funct3 == 1 && tr_isa_xlen(isa) == 32);
	if ((bits & 3) != 2)
		return false;
	return (funct3 == 4 && (bits & 0x7c) == 0) || (funct3 == 5 && may_have_zcm(isa));
}

/* Returns true for an instruction that does not transfer control although its shape is
 * that of some that do: c.ebreak is encoded where c.jr and c.jalr have a register (0 is
 * reserved there), and much of Zcmp does not. */
static inline bool goes_on(uint64_t bits)
{
	const uint8_t code[] = {(uint8_t)bits, (uint8_t)(bits >> 8)};
	return (bits & 0xefff) == 0x8002 ||
	       ((bits & 0xe003) == 0xa002 && !tr_zcm_transfers(tr_decode_zcm(code, 2)));
}

void tr_writer_init_shapes(struct tr_writer *w)
{
	for (unsigned i = 0; i < WRITER_SHAPES; i++) {
		unsigned bits = (i & 0x7f) | (i & 0x380) << 6;
		unsigned bytes = tr_insn_length(bits);
		w->shapes[i] =
		    (uint8_t)(bytes |
			      (!bytes || transfers_control(bits, w->isa) ? SHAPE_ENDS
									 : 0));
	}
}

/* Adds a stall to the draft. Returns false when the block has no room for the runs, or on
 * an error. */
static inline bool add_stall(struct tr_writer *w, struct draft *draft, unsigned token,
			     const struct tr_stall *stall, const struct tr_run *runs)
{
	struct tr_timing *timing = &draft->timing;
	if (stall->cycles >= TR_MAX_CYCLES || stall->nruns > TR_TOKEN_MAX_RUNS) {
		tr_writer_status(w, TR_E_ARGUMENT);
		return false;
	}
	if (stall->nruns > WRITER_RUNS - timing->nruns)
		return false;
	draft->stalls[timing->nstalls++] = (struct tr_stall){.cycles = stall->cycles,
							     .token = (uint16_t)token,
							     .first_run = timing->nruns,
							     .nruns = stall->nruns};
	for (unsigned i = 0; i < stall->nruns; i++)
		draft->runs[timing->nruns++] = runs[stall->first_run + i];
	draft->timing.extra += (int64_t)stall->cycles - 1;
	return true;
}

/* The cache of blocks by address. Most executed code was executed recently. */

void tr_writer_forget(struct writer_known *known)
{
	memset(known->blocks, 0, sizeof(known->blocks));
	known->ntokens = 0;
}

static inline struct known_block *known_block_slot(struct writer_known *known,
						   uint64_t pc)
{
	return &known->blocks[pc / 2 % WRITER_KNOWN];
}

void tr_writer_know(struct writer_known *known, uint32_t block,
		    const struct tr_commit *tokens, unsigned count, uint32_t timing)
{
	if (count > WRITER_KNOWN_TOKENS - known->ntokens)
		tr_writer_forget(known);
	*known_block_slot(known, tokens->pc) = (struct known_block){
	    .block = block, .timing = timing, .first = known->ntokens, .count = count};
	memcpy(known->tokens + known->ntokens, tokens, count * sizeof(*tokens));
	known->ntokens += count;
}

static inline bool same_tokens(const struct tr_commit *a, const struct tr_commit *b,
			       unsigned count)
{
	_Static_assert(sizeof(*a) == sizeof(a->pc) + sizeof(a->bits), "padding");
	return memcmp(a, b, count * sizeof(*a)) == 0;
}

/* Returns true if the stalls of the batch's first `count` tokens are those of `timing`,
 * whose last is of one of these, and their runs follow each other. */
static inline bool same_stalls(const struct tr_timing *timing,
			       const struct tr_batch *batch, unsigned count)
{
	const unsigned n = timing->nstalls;
	if (n > batch->nstalls ||
	    (n < batch->nstalls && batch->stalls[n].token - batch->first < (int)count))
		return false;
	if (n == 0)
		return true;
	const uint32_t first_run = batch->stalls->first_run;
	for (unsigned i = 0; i < n; i++) {
		const struct tr_stall *a = &timing->stalls[i], *b = &batch->stalls[i];
		if (a->cycles != b->cycles || a->nruns != b->nruns ||
		    a->token != b->token - batch->first ||
		    a->first_run != b->first_run - first_run)
			return false;
	}
	return tr_same_runs(timing->runs, batch->runs + first_run, timing->nruns);
}

static inline unsigned count_stalls(const struct tr_batch *batch, unsigned count)
{
	unsigned n = 0;
	while (n < batch->nstalls && batch->stalls[n].token - batch->first < (int)count)
		n++;
	return n;
}

/* Finds the timing of the next tokens when it differs from the block's last one. Returns
 * false when the stalls do not fit one row, or on an error. */
static bool find_timing(struct tr_writer *w, struct draft *draft,
			const struct tr_batch *batch, unsigned nstalls, uint32_t *id)
{
	bool found = true;
	for (unsigned i = 0; i < nstalls && found; i++)
		found = add_stall(w, draft, batch->stalls[i].token - batch->first,
				  &batch->stalls[i], batch->runs);
	found = found && tr_writer_find_timing(w, &draft->timing, id) == TR_OK;
	tr_draft_clear(draft);
	return found;
}

/* Fast path of tr_writer_put_row(). Returns false, and does nothing, when the row may end
 * the frame or there is no room for it. */
static inline bool put_inner_row(struct tr_writer *w, struct writer_hart *hart,
				 const struct known_block *k)
{
	uint64_t tokens = k->count;
	uint64_t cycle = hart->cycle + tokens + (uint64_t)w->dictionary.extras[k->timing];
	if (hart->head.nrows == hart->row_room ||
	    w->frame_tokens + tokens >= TR_FRAME_TOKENS || cycle > INT64_MAX)
		return false;
	if (w->marks_breaks)
		tr_writer_check_row(w, hart, k->block);
	tr_hart_add_row(w, hart, (struct tr_row_ids){k->block, k->timing}, tokens, cycle);
	return true;
}

/* Fast path: appends rows while the tokens repeat cached blocks. */
static void take_known(struct tr_writer *w, struct writer_hart *hart,
		       struct tr_batch *batch)
{
	const struct tr_dictionary *d = &w->dictionary;
	while (batch->count && !w->status) {
		struct known_block *k = known_block_slot(&w->known, batch->tokens->pc);
		unsigned count = k->count, nstalls;
		if (count - 1 >= batch->count ||
		    !same_tokens(w->known.tokens + k->first, batch->tokens, count))
			return;
		const struct tr_timing *timing = &d->timings[k->timing];
		bool again = same_stalls(timing, batch, count);
		nstalls = again ? timing->nstalls : count_stalls(batch, count);
		if (!again && !find_timing(w, &hart->draft, batch, nstalls, &k->timing))
			return;
		if (!again || !put_inner_row(w, hart, k))
			tr_writer_put_row(w, hart,
					  (struct tr_row_ids){k->block, k->timing});
		tr_batch_skip(batch, count, nstalls);
	}
}

/* Moves tokens from the batch to the draft through the first one that ends the block. If
 * none does and tokens are left, either the next token does not belong to the block or an
 * error occurred. */
static void move_to_draft(struct tr_writer *w, struct draft *draft,
			  struct tr_batch *batch)
{
	struct tr_block *block = &draft->block;
	unsigned size = block->bytes, room = TR_BLOCK_MAX_TOKENS - block->tokens;
	unsigned most = batch->count < room ? batch->count : room, n = 0, stalls = 0;
	while (n < most && !draft->ended) {
		const struct tr_commit *t = &batch->tokens[n];
		const struct tr_stall *stall = &batch->stalls[stalls];
		if (t->pc != block->pc + size)
			break;
		if (stalls < batch->nstalls && stall->token == batch->first + n) {
			if (!add_stall(w, draft, block->tokens + n, stall, batch->runs))
				break;
			stalls++;
		}
		unsigned shape = w->shapes[shape_index(t->bits)];
		tr_store64(draft->code + size, t->bits);
		size += shape & SHAPE_BYTES;
		n++;
		draft->ended = shape & SHAPE_ENDS && !goes_on(t->bits);
	}
	block->bytes = (uint16_t)size;
	block->tokens = (uint16_t)(block->tokens + n);
	draft->ended |= n == room;
	tr_batch_skip(batch, n, stalls);
}

/* Returns whether the next token continues the draft. */
static bool continues_draft(const struct draft *draft, const struct tr_batch *batch)
{
	const struct tr_block *block = &draft->block;
	const struct tr_stall *stall = batch->stalls;
	bool stalls = batch->nstalls && stall->token == batch->first;
	return block->tokens && batch->tokens->pc == block->pc + block->bytes &&
	       !(stalls && stall->nruns > WRITER_RUNS - draft->timing.nruns);
}

/* Places the held events before the next token. */
static void place_held(struct tr_writer *w, struct writer_hart *hart,
		       const struct tr_batch *batch)
{
	if (hart->draft.block.tokens && !continues_draft(&hart->draft, batch))
		tr_writer_end_block(w, hart, NULL);
	unsigned token = hart->draft.block.tokens;
	tr_writer_place_held(w, hart, token, token + 1);
}

static void put_batch_tokens(struct tr_writer *w, struct writer_hart *hart,
			     struct tr_batch batch)
{
	struct draft *draft = &hart->draft;
	if (hart->nheld && batch.count)
		place_held(w, hart, &batch);
	while (batch.count && !w->status) {
		const struct tr_commit *first = NULL;
		if (draft->block.tokens == 0) {
			take_known(w, hart, &batch);
			if (!batch.count)
				break;
			first = batch.tokens;
			draft->block.pc = first->pc;
		}
		move_to_draft(w, draft, &batch);
		if (!w->status && (batch.count || draft->ended))
			tr_writer_end_block(w, hart, draft->ended ? first : NULL);
	}
}

int tr_writer_tokens(struct tr_writer *w, uint32_t number, const struct tr_batch *batch)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	put_batch_tokens(w, hart, *batch);
	return w->status;
}

int tr_writer_token(struct tr_writer *w, uint32_t number, uint64_t pc, uint64_t bits,
		    unsigned bytes, uint64_t cycles, const struct tr_run *runs,
		    unsigned nruns)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (bytes != tr_insn_length((unsigned)bits & 0xffff) || nruns > TR_TOKEN_MAX_RUNS)
		return tr_writer_status(w, TR_E_ARGUMENT);
	struct tr_commit token = {.pc = pc, .bits = bits};
	struct tr_stall stall = {.cycles = cycles, .nruns = (uint16_t)nruns};
	put_batch_tokens(w, hart,
			 (struct tr_batch){.tokens = &token,
					   .stalls = &stall,
					   .runs = runs,
					   .count = 1,
					   .nstalls = cycles != 1 || nruns});
	return w->status;
}
