/* SPDX-License-Identifier: Apache-2.0 */
/* A stream of many small frames, and a digest of all that a frame points to. */
#ifndef STREAM_FRAMES_H
#define STREAM_FRAMES_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "stream/frame.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { FRAMES = 1200, TOKENS = 60, HARTS = 2 };

static char path[32];
static int fd;
static const uint8_t large[1 << 17];

/* Writes frames with new blocks, timings and events in each. The first one is `more`
 * bytes larger. */
static void write_frames(int level, uint32_t more)
{
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	fd = memfd_create("stream", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(
	    tr_writer_open(&w, fd, header, &(struct tr_writer_options){.level = level}),
	    TR_OK);
	for (unsigned f = 0; f < FRAMES; f++) {
		for (unsigned i = 0; i < TOKENS; i++) {
			struct tr_run lost = {.slots = f + i, .class = 1};
			tr_writer_token(w, i / 3 % HARTS,
					0x1000 + UINT64_C(0x100) * (f * f % 777) + 4 * i,
					0x13 + (f << 20), 4, i % 5 ? 1 : f + i + 1, &lost,
					i % 5 ? 0 : 1);
		}
		char text[16];
		int size = snprintf(text, sizeof(text), "frame %u", f);
		struct tr_event mark = {
		    .kind = TR_EV_MARK,
		    .u.raw = {.data = (const uint8_t *)text, .size = (uint32_t)size}};
		tr_writer_event(w, 0, &mark);
		mark.u.raw.data = large;
		mark.u.raw.size = more;
		if (f == 0 && more)
			tr_writer_event(w, 0, &mark);
		for (uint32_t hart = 0; hart < HARTS; hart++)
			tr_writer_cut(w, hart);
		tr_writer_flush(w);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns a digest of all that a frame points to. */
static uint64_t digest_frame(const struct tr_frame *frame)
{
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t hash = mix(frame->number, frame->view.nblocks);
	hash = mix(hash, frame->view.ntimings);
	for (uint32_t id = 0; id < frame->view.nblocks; id++)
		hash = mix(hash, tr_frame_block(frame, id)->pc ^
				     tr_frame_block(frame, id)->code[0]);
	for (uint32_t id = 0; id < frame->view.ntimings; id++)
		hash = mix(hash, (uint64_t)tr_frame_timing(frame, id)->extra);
	for (uint32_t h = 0; h < frame->nharts; h++) {
		const struct tr_hart_frame *hart = &frame->harts[h];
		for (uint32_t i = 0; i < hart->nrows; i++) {
			const struct tr_block *block =
			    tr_frame_block(frame, hart->rows[i].block);
			tr_tokens(block, tr_frame_timing(frame, hart->rows[i].timing),
				  tokens);
			for (unsigned t = 0; t < block->tokens; t++)
				hash = mix(hash, tokens[t].pc ^ tokens[t].insn << 7 ^
						     tokens[t].cycles);
		}
		for (uint32_t e = 0; e < hart->nevents; e++)
			for (uint32_t k = 0; k < hart->events[e].u.raw.size; k++)
				hash = mix(hash, hart->events[e].u.raw.data[k]);
	}
	for (size_t i = 0; i < frame->payload.size; i++)
		hash = mix(hash, frame->payload.data[i]);
	return mix(hash, frame->byte + frame->record);
}

#endif
