/* SPDX-License-Identifier: Apache-2.0 */
/* Frames decoded ahead are those that the reader decodes itself, in the same order and
 * with the same errors; none of them waits for a later one; and the reader can be closed
 * at any time. */
#include <fcntl.h>

#include "base/little.h"
#include "stream-frames.h"
#include "stream/chunk.h"

enum { LARGE = 1 << 16, MAX_SECONDS = 240 }; /* TSan takes 40 on a busy machine */

static uint64_t digests[FRAMES];

static struct tr_reader *open_ahead(const char *name)
{
	struct tr_reader *r;
	CHECK_EQ(tr_reader_open(&r, name, 2), TR_OK);
	tr_reader_decode_ahead(r);
	return r;
}

/* Reads as in other tests, and notes what there is. */
static void note_frames(void)
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	CHECK_EQ(tr_reader_open(&r, path, 1), TR_OK);
	for (unsigned i = 0; tr_reader_next(r, &frame) == TR_OK; i++)
		digests[i] = digest_frame(frame);
	CHECK(tr_reader_end(r) != NULL);
	tr_reader_close(r);
}

static void compare_frames(void)
{
	struct tr_reader *r = open_ahead(path);
	const struct tr_frame *frame, *held = NULL;
	uint32_t record;
	uint64_t byte, offset = 0;
	unsigned i = 0;
	for (; tr_reader_next(r, &frame) == TR_OK; i++) {
		CHECK(tr_reader_end(r) == NULL);
		CHECK_EQ(digest_frame(frame), digests[i]);
		CHECK_EQ(frame->number, i);
		tr_reader_place(r, &record, &byte);
		CHECK_EQ(record, i + 1);
		CHECK_EQ(byte, frame->byte);
		CHECK(tr_reader_offset(r) >= offset);
		offset = tr_reader_offset(r);
		CHECK_EQ(tr_reader_block_count(r), frame->view.nblocks);
		CHECK(tr_reader_payload(r).data == frame->payload.data);
		if (i == 10)
			held = tr_frame_hold(frame);
	}
	CHECK_EQ(i, FRAMES);
	CHECK(tr_reader_end(r) != NULL);
	CHECK_EQ(tr_reader_next(r, &frame), TR_END);
	CHECK(tr_reader_block_count(r) > held->view.nblocks);
	tr_reader_close(r);
	CHECK_EQ(digest_frame(held), digests[10]);
	tr_frame_release(held);
}

/* Reads to the damage. Returns the status, and the number of frames and the message. */
static int read_damaged(unsigned threads, unsigned *frames, char message[200])
{
	struct tr_reader *r;
	const struct tr_frame *frame;
	int status = tr_reader_open(&r, path, threads);
	if (threads > 1)
		tr_reader_decode_ahead(r);
	for (*frames = 0; !status && (status = tr_reader_next(r, &frame)) == TR_OK;)
		CHECK_EQ(digest_frame(frame), digests[(*frames)++]);
	CHECK_EQ(tr_reader_next(r, &frame), status);
	snprintf(message, 200, "%s", tr_reader_message(r));
	tr_reader_close(r);
	return status;
}

static void compare_damage(off_t at)
{
	char messages[2][200];
	unsigned frames[2];
	int status = read_damaged(1, &frames[0], messages[0]);
	if (!CHECK_EQ(read_damaged(2, &frames[1], messages[1]), status) ||
	    !CHECK_EQ(frames[1], frames[0]) || !CHECK_STR(messages[1], messages[0]))
		fprintf(stderr, "damaged at %ld\n", (long)at);
	CHECK(status < 0);
	CHECK(strstr(messages[0], "record ") != NULL);
}

/* Damages a byte in a place, in turn, and then cuts the stream off. */
static void damage_stream(void)
{
	off_t size = lseek(fd, 0, SEEK_END);
	for (off_t at = size / 9; at < size; at += size / 9 + 5) {
		uint8_t byte, other;
		CHECK_EQ(pread(fd, &byte, 1, at), 1);
		other = byte ^ 0x55;
		CHECK_EQ(pwrite(fd, &other, 1, at), 1);
		compare_damage(at);
		CHECK_EQ(pwrite(fd, &byte, 1, at), 1);
	}
	CHECK_EQ(ftruncate(fd, size / 2), 0);
	compare_damage(size / 2);
}

/* Sends the chunk of the stream at *at. */
static void send_chunk(int to, off_t *at)
{
	static uint8_t bytes[1 << 18];
	CHECK_EQ(pread(fd, bytes, TR_CHUNK_HEAD, *at), TR_CHUNK_HEAD);
	size_t size = TR_CHUNK_HEAD + tr_load32(bytes + 4);
	CHECK(size <= sizeof(bytes) && pread(fd, bytes, size, *at) == (ssize_t)size);
	CHECK_EQ(write(to, bytes, size), size);
	*at += (off_t)size;
}

/* A live stream: each frame is there before the next one is sent. Ends after `count`,
 * while the sender sleeps. */
static void read_live(unsigned count)
{
	const struct tr_frame *frame;
	int ends[2];
	char name[32];
	off_t at = 0;
	CHECK_EQ(pipe(ends), 0);
	fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", ends[0]);
	send_chunk(ends[1], &at);
	struct tr_reader *r = open_ahead(name);
	for (unsigned i = 0; i < count; i++) {
		send_chunk(ends[1], &at);
		if (!CHECK_EQ(tr_reader_next(r, &frame), TR_OK))
			break;
		CHECK_EQ(digest_frame(frame), digests[i]);
	}
	tr_reader_close(r);
	close(ends[0]);
	close(ends[1]);
}

/* Closes a reader whose thread waits for room. */
static void close_early(unsigned count)
{
	struct tr_reader *r = open_ahead(path);
	const struct tr_frame *frame;
	for (unsigned i = 0; i < count; i++)
		CHECK_EQ(tr_reader_next(r, &frame), TR_OK);
	usleep(count % 3 * 1000);
	tr_reader_close(r);
}

int main(void)
{
	alarm(MAX_SECONDS);
	for (int level = 0; level < 2; level++) {
		write_frames(level, LARGE);
		note_frames();
		compare_frames();
		for (unsigned count = 0; count < 12; count++)
			close_early(count);
		for (unsigned count = 0; count < 8 && level == 0; count++)
			read_live(count);
		if (level == 0)
			read_live(200);
		damage_stream();
		close(fd);
	}
	return check_done();
}
