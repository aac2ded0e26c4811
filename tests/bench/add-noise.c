/* SPDX-License-Identifier: Apache-2.0 */
/* Copies a trace stream and delays random tokens, as caches and branch prediction do:
 * add-noise PERCENT IN OUT gives that share of the tokens a stall of 1 to 16 cycles. The
 * same input gives the same output. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "stream/reader.h"
#include "stream/writer.h"

struct noise {
	uint64_t state;
	uint32_t threshold; /* of 2^32 */
};

static uint32_t next(struct noise *noise)
{
	noise->state =
	    noise->state * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return (uint32_t)(noise->state >> 32);
}

static void disturb(struct noise *noise, const struct tr_block *block,
		    const struct tr_timing *old, struct tr_timing *timing,
		    struct tr_stall stalls[TR_BLOCK_MAX_TOKENS])
{
	uint32_t o = 0;
	*timing =
	    (struct tr_timing){.stalls = stalls, .runs = old->runs, .nruns = old->nruns};
	for (uint16_t t = 0; t < block->tokens; t++) {
		struct tr_stall stall = {.token = t, .cycles = 1};
		bool had = o < old->nstalls && old->stalls[o].token == t;
		if (had)
			stall = old->stalls[o++];
		if (next(noise) < noise->threshold)
			stall.cycles += 1 + next(noise) % 16;
		if (had || stall.cycles != 1)
			stalls[timing->nstalls++] = stall;
	}
}

static int copy_row(struct tr_writer *w, struct tr_reader *r, uint32_t hart,
		    const struct tr_row *row, struct noise *noise)
{
	struct tr_stall stalls[TR_BLOCK_MAX_TOKENS];
	struct tr_timing timing;
	uint32_t block_id, timing_id;
	const struct tr_block *block = tr_reader_block(r, row->block);
	disturb(noise, block, tr_reader_timing(r, row->timing), &timing, stalls);
	int status = tr_writer_block(w, block, &block_id);
	if (!status)
		status = tr_writer_timing(w, &timing, &timing_id);
	return status ? status : tr_writer_row(w, hart, block_id, timing_id);
}

static int copy_hart(struct tr_writer *w, struct tr_reader *r,
		     const struct tr_hart_frame *hart, struct noise *noise)
{
	struct tr_cursor cursor;
	uint32_t first, last;
	const struct tr_event *event;
	int status = TR_OK;
	tr_cursor_init(&cursor, hart);
	for (enum tr_step step; !status;) {
		step = tr_cursor_next(&cursor, &first, &last, &event);
		if (step == TR_STEP_END)
			break;
		if (step == TR_STEP_EVENT)
			status = tr_writer_event(w, hart->hart, event);
		for (; step == TR_STEP_ROWS && first < last && !status; first++)
			status = copy_row(w, r, hart->hart, &hart->rows[first], noise);
	}
	return status;
}

static int copy(struct tr_reader *r, struct tr_writer *w, struct noise *noise)
{
	const struct tr_frame *frame;
	int status = TR_OK;
	while (!status && (status = tr_reader_next(r, &frame)) == TR_OK)
		for (uint32_t i = 0; i < frame->nharts && !status; i++) {
			if (frame->number == 0)
				tr_writer_begin(w, frame->harts[i].hart,
						frame->harts[i].start_cycle,
						&frame->harts[i].start);
			status = copy_hart(w, r, &frame->harts[i], noise);
		}
	return status == TR_END ? tr_writer_end(w, tr_reader_end(r)) : status;
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: add-noise PERCENT IN OUT\n");
		return 2;
	}
	struct noise noise = {.state = 1,
			      .threshold = (uint32_t)(atof(argv[1]) / 100 * 0x1p32)};
	struct tr_reader *r;
	struct tr_writer *w = NULL;
	int fd = open(argv[3], O_WRONLY | O_CREAT | O_TRUNC, 0666);
	int status = tr_reader_open(&r, argv[2], 1);
	if (!status && fd >= 0)
		status = tr_writer_open(&w, fd, tr_reader_header(r),
					&(struct tr_writer_options){.level = 3});
	if (!status)
		status = fd < 0 ? TR_E_IO : copy(r, w, &noise);
	if (status)
		fprintf(stderr, "add-noise: %s\n",
			fd < 0 ? strerror(errno) : tr_status_text(status));
	tr_writer_close(w);
	tr_reader_close(r);
	return status ? 2 : 0;
}
