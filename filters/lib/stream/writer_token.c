/* SPDX-License-Identifier: Apache-2.0 */
/* Puts blocks together from single tokens. */
#include "stream/writer_state.h"

#include <string.h>

#include "stream/reader.h"

/* Does the instruction end a block: branches, jal, jalr and their compressed
 * forms (unprivileged 2.5, 16.4)? */
static bool transfers_control(uint64_t bits, bool rv32)
{
	if ((bits & 3) == 3) {
		unsigned opcode = bits & 0x7f;
		return opcode == 0x63 || opcode == 0x67 || opcode == 0x6f;
	}
	unsigned funct3 = bits >> 13 & 7;
	if ((bits & 3) == 1)
		return funct3 >= 5 || (funct3 == 1 && rv32);
	return (bits & 3) == 2 && funct3 == 4 && (bits & 0x7c) == 0 && (bits & 0xf80);
}

static void add_stall(struct draft *draft, uint64_t cycles, const struct tr_run *runs,
		      unsigned nruns)
{
	draft->stalls[draft->nstalls++] = (struct tr_stall){.cycles = cycles,
							    .token = draft->tokens,
							    .first_run = draft->nruns,
							    .nruns = (uint16_t)nruns};
	if (nruns)
		memcpy(&draft->runs[draft->nruns], runs, nruns * sizeof(*runs));
	draft->nruns += nruns;
}

int tr_writer_cut(struct tr_writer *w, uint32_t number)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	struct draft *draft = &hart->draft;
	if (draft->tokens == 0)
		return w->status;
	struct tr_block block = {.pc = draft->pc,
				 .code = draft->code,
				 .tokens = draft->tokens,
				 .bytes = draft->bytes};
	struct tr_timing timing = {.stalls = draft->stalls,
				   .runs = draft->runs,
				   .nstalls = draft->nstalls,
				   .nruns = draft->nruns};
	uint32_t block_id, timing_id;
	tr_writer_block(w, &block, &block_id);
	tr_writer_timing(w, &timing, &timing_id);
	draft->tokens = draft->bytes = 0;
	draft->nstalls = draft->nruns = 0;
	if (w->status)
		return w->status;
	return tr_writer_row(w, number, block_id, timing_id);
}

int tr_writer_token(struct tr_writer *w, uint32_t number, uint64_t pc, uint64_t bits,
		    unsigned bytes, uint64_t cycles, const struct tr_run *runs,
		    unsigned nruns)
{
	struct writer_hart *hart = tr_writer_hart(w, number);
	if (!hart)
		return tr_writer_status(w, TR_E_NOMEM);
	if (bytes != tr_insn_length((unsigned)bits & 0xffff) || cycles >= TR_MAX_CYCLES ||
	    nruns > TR_TOKEN_MAX_RUNS || bytes == 0)
		return tr_writer_status(w, TR_E_ARGUMENT);
	struct draft *draft = &hart->draft;
	if (draft->tokens && (pc != draft->next_pc || draft->nruns + nruns > WRITER_RUNS))
		tr_writer_cut(w, number);
	if (draft->tokens == 0)
		draft->pc = pc;
	if (cycles != 1 || nruns)
		add_stall(draft, cycles, runs, nruns);
	for (unsigned i = 0; i < bytes; i++)
		draft->code[draft->bytes++] = (uint8_t)(bits >> 8 * i);
	draft->tokens++;
	draft->next_pc = pc + bytes;
	if (draft->tokens == TR_BLOCK_MAX_TOKENS || transfers_control(bits, w->rv32))
		return tr_writer_cut(w, number);
	return w->status;
}
