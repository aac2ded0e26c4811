/* SPDX-License-Identifier: Apache-2.0 */
/* Rows and single tokens of the text form. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_encode.h"

enum { MAX_REPEAT = 1 << 26 };

struct text_stalls {
	struct tr_timing timing;
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_run runs[TR_BLOCK_MAX_TOKENS * TR_TOKEN_MAX_RUNS];
};

uint32_t tr_text_block_id(struct text_encoder *e, struct text_block *block)
{
	uint64_t generation = tr_writer_generation(e->writer);
	if (block->generation != generation)
		tr_line_status(e->source,
			       tr_writer_block(e->writer, &block->block, &block->id));
	block->generation = generation;
	return block->id;
}

static void take_stall(struct text_encoder *e, const char *word, unsigned tokens,
		       struct text_stalls *room)
{
	struct tr_timing *timing = &room->timing;
	char *end;
	unsigned nruns;
	unsigned long token = strtoul(word, &end, 10);
	unsigned next =
	    timing->nstalls ? room->stalls[timing->nstalls - 1].token + 1U : 0;
	if (*word < '0' || *word > '9' || *end != ':' || token >= tokens ||
	    token < next) {
		tr_line_fail(e->source,
			     "not the number of a later token, and cycles: "
			     "\"%.60s\"",
			     word);
		return;
	}
	struct tr_stall *stall = &room->stalls[timing->nstalls++];
	stall->token = (uint16_t)token;
	stall->first_run = timing->nruns;
	stall->cycles =
	    tr_line_cycles(e->source, end + 1, &room->runs[timing->nruns], &nruns);
	stall->nruns = (uint16_t)nruns;
	timing->nruns += nruns;
	timing->extra += (int64_t)stall->cycles - 1;
}

/* Parses "stall TOKEN:CYCLES …", which is optional and extends to the end of the line. */
static void take_row_stalls(struct text_encoder *e, unsigned tokens,
			    struct text_stalls *room)
{
	const char *word = tr_line_word(e->source);
	room->timing = (struct tr_timing){.stalls = room->stalls, .runs = room->runs};
	if (word && strcmp(word, "stall") != 0)
		tr_line_fail(e->source, "what is \"%.60s\" here?", word);
	while (word && !e->source->status && (word = tr_line_word(e->source)))
		take_stall(e, word, tokens, room);
}

static uint64_t take_repeat(struct text_encoder *e)
{
	const struct tr_text_line *line = e->source->line;
	if (line->count < 3 || line->words[2][0] != 'x')
		return 1;
	return tr_line_number(e->source, tr_line_word(e->source), "x", MAX_REPEAT);
}

/* Looks up the ids again after a row has started a new generation. */
static void write_text_rows(struct text_encoder *e, struct text_block *block,
			    const struct tr_timing *timing, uint64_t times)
{
	uint32_t hart = tr_text_hart(e)->number, id = 0;
	uint64_t generation = UINT64_MAX;
	int status = TR_OK;
	for (uint64_t i = 0; i < times && !status; i++) {
		uint32_t block_id = tr_text_block_id(e, block);
		if (generation != tr_writer_generation(e->writer))
			status = tr_writer_timing(e->writer, timing, &id);
		generation = tr_writer_generation(e->writer);
		if (!status)
			status = tr_writer_row(e->writer, hart, block_id, id);
	}
	tr_line_status(e->source, status);
}

void tr_text_take_row(struct text_encoder *e)
{
	if (!e->stalls)
		e->stalls = malloc(sizeof(*e->stalls)); /* too large for the stack */
	struct text_stalls *room = e->stalls;
	if (!room) {
		tr_line_status(e->source, TR_E_NOMEM);
		return;
	}
	const char *name = tr_line_want(e->source, "the name of the block");
	struct text_block *block = tr_text_find_block(e->source, &e->blocks, name);
	if (!block)
		return;
	uint64_t times = take_repeat(e);
	take_row_stalls(e, block->block.tokens, room);
	uint64_t cycles = block->block.tokens + (uint64_t)room->timing.extra;
	if (tr_line_done(e->source) == TR_OK)
		tr_text_add_cycles(e, cycles, times);
	if (!e->source->status)
		write_text_rows(e, block, &room->timing, times);
}

/* Without bits the writer cannot determine the end of a block, so each token is
 * a block. */
static void put_no_bits(struct text_encoder *e, uint64_t pc, unsigned bytes,
			uint64_t cycles, const struct tr_run *runs, unsigned nruns)
{
	uint8_t length = (uint8_t)bytes;
	struct tr_stall stall = {.cycles = cycles, .nruns = (uint16_t)nruns};
	struct text_block block = {.block = {.pc = pc,
					     .code = &length,
					     .tokens = 1,
					     .bytes = (uint16_t)bytes,
					     .no_bits = true},
				   .generation = UINT64_MAX};
	struct tr_timing timing = {.stalls = &stall,
				   .runs = runs,
				   .nstalls = cycles != 1 || nruns,
				   .nruns = nruns};
	write_text_rows(e, &block, &timing, 1);
}

/* Returns the cycles of a token that gives its commit time instead. */
static uint64_t cycles_until(struct text_encoder *e)
{
	uint64_t now = e->hart->cycle;
	uint64_t then = tr_line_u64(e->source, "cycle", TR_MAX_SUM, now + 1);
	if (then < now)
		tr_line_fail(e->source,
			     "cycle is %" PRIu64 " here already on hart %" PRIu32, now,
			     e->hart->number);
	else if (then - now >= TR_MAX_CYCLES)
		tr_line_fail(e->source, "too many cycles");
	return then - now;
}

void tr_text_take_token(struct text_encoder *e)
{
	struct tr_text_source *source = e->source;
	uint64_t bits;
	unsigned bytes, nruns = 0;
	bool no_bits;
	struct tr_run runs[TR_TOKEN_MAX_RUNS];
	const char *pc_word = tr_line_want(source, "the pc");
	uint64_t pc = tr_line_address(source, pc_word);
	tr_text_insn(source, tr_line_want(source, "the instruction"), &bits, &bytes,
		     &no_bits);
	const char *text = tr_line_value(source, "cycles");
	uint64_t number =
	    tr_line_u64(source, "hart", UINT32_MAX - 1, tr_text_hart(e)->number);
	if (source->status)
		return;
	tr_text_switch_hart(e, (uint32_t)number);
	uint64_t cycles =
	    text ? tr_line_cycles(source, text, runs, &nruns) : cycles_until(e);
	if (source->status)
		return;
	tr_text_add_cycles(e, cycles, 1);
	tr_text_check_hart(e);
	if (source->status)
		return;
	if (no_bits)
		put_no_bits(e, pc, bytes, cycles, runs, nruns);
	else
		tr_line_status(source, tr_writer_token(e->writer, (uint32_t)number, pc,
						       bits, bytes, cycles, runs, nruns));
}
