/* SPDX-License-Identifier: Apache-2.0 */
/* A frame that is held stays as it was, with its view of the dictionary, while the reader
 * goes on, begins other generations, fails, and is closed. */
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "stream/frame.h"
#include "stream/reader.h"
#include "stream/writer.h"

enum { FRAMES = 1200, HELD = 8, TOKENS = 60, HARTS = 2 };

static char path[32];
static int fd;

/* Writes frames with new blocks, timings and events in each. */
static void write_frames(void)
{
	struct tr_header *header = tr_header_new();
	struct tr_writer *w;
	fd = memfd_create("stream", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK_EQ(tr_writer_open(&w, fd, header, &(struct tr_writer_options){.level = 1}),
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

struct held {
	const struct tr_frame *frame;
	uint64_t digest;
};

/* Digests a frame again and again, as a thread behind the reader does, and releases it.
 */
static void *work_behind(void *argument)
{
	struct held *held = argument;
	for (unsigned i = 0; i < 20; i++)
		CHECK_EQ(digest_frame(held->frame), held->digest);
	tr_frame_release(held->frame);
	return NULL;
}

static struct tr_reader *open_stream(void)
{
	struct tr_reader *r;
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	return r;
}

static void hold_some(void)
{
	struct held held[HELD];
	struct tr_reader *r = open_stream();
	const struct tr_frame *frame;
	unsigned n = 0, seen = 0;
	for (; tr_reader_next(r, &frame) == TR_OK; seen++)
		if (n < HELD && seen == n * n * 3) {
			held[n].frame = tr_frame_hold(frame);
			held[n++].digest = digest_frame(frame);
		}
	CHECK_EQ(seen, FRAMES);
	CHECK_EQ(n, HELD);
	CHECK(tr_reader_end(r) != NULL);
	/* The view of a frame is not that of the end. */
	CHECK(held[0].frame->view.nblocks < tr_reader_block_count(r));
	for (unsigned i = 0; i < HELD; i++)
		CHECK_EQ(digest_frame(held[i].frame), held[i].digest);
	tr_reader_close(r);
	for (unsigned i = 0; i < HELD; i++) {
		CHECK_EQ(digest_frame(held[i].frame), held[i].digest);
		tr_frame_release(held[i].frame);
	}
}

static void use_threads(void)
{
	pthread_t threads[HELD];
	struct held held[HELD];
	struct tr_reader *r = open_stream();
	const struct tr_frame *frame;
	for (unsigned i = 0; i < FRAMES; i++) {
		if (!CHECK_EQ(tr_reader_next(r, &frame), TR_OK))
			break;
		if (i >= HELD)
			continue;
		held[i].digest = digest_frame(frame);
		held[i].frame = tr_frame_hold(frame);
		pthread_create(&threads[i], NULL, work_behind, &held[i]);
	}
	tr_reader_close(r);
	for (unsigned i = 0; i < HELD; i++)
		pthread_join(threads[i], NULL);
}

/* A frame that nobody holds is used again: memory does not grow with the stream. */
static void use_again(void)
{
	struct tr_reader *r = open_stream();
	const struct tr_frame *frame, *first = NULL;
	for (unsigned i = 0; tr_reader_next(r, &frame) == TR_OK; i++) {
		if (!first)
			first = frame;
		CHECK(frame == first);
	}
	tr_reader_close(r);
}

/* Frames of a generation that has ended. */
static void hold_generation(void)
{
	static uint8_t nops[2 * TR_BLOCK_MAX_TOKENS];
	struct tr_block block = {
	    .code = nops, .tokens = TR_BLOCK_MAX_TOKENS, .bytes = sizeof(nops)};
	struct tr_writer *w;
	struct tr_header *header = tr_header_new();
	uint64_t generation = 0;
	for (unsigned i = 0; i < TR_BLOCK_MAX_TOKENS; i++)
		nops[2 * i] = 1;
	fd = memfd_create("stream", 0);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	tr_writer_open(&w, fd, header, &(struct tr_writer_options){0});
	for (uint64_t pc = 0x1000; generation < 2; pc += 2) {
		uint32_t id;
		block.pc = pc;
		if (!CHECK_EQ(tr_writer_block(w, &block, &id), TR_OK) ||
		    !CHECK_EQ(tr_writer_row(w, 0, id, 0), TR_OK))
			break;
		generation = tr_writer_generation(w);
	}
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_header_free(header);
	struct tr_reader *r = open_stream();
	const struct tr_frame *frame;
	struct held held = {0};
	while (tr_reader_next(r, &frame) == TR_OK) {
		if (frame->number == 3) {
			held.frame = tr_frame_hold(frame);
			held.digest = digest_frame(frame);
		}
		generation = frame->generation;
	}
	CHECK(generation > 0);
	CHECK(tr_reader_end(r) != NULL);
	CHECK_EQ(held.frame->generation, 0);
	CHECK_EQ(digest_frame(held.frame), held.digest);
	tr_reader_close(r);
	tr_frame_release(held.frame);
	tr_frame_release(NULL);
	close(fd);
}

/* After damage, the frames before it are as they were. */
static void hold_before_damage(void)
{
	struct held held = {0};
	const struct tr_frame *frame;
	off_t size = lseek(fd, 0, SEEK_END);
	CHECK_EQ(ftruncate(fd, size / 2), 0);
	struct tr_reader *r = open_stream();
	int status;
	while ((status = tr_reader_next(r, &frame)) == TR_OK) {
		tr_frame_release(held.frame);
		held.frame = tr_frame_hold(frame);
		held.digest = digest_frame(frame);
	}
	CHECK_EQ(status, TR_E_TRUNCATED);
	char message[80];
	snprintf(message, sizeof(message), "record %u, byte ", held.frame->record + 1);
	CHECK(strstr(tr_reader_message(r), message) != NULL);
	tr_reader_close(r);
	CHECK_EQ(digest_frame(held.frame), held.digest);
	tr_frame_release(held.frame);
}

int main(void)
{
	write_frames();
	hold_some();
	use_threads();
	use_again();
	hold_before_damage();
	close(fd);
	hold_generation();
	return check_done();
}
