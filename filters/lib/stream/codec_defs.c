/* SPDX-License-Identifier: Apache-2.0 */
/* Definitions of blocks and of timings. */
#include "stream/codec.h"

#include "base/little.h"
#include "stream/reader.h"

void tr_encode_block(struct tr_buffer *out, const struct tr_block *block,
		     uint64_t *last_end)
{
	tr_buffer_varint(out, tr_zigzag(block->pc - *last_end));
	tr_buffer_varint(out, (uint64_t)(block->tokens - 1) << 1 | block->no_bits);
	tr_buffer_add(out, block->code, tr_block_code_size(block));
	*last_end = block->pc + block->bytes;
}

/* Bytes of `tokens` instructions at the front of `in`, 0 if they are not all
 * there or not RISC-V. */
static uint32_t code_size(const struct tr_bytes *in, unsigned tokens, bool no_bits)
{
	uint32_t size = 0;
	for (unsigned i = 0; i < tokens; i++) {
		size_t left = (size_t)(in->end - in->at) - (no_bits ? i : size);
		if (left < 2 && (left < 1 || !no_bits))
			return 0;
		unsigned n =
		    no_bits ? in->at[i] : tr_insn_length(tr_load16(in->at + size));
		if (n < 2 || n > TR_INSN_MAX_BYTES || n % 2 || (!no_bits && n > left))
			return 0;
		size += n;
	}
	return size;
}

int tr_decode_blocks(struct tr_bytes *in, struct tr_dictionary *dictionary)
{
	uint64_t last_end = 0;
	while (in->at != in->end) {
		struct tr_block block;
		block.pc = last_end + tr_unzigzag(tr_varint(in));
		uint64_t shape = tr_varint_below(in, TR_BLOCK_MAX_TOKENS << 1);
		block.tokens = (uint16_t)((shape >> 1) + 1);
		block.no_bits = shape & 1;
		uint32_t size = in->bad ? 0 : code_size(in, block.tokens, block.no_bits);
		if (size == 0)
			return TR_E_CORRUPT;
		block.bytes = (uint16_t)size;
		block.code = tr_bytes_take(in, tr_block_code_size(&block));
		last_end = block.pc + size;
		int status = tr_dictionary_add_block(dictionary, &block);
		if (status)
			return status;
		if (tr_dictionary_beyond(dictionary))
			return TR_E_CORRUPT;
	}
	return TR_OK;
}

void tr_encode_timing(struct tr_buffer *out, const struct tr_timing *timing)
{
	unsigned next = 0;
	tr_buffer_varint(out, timing->nstalls);
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		tr_buffer_varint(out, stall->token - next);
		tr_buffer_varint(out, stall->cycles);
		tr_buffer_varint(out, stall->nruns);
		for (unsigned j = 0; j < stall->nruns; j++) {
			const struct tr_run *run = &timing->runs[stall->first_run + j];
			tr_buffer_varint(out, run->class);
			tr_buffer_varint(out, run->slots);
		}
		next = stall->token + 1U;
	}
}

bool tr_runs_good(const struct tr_run *runs, unsigned count, uint64_t cycles,
		  uint32_t commit_width)
{
	uint64_t slots = 0;
	if (count > TR_TOKEN_MAX_RUNS || cycles >= TR_MAX_CYCLES)
		return false;
	for (unsigned i = 0; i < count; i++) {
		slots += runs[i].slots;
		if (runs[i].class >= TR_MAX_CLASSES || runs[i].slots == UINT32_MAX)
			return false;
	}
	return slots < (cycles + 1) * commit_width;
}

struct timing_room {
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_run runs[TR_BLOCK_MAX_TOKENS * TR_TOKEN_MAX_RUNS];
};

static void decode_stall(struct tr_bytes *in, struct timing_room *room,
			 struct tr_timing *timing, unsigned *next, uint32_t commit_width)
{
	struct tr_stall *stall = &room->stalls[timing->nstalls++];
	stall->token =
	    (uint16_t)(*next + tr_varint_below(in, TR_BLOCK_MAX_TOKENS - *next));
	*next = stall->token + 1U;
	stall->cycles = tr_varint_below(in, TR_MAX_CYCLES);
	stall->nruns = (uint16_t)tr_varint_below(in, TR_TOKEN_MAX_RUNS + 1);
	stall->first_run = timing->nruns;
	for (unsigned j = 0; j < stall->nruns; j++) {
		struct tr_run *run = &room->runs[timing->nruns++];
		run->class = (uint8_t)tr_varint_below(in, TR_MAX_CLASSES);
		run->slots = (uint32_t)tr_varint_below(in, UINT32_MAX);
	}
	if (!tr_runs_good(&room->runs[stall->first_run], stall->nruns, stall->cycles,
			  commit_width))
		in->bad = true;
}

int tr_decode_timings(struct tr_bytes *in, struct tr_dictionary *dictionary,
		      uint32_t commit_width)
{
	struct timing_room room;
	while (in->at != in->end) {
		struct tr_timing timing = {.stalls = room.stalls, .runs = room.runs};
		uint64_t n = tr_varint_below(in, TR_BLOCK_MAX_TOKENS + 1);
		unsigned next = 0;
		while (timing.nstalls < n && next < TR_BLOCK_MAX_TOKENS && !in->bad)
			decode_stall(in, &room, &timing, &next, commit_width);
		if (in->bad || n == 0 || timing.nstalls != n)
			return TR_E_CORRUPT;
		int status = tr_dictionary_add_timing(dictionary, &timing);
		if (status)
			return status;
		if (tr_dictionary_beyond(dictionary))
			return TR_E_CORRUPT;
	}
	return TR_OK;
}
