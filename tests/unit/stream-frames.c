/* SPDX-License-Identifier: Apache-2.0 */
/* A frame that is held stays as it was, with its view of the dictionary, while the reader
 * goes on, begins other generations, fails, and is closed. */
#include <pthread.h>

#include "stream-frames.h"

enum { HELD = 8 };

struct held {
	const struct tr_frame *frame;
	uint64_t digest;
	unsigned wrong; /* found by work_behind() */
};

/* Digests a frame again and again, as a thread behind the reader does, and releases it.
 */
static void *work_behind(void *argument)
{
	struct held *held = argument;
	for (unsigned i = 0; i < 20; i++)
		held->wrong += digest_frame(held->frame) != held->digest;
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
	struct held held[HELD] = {0};
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
	for (unsigned i = 0; i < HELD; i++) {
		pthread_join(threads[i], NULL);
		CHECK_EQ(held[i].wrong, 0);
	}
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
	write_frames(1, 0);
	hold_some();
	use_threads();
	use_again();
	hold_before_damage();
	close(fd);
	hold_generation();
	return check_done();
}
