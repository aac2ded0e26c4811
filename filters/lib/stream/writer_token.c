/* SPDX-License-Identifier: Apache-2.0 */
/* Puts blocks together from single tokens. */
#include "stream/writer_state.h"

#include "base/little.h"
#include "stream/reader.h"

/* A shape is the length of an instruction and whether it ends a block. A reserved one,
 * of length 0, does, and the block is refused. Bits 6:0 and 15:13 tell, but for
 * c.ebreak. */
enum { SHAPE_BYTES = 15, SHAPE_ENDS = 16 };

static inline unsigned shape_index(uint64_t bits)
{
	return (unsigned)(bits & 0x7f) | (unsigned)(bits >> 6 & 0x380);
}

/* Branches, jal, jalr and their compressed forms (unprivileged 2.5, 16.4). */
static bool transfers_control(unsigned bits, bool rv32)
{
	if ((bits & 3) == 3) {
		unsigned opcode = bits & 0x7f;
		return opcode == 0x63 || opcode == 0x67 || opcode == 0x6f;
	}
	unsigned funct3 = bits >> 13 & 7;
	if ((bits & 3) == 1)
		return funct3 >= 5 || (funct3 == 1 && rv32);
	return (bits & 3) == 2 && funct3 == 4 && (bits & 0x7c) == 0;
}

/* Where c.jr and c.jalr have a register; reserved without. */
static inline bool is_ebreak(uint64_t bits)
{
	return (bits & 0xefff) == 0x8002;
}

void tr_writer_init_shapes(struct tr_writer *w)
{
	for (unsigned i = 0; i < WRITER_SHAPES; i++) {
		unsigned bits = (i & 0x7f) | (i & 0x380) << 6;
		unsigned bytes = tr_insn_length(bits);
		w->shapes[i] =
		    (uint8_t)(bytes |
			      (!bytes || transfers_control(bits, w->rv32) ? SHAPE_ENDS
									  : 0));
	}
}

/* False when the block has no room for the runs, or on an error. */
static bool add_stall(struct tr_writer *w, struct draft *draft, unsigned token,
		      uint64_t cycles, const struct tr_commit *t,
		      const struct tr_run *runs)
{
	struct tr_timing *timing = &draft->timing;
	if (cycles >= TR_MAX_CYCLES || t->nruns > TR_TOKEN_MAX_RUNS) {
		tr_writer_status(w, TR_E_ARGUMENT);
		return false;
	}
	if (t->nruns > WRITER_RUNS - timing->nruns)
		return false;
	draft->stalls[timing->nstalls++] = (struct tr_stall){.cycles = cycles,
							     .token = (uint16_t)token,
							     .first_run = timing->nruns,
							     .nruns = t->nruns};
	for (unsigned i = 0; i < t->nruns; i++)
		draft->runs[timing->nruns++] = runs[t->first_run + i];
	return true;
}

/* Adds tokens to the block up to one that ends it; returns how many. Fewer than
 * `count`: the next one is not of this block, or there was an error. */
static unsigned take(struct tr_writer *w, struct draft *draft,
		     const struct tr_commit *tokens, unsigned count,
		     const struct tr_run *runs)
{
	struct tr_block *block = &draft->block;
	unsigned size = block->bytes, room = TR_BLOCK_MAX_TOKENS - block->tokens;
	const struct tr_commit *t = tokens, *end = t + (count < room ? count : room);
	uint64_t pc = block->pc, now = draft->now;
	while (t < end) {
		uint64_t cycles = t->cycle - now;
		if (t->pc != pc + size)
			break;
		if ((cycles != 1 || t->nruns) &&
		    !add_stall(w, draft, block->tokens + (unsigned)(t - tokens), cycles,
			       t, runs))
			break;
		unsigned shape = w->shapes[shape_index(t->bits)];
		tr_store64(draft->code + size, t->bits);
		size += shape & SHAPE_BYTES;
		now += cycles;
		t++;
		if (shape & SHAPE_ENDS && !is_ebreak(t[-1].bits)) {
			draft->ended = true;
			break;
		}
	}
	unsigned n = (unsigned)(t - tokens);
	block->bytes = (uint16_t)size;
	block->tokens = (uint16_t)(block->tokens + n);
	draft->now = now;
	draft->ended |= n == room;
	return n;
}

static void put_tokens(struct tr_writer *w, struct writer_hart *hart,
		       const struct tr_commit *tokens, unsigned count,
		       const struct tr_run *runs)
{
	struct draft *draft = &hart->draft;
	while (count && !w->status) {
		if (draft->block.tokens == 0) {
			draft->block.pc = tokens->pc;
			draft->now = hart->cycle;
		}
		unsigned n = take(w, draft, tokens, count, runs);
		tokens += n;
		count -= n;
		if (!w->status && (count || draft->ended))
			tr_writer_end_block(w, hart);
	}
}

int tr_writer_tokens(struct tr_writer *w, uint32_t number, const struct tr_commit *tokens,
		     unsigned count, const struct tr_run *runs)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	put_tokens(w, hart, tokens, count, runs);
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
	uint64_t now = hart->draft.block.tokens ? hart->draft.now : hart->cycle;
	struct tr_commit token = {
	    .pc = pc, .cycle = now + cycles, .bits = bits, .nruns = (uint16_t)nruns};
	put_tokens(w, hart, &token, 1, runs);
	return w->status;
}
