/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of numbered events of one kind, which are the same for each call with a number:
 * they are read back as written, also from a copy by tr_writer_pass() that has fewer, and
 * so other differences; and each byte of a stream is changed. */
#ifndef STREAM_EVENTS_H
#define STREAM_EVENTS_H

#include "stream-malformed.h"
#include "stream/writer.h"

/* Event i is of hart i % HARTS. */
enum { HARTS = 2, EVENTS = 3002 };

static const char EVENTS_END[] = "instructions=0\ncycles=0\nframes=1\n";

static uint64_t seed;

static inline uint64_t rnd(void)
{
	seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407U;
	return seed >> 8 | seed << 56;
}

static inline struct tr_writer *new_writer(int fd, const struct tr_header *header)
{
	const struct tr_writer_options options = {0};
	struct tr_writer *w;
	CHECK(tr_writer_open(&w, fd, header, &options) == TR_OK);
	return w;
}

static inline struct tr_reader *open_reader(int fd)
{
	char path[32];
	struct tr_reader *r;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	CHECK(tr_reader_open(&r, path, 1) == TR_OK);
	return r;
}

/* Events that the copy of pass_stream() omits. */
static inline bool is_left_out(unsigned number)
{
	return number % 7 == 3;
}

/* Passes each event of a stream to `check`, with its number, and closes the stream. */
static inline void check_stream(int fd, bool is_copy,
				void (*check)(const struct tr_event *, unsigned number))
{
	struct tr_reader *r = open_reader(fd);
	const struct tr_frame *frame;
	unsigned next[HARTS] = {0, 1};
	int status;
	while ((status = tr_reader_next(r, &frame)) == TR_OK)
		for (uint32_t h = 0; h < frame->nharts; h++)
			for (uint32_t e = 0; e < frame->harts[h].nevents; e++) {
				unsigned *number = &next[frame->harts[h].hart];
				while (is_copy && is_left_out(*number))
					*number += HARTS;
				check(&frame->harts[h].events[e], *number);
				*number += HARTS;
			}
	CHECK_EQ(status, TR_END);
	CHECK(next[0] >= EVENTS && next[1] >= EVENTS);
	tr_reader_close(r);
	close(fd);
}

static inline void pass_frame(struct tr_writer *w, const struct tr_reader *r,
			      const struct tr_frame *frame, unsigned next[HARTS])
{
	static struct tr_event kept[HARTS][EVENTS];
	const struct tr_event *events[HARTS] = {kept[0], kept[1]};
	uint32_t nevents[HARTS] = {0};
	for (uint32_t h = 0; h < frame->nharts; h++)
		for (uint32_t e = 0; e < frame->harts[h].nevents; e++) {
			unsigned *number = &next[frame->harts[h].hart];
			if (!is_left_out(*number))
				kept[h][nevents[h]++] = frame->harts[h].events[e];
			*number += HARTS;
		}
	struct tr_pass pass = {.payload = tr_reader_payload(r),
			       .events = events,
			       .nevents = nevents,
			       .nharts = frame->nharts};
	CHECK_EQ(tr_writer_pass(w, &pass), TR_OK);
}

static inline int pass_stream(int from)
{
	struct tr_reader *r = open_reader(from);
	int fd = memfd_create("copy", 0);
	struct tr_writer *w = new_writer(fd, tr_reader_header(r));
	const struct tr_frame *frame;
	unsigned next[HARTS] = {0, 1};
	while (tr_reader_next(r, &frame) == TR_OK)
		pass_frame(w, r, frame, next);
	CHECK_EQ(tr_writer_end(w, NULL), TR_OK);
	tr_writer_close(w);
	tr_reader_close(r);
	return fd;
}

/* The reader's message for a payload, of rows or stacks, with another number in part 1.
 */
static inline void check_part(uint8_t type, const struct payload *good, unsigned number,
			      uint64_t value, const char *header, const char *expected)
{
	char said[256];
	struct payload payload = *good;
	struct tr_buffer stream = {0};
	payload.parts[1].numbers[number] = value;
	if (number == payload.parts[1].count)
		payload.parts[1].count++;
	add_chunk(&stream, TR_CHUNK_HEADER, 0, header, strlen(header));
	add_payload(&stream, type, 1, &payload);
	add_chunk(&stream, TR_CHUNK_END, 2, EVENTS_END, strlen(EVENTS_END));
	read_all(&stream, type, said);
	if (!CHECK_STR(said, expected))
		fprintf(stderr, "number %u: 0x%" PRIx64 ", %s", number, value, header);
	tr_buffer_free(&stream);
}

/* Return sums of all that events of a frame hold, so that it is accessed. */
struct sums {
	uint64_t (*event)(const struct tr_event *);
	uint64_t (*stacks)(const struct tr_shart *);
};

static inline void read_hostile(const struct tr_buffer *stream, uint8_t type,
				const struct sums *sums)
{
	static volatile uint64_t touched;
	int fd = memfd_create("hostile", 0);
	CHECK_EQ(write(fd, stream->data, stream->size), stream->size);
	struct tr_reader *r = open_reader(fd);
	const struct tr_frame *frame;
	const struct tr_sframe *stacks;
	int status = TR_OK;
	uint64_t sum = 0;
	while (!status && type == TR_CHUNK_FRAME) {
		status = tr_reader_next(r, &frame);
		for (uint32_t h = 0; !status && h < frame->nharts; h++)
			for (uint32_t e = 0; e < frame->harts[h].nevents; e++)
				sum += sums->event(&frame->harts[h].events[e]);
	}
	while (!status && type == TR_CHUNK_STACKS) {
		status = tr_reader_next_stacks(r, &stacks);
		for (uint32_t h = 0; !status && h < stacks->nharts; h++)
			sum += sums->stacks(&stacks->harts[h]);
	}
	touched += sum;
	CHECK(status == TR_END || strlen(tr_reader_message(r)) > 10);
	tr_reader_close(r);
	close(fd);
}

/* Each byte of a payload is changed to many values, with a valid checksum. */
static inline void hostile(uint8_t type, const struct payload *good, const char *header,
			   const struct sums *sums)
{
	struct tr_buffer stream = {0};
	add_chunk(&stream, TR_CHUNK_HEADER, 0, header, strlen(header));
	size_t begin = stream.size;
	add_payload(&stream, type, 1, good);
	size_t size = stream.size - begin - TR_CHUNK_HEAD;
	add_chunk(&stream, TR_CHUNK_END, 2, EVENTS_END, strlen(EVENTS_END));
	for (size_t at = begin + TR_CHUNK_HEAD; at < begin + TR_CHUNK_HEAD + size; at++)
		for (unsigned value = 0; value < 256; value += 3) {
			uint8_t was = stream.data[at];
			stream.data[at] = (uint8_t)value;
			tr_chunk_seal(stream.data + begin, size, type, 1);
			read_hostile(&stream, type, sums);
			stream.data[at] = was;
		}
	tr_buffer_free(&stream);
}

#endif
