/* SPDX-License-Identifier: Apache-2.0 */
/* Passes what harts do to the writer, at once or in the order of time. */
#include "import/import_hart.h"

/* Passes the batch to the writer. */
void tr_out_batch(struct tr_import *im, struct import_hart *h)
{
	struct tr_batch batch = {.tokens = h->tokens,
				 .stalls = h->stalls,
				 .runs = h->runs,
				 .count = h->count,
				 .nstalls = h->nstalls};
	if (h->count)
		tr_import_wrote(im,
				tr_writer_tokens(im->sink->writer, h->number, &batch));
	h->count = h->nstalls = h->nruns = 0;
}

void tr_out_block(struct tr_import *im, struct import_hart *h)
{
	tr_import_wrote(im, tr_lengths_put(&h->plain, im->sink->writer, h->number));
}

unsigned tr_out_guess(uint64_t bits)
{
	const unsigned low = (unsigned)bits & 0xffff;
	return low ? tr_insn_length(low) : GUESSED_BYTES;
}

void tr_out_event(struct tr_import *im, struct import_hart *h,
		  const struct tr_event *event)
{
	tr_out_batch(im, h);
	tr_out_block(im, h);
	if (!im->status)
		tr_import_wrote(im, tr_writer_event(im->sink->writer, h->number, event));
}

void tr_out_begin(struct tr_import *im, struct import_hart *h)
{
	h->written = true;
	tr_import_wrote(
	    im, tr_writer_begin(im->sink->writer, h->number, h->start_cycle, &h->start));
}

/* The limit counts from the first cycle of the stream. */
static void set_limit(struct tr_import *im)
{
	struct import_sink *sink = im->sink;
	const uint64_t first = tr_order_start(sink->order), most = im->options.max_cycles;
	sink->first_cycle = first;
	sink->last_cycle = most < UINT64_MAX - first ? first + most : UINT64_MAX;
}

/* Passes an item on, or finds that it is beyond a limit, as are all after it. */
static void release_item(struct tr_import *im, const struct import_item *item,
			 uint32_t hart, uint64_t cycle)
{
	struct import_sink *sink = im->sink;
	struct import_hart *h = sink->harts[hart];
	sink->is_late = cycle > sink->last_cycle;
	sink->limited = sink->is_late ||
			(!item->event && sink->released == im->options.max_instructions);
	if (sink->limited)
		return;
	if (!h->written)
		tr_out_begin(im, h);
	h->released = cycle;
	if (item->event)
		tr_out_event(im, h, item->event);
	else if (item->has_bits)
		tr_out_bits(im, h,
			    &(struct tr_commit){.pc = item->pc, .bits = item->bits},
			    item->cycles);
	else
		tr_out_length(im, h,
			      &(struct tr_commit){.pc = item->pc, .bits = item->bits},
			      item->next, item->cycles);
	sink->released += !item->event;
	tr_order_drop(sink->order, hart);
}

void tr_import_release(struct tr_import *im, uint64_t horizon)
{
	struct import_sink *sink = im->sink;
	const struct import_item *item;
	uint32_t hart;
	uint64_t cycle = 0;
	while (sink->order && !sink->limited && !im->status &&
	       (item = tr_order_first(sink->order, &hart, &cycle)) &&
	       (cycle < horizon || tr_order_held(sink->order) > IMPORT_HELD)) {
		if (!sink->last_cycle)
			set_limit(im);
		release_item(im, item, hart, cycle);
	}
}

/* The cycles between what the hart did last and the limit. */
void tr_out_limit(struct tr_import *im, struct import_hart *h)
{
	struct tr_event event = {.kind = TR_EV_GAP, .u.gap.reason = TR_GAP_LIMIT};
	uint64_t left = im->sink->last_cycle - h->released;
	for (; left && !im->status; left -= event.cycles) {
		event.cycles = left < TR_MAX_CYCLES ? left : TR_MAX_CYCLES - 1;
		tr_out_event(im, h, &event);
	}
}
