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

bool tr_writer_add_stall(struct tr_writer *w, struct draft *draft, unsigned token,
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

/* Moves tokens from the batch to the block, up to one that ends it. If that has none and
 * tokens are left, the next is not of this block, or there was an error. */
static void take(struct tr_writer *w, struct draft *draft, struct tr_batch *batch)
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
			if (!tr_writer_add_stall(w, draft, block->tokens + n, stall,
						 batch->runs))
				break;
			stalls++;
		}
		unsigned shape = w->shapes[shape_index(t->bits)];
		tr_store64(draft->code + size, t->bits);
		size += shape & SHAPE_BYTES;
		n++;
		draft->ended = shape & SHAPE_ENDS && !is_ebreak(t->bits);
	}
	block->bytes = (uint16_t)size;
	block->tokens = (uint16_t)(block->tokens + n);
	draft->ended |= n == room;
	tr_batch_skip(batch, n, stalls);
}

static void put_tokens(struct tr_writer *w, struct writer_hart *hart,
		       struct tr_batch batch)
{
	struct draft *draft = &hart->draft;
	while (batch.count && !w->status) {
		const struct tr_commit *first = NULL;
		if (draft->block.tokens == 0) {
			tr_writer_take_known(w, hart, &batch);
			if (!batch.count)
				break;
			first = batch.tokens;
			draft->block.pc = first->pc;
		}
		take(w, draft, &batch);
		if (!w->status && (batch.count || draft->ended))
			tr_writer_end_block(w, hart, draft->ended ? first : NULL);
	}
}

int tr_writer_tokens(struct tr_writer *w, uint32_t number, const struct tr_batch *batch)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	put_tokens(w, hart, *batch);
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
	put_tokens(w, hart,
		   (struct tr_batch){.tokens = &token,
				     .stalls = &stall,
				     .runs = runs,
				     .count = 1,
				     .nstalls = cycles != 1 || nruns});
	return w->status;
}
