/* SPDX-License-Identifier: Apache-2.0 */
/* Copies rows and events to a part, and adds what keeps it valid at its gaps. */
#include "stream/part.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "stream/accesses.h"
#include "stream/codec.h"
#include "stream/writer.h"
#include "stream/xlen.h"

struct part_hart {
	struct tr_context context;
	uint64_t cycle, tokens; /* position in the source up to which this part is
				 * complete */
	uint64_t regs[TR_PART_REGS];
	uint32_t hart, known;
};

/* Maps ids of the reader to ids of the writer + 1; 0 is unknown. */
struct id_memo {
	uint32_t *ids;
	size_t count, room;
};

struct tr_part {
	struct tr_writer *writer;
	struct part_hart *harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct id_memo blocks, timings;
	uint64_t read_generation, write_generation;
	bool busy; /* it has rows in its current frame */
};

void tr_part_source_begin(struct tr_part_source *source, const struct tr_hart_frame *hart,
			  unsigned xlen)
{
	*source = (struct tr_part_source){.start = hart->start,
					  .context = hart->start,
					  .start_cycle = hart->start_cycle,
					  .cycle = hart->start_cycle,
					  .hart = hart->hart,
					  .xlen = xlen};
}

void tr_part_source_event(struct tr_part_source *source, const struct tr_event *event)
{
	tr_context_apply(&source->context, event);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		source->cycle += event->cycles;
	if (event->kind == TR_EV_GAP)
		source->tokens += event->u.gap.tokens;
	if (event->kind == TR_EV_REG) {
		source->regs[event->u.reg.reg] = event->u.reg.value;
		source->known |= UINT32_C(1) << event->u.reg.reg;
	}
}

void tr_part_source_rows(struct tr_part_source *source, const struct tr_part_rows *rows)
{
	source->cycle += rows->cycles;
	source->tokens += rows->tokens;
	source->regs[TR_REG_SP] =
	    tr_xlen_wrap(source->xlen, source->regs[TR_REG_SP] + rows->sp);
}

struct tr_part *tr_part_new(struct tr_writer *writer)
{
	struct tr_part *part = calloc(1, sizeof(*part));
	if (part)
		*part = (struct tr_part){.writer = writer, .read_generation = UINT64_MAX};
	return part;
}

void tr_part_free(struct tr_part *part)
{
	if (!part)
		return;
	for (uint32_t i = 0; i < part->nharts; i++)
		free(part->harts[i]);
	free(part->blocks.ids);
	free(part->timings.ids);
	free(part);
}

static int begin_part_hart(struct tr_part *part, const struct tr_part_source *source,
			   struct part_hart **found)
{
	struct part_hart *hart = calloc(1, sizeof(*hart));
	if (!hart)
		return TR_E_NOMEM;
	hart->hart = source->hart;
	hart->context = source->start;
	hart->cycle = source->start_cycle;
	*found = part->harts[part->nharts++] = hart;
	return tr_writer_begin(part->writer, hart->hart, hart->cycle, &hart->context);
}

static int find_part_hart(struct tr_part *part, const struct tr_part_source *source,
			  struct part_hart **found)
{
	for (uint32_t i = 0; i < part->nharts; i++) {
		*found = part->harts[i];
		if (part->harts[i]->hart == source->hart)
			return TR_OK;
	}
	return begin_part_hart(part, source, found);
}

/* Adds a gap for what the part lacks, up to `cycle` of the source. Returns a status. */
static int write_gap_event(struct tr_part *part, struct part_hart *hart,
			   const struct tr_part_source *source, uint64_t cycle)
{
	int status = TR_OK;
	uint64_t left = cycle - hart->cycle;
	struct tr_event gap = {
	    .kind = TR_EV_GAP,
	    .u.gap = {.tokens = source->tokens - hart->tokens, .reason = TR_GAP_SPLIT}};
	while (!status && (left || gap.u.gap.tokens)) {
		gap.cycles = left < TR_MAX_CYCLES ? left : TR_MAX_CYCLES - 1;
		status = tr_writer_event(part->writer, hart->hart, &gap);
		left -= gap.cycles;
		gap.u.gap.tokens = 0;
	}
	hart->cycle = cycle;
	hart->tokens = source->tokens;
	return status;
}

/* Adds a gap of no cycles, for slots left over in the last one. Returns a status. */
static int write_slot_gap(struct tr_part *part, const struct part_hart *hart)
{
	const struct tr_event gap = {.kind = TR_EV_GAP,
				     .u.gap = {.reason = TR_GAP_SPLIT}};
	return tr_writer_event(part->writer, hart->hart, &gap);
}

static int write_part_event(struct tr_part *part, struct part_hart *hart,
			    const struct tr_event *event)
{
	tr_context_apply(&hart->context, event);
	return tr_writer_event(part->writer, hart->hart, event);
}

static int write_register_events(struct tr_part *part, struct part_hart *hart,
				 const struct tr_part_source *source)
{
	int status = TR_OK;
	for (unsigned i = 0; i < TR_PART_REGS && !status; i++) {
		uint32_t bit = UINT32_C(1) << i;
		if (!(source->known & bit) ||
		    ((hart->known & bit) && hart->regs[i] == source->regs[i]))
			continue;
		struct tr_event event = {
		    .kind = TR_EV_REG,
		    .u.reg = {.value = source->regs[i], .reg = (uint8_t)i}};
		status = write_part_event(part, hart, &event);
		hart->regs[i] = source->regs[i];
	}
	hart->known |= source->known;
	return status;
}

/* Skipped events may have changed the context: writes an event with the last value of
 * each changed part. Returns a status. */
static int write_context_events(struct tr_part *part, struct part_hart *hart,
				const struct tr_part_source *source)
{
	const struct tr_context *to = &source->context;
	int status = TR_OK;
	if (hart->context.priv != to->priv) {
		struct tr_event event = {.kind = TR_EV_PRIV, .u.priv.priv = to->priv};
		status = write_part_event(part, hart, &event);
	}
	if (!status && hart->context.hgatp != to->hgatp) {
		struct tr_event event = {.kind = TR_EV_HGATP, .u.hgatp.hgatp = to->hgatp};
		status = write_part_event(part, hart, &event);
	}
	if (!status && hart->context.satp != to->satp) {
		struct tr_event event = {.kind = TR_EV_SATP,
					 .u.satp = {to->satp, to->space}};
		status = write_part_event(part, hart, &event);
	}
	if (!status && hart->context.space != to->space) {
		struct tr_event event = {.kind = TR_EV_SPACE, .u.space.space = to->space};
		status = write_part_event(part, hart, &event);
	}
	return status ? status : write_register_events(part, hart, source);
}

/* Advances the part to the source's position, or `cycles` beyond. Returns a status. */
static int synchronise_hart(struct tr_part *part, const struct tr_part_source *source,
			    uint64_t cycles, struct part_hart **hart)
{
	int status = find_part_hart(part, source, hart);
	if (!status)
		status = write_gap_event(part, *hart, source, source->cycle + cycles);
	return status ? status : write_context_events(part, *hart, source);
}

int tr_part_catch_up(struct tr_part *part, const struct tr_part_source *source)
{
	struct part_hart *hart;
	int status = find_part_hart(part, source, &hart);
	return status ? status : write_gap_event(part, hart, source, source->cycle);
}

int tr_part_event(struct tr_part *part, const struct tr_part_source *source,
		  const struct tr_event *event, bool foreign)
{
	struct part_hart *hart;
	struct tr_event own = *event;
	bool moves = event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP;
	uint64_t elsewhere = foreign && moves ? event->cycles : 0;
	int status = synchronise_hart(part, source, elsewhere, &hart);
	if (status)
		return status;
	own.cycles -= elsewhere;
	if (foreign && event->kind == TR_EV_TRAP) {
		if (!elsewhere && tr_runs_slots(event->u.trap.runs, event->u.trap.nruns))
			status = write_slot_gap(part, hart);
		own.u.trap.nruns = 0; /* of what is left out */
	}
	if (moves)
		hart->cycle += own.cycles;
	if (event->kind == TR_EV_GAP)
		hart->tokens += event->u.gap.tokens;
	if (event->kind == TR_EV_REG) {
		hart->regs[event->u.reg.reg] = event->u.reg.value;
		hart->known |= UINT32_C(1) << event->u.reg.reg;
	}
	return status ? status : write_part_event(part, hart, &own);
}

/* Makes room for the ids of the current generation; with `forget`, drops those of
 * another. Returns false when out of memory. */
static bool reserve_id_memo(struct id_memo *memo, uint32_t count, bool forget)
{
	if (!tr_grow(&memo->ids, &memo->room, count, sizeof(*memo->ids)))
		return false;
	if (forget)
		memo->count = 0;
	if (count > memo->count)
		memset(&memo->ids[memo->count], 0,
		       (count - memo->count) * sizeof(*memo->ids));
	memo->count = count;
	return true;
}

static int prepare_id_memos(struct tr_part *part, const struct tr_reader *reader,
			    uint64_t generation)
{
	uint64_t writing = tr_writer_generation(part->writer);
	bool forget =
	    part->read_generation != generation || part->write_generation != writing;
	part->read_generation = generation;
	part->write_generation = writing;
	return reserve_id_memo(&part->blocks, tr_reader_block_count(reader), forget) &&
		       reserve_id_memo(&part->timings, tr_reader_timing_count(reader),
				       forget)
		   ? TR_OK
		   : TR_E_NOMEM;
}

static int write_part_row(struct tr_part *part, uint32_t hart,
			  const struct tr_reader *reader, const struct tr_row *row)
{
	uint32_t *block = &part->blocks.ids[row->block];
	uint32_t *timing = &part->timings.ids[row->timing];
	int status = TR_OK;
	if (*block == 0) {
		status = tr_writer_block(part->writer,
					 tr_reader_block(reader, row->block), block);
		++*block;
	}
	if (*timing == 0 && !status) {
		status = tr_writer_timing(part->writer,
					  tr_reader_timing(reader, row->timing), timing);
		++*timing;
	}
	return status ? status
		      : tr_writer_row(part->writer, hart, *block - 1, *timing - 1);
}

static int write_part_addresses(struct tr_part *part, uint32_t hart,
				const struct tr_part_rows *rows, uint32_t row)
{
	struct tr_accessed addresses[TR_BLOCK_MAX_TOKENS];
	unsigned count;
	const struct tr_access *accesses =
	    tr_accesses_row(rows->accesses, rows->part, rows->first + row, &count);
	for (unsigned i = 0; i < count; i++)
		addresses[i] = tr_accessed_of(&accesses[i]);
	return count ? tr_writer_addresses(part->writer, hart, addresses, count) : TR_OK;
}

int tr_part_rows(struct tr_part *part, const struct tr_part_source *source,
		 const struct tr_reader *reader, uint64_t generation,
		 const struct tr_part_rows *rows)
{
	struct part_hart *hart;
	int status = synchronise_hart(part, source, 0, &hart);
	if (status)
		return status;
	status = prepare_id_memos(part, reader, generation);
	for (uint32_t i = 0; i < rows->count && !status; i++) {
		if (part->write_generation != tr_writer_generation(part->writer))
			status = prepare_id_memos(part, reader, generation);
		if (!status && rows->accesses)
			status = write_part_addresses(part, hart->hart, rows, i);
		if (!status)
			status = write_part_row(part, hart->hart, reader, &rows->rows[i]);
	}
	hart->cycle += rows->cycles;
	hart->tokens += rows->tokens;
	hart->regs[TR_REG_SP] =
	    tr_xlen_wrap(source->xlen, hart->regs[TR_REG_SP] + rows->sp);
	part->busy = true;
	return status;
}

int tr_part_end_frame(struct tr_part *part, const struct tr_part_source *sources,
		      uint32_t count)
{
	int status = TR_OK;
	if (!part->busy)
		return TR_OK;
	for (uint32_t i = 0; i < count && !status; i++)
		status = tr_part_catch_up(part, &sources[i]);
	part->busy = false;
	return status ? status : tr_writer_flush(part->writer);
}
