/* SPDX-License-Identifier: Apache-2.0 */
/* Streams assembled number by number, with valid checksums: the reader's message when one
 * number is not as a writer would make it. */
#ifndef STREAM_MALFORMED_H
#define STREAM_MALFORMED_H

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buffer.h"
#include "check.h"
#include "stream/chunk.h"
#include "stream/reader.h"

enum { MAX_PARTS = 10, MAX_NUMBERS = 40 };

/* Numbers written as varints; those below 0x80 are bytes as well. */
struct part {
	unsigned kind, count;
	uint64_t numbers[MAX_NUMBERS];
};

/* Part 0 is the head; the others are sections, which start with the byte `kind`. */
struct payload {
	struct part parts[MAX_PARTS];
	unsigned nparts;
};

static inline void add_chunk(struct tr_buffer *stream, uint8_t type, uint32_t record,
			     const void *data, size_t size)
{
	uint8_t *chunk = tr_buffer_room(stream, TR_CHUNK_HEAD + size);
	memcpy(chunk + TR_CHUNK_HEAD, data, size);
	tr_chunk_seal(chunk, size, type, record);
	stream->size += TR_CHUNK_HEAD + size;
}

static inline void add_payload(struct tr_buffer *stream, uint8_t type, uint32_t record,
			       const struct payload *payload)
{
	struct tr_buffer all = {0};
	for (unsigned p = 0; p < payload->nparts; p++) {
		const struct part *part = &payload->parts[p];
		struct tr_buffer body = {0};
		for (unsigned i = 0; i < part->count; i++)
			tr_buffer_varint(&body, part->numbers[i]);
		if (part->kind) {
			tr_buffer_varint(&all, part->kind);
			tr_buffer_varint(&all, body.size);
		}
		tr_buffer_add(&all, body.data, body.size);
		tr_buffer_free(&body);
	}
	add_chunk(stream, type, record, all.data, all.size);
	tr_buffer_free(&all);
}

/* Reads these bytes from the first frame on: gets the message after the byte's number, or
 * "" if the whole stream is valid. Rows or stacks, by `type`. */
static inline void read_all(const struct tr_buffer *stream, uint8_t type, char said[256])
{
	char path[32];
	int fd = memfd_create("stream", 0);
	CHECK_EQ(write(fd, stream->data, stream->size), stream->size);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	struct tr_reader *reader;
	const struct tr_frame *frame;
	const struct tr_sframe *sframe;
	int status = tr_reader_open(&reader, path, 1);
	while (status == TR_OK)
		status = type == TR_CHUNK_FRAME ? tr_reader_next(reader, &frame)
						: tr_reader_next_stacks(reader, &sframe);
	const char *text = status == TR_END ? "" : tr_reader_message(reader);
	const char *byte = strstr(text, ", byte ");
	const char *reason = byte ? strstr(byte, ": ") : NULL;
	snprintf(said, 256, "%s", reason ? reason + 2 : text);
	tr_reader_close(reader);
	close(fd);
}

/* Reads a stream of one frame. */
static inline void read_frame(uint8_t type, const struct payload *payload,
			      const char *end, char said[256])
{
	struct tr_buffer stream = {0};
	add_chunk(&stream, TR_CHUNK_HEADER, 0, "xlen=64\n", 8);
	add_payload(&stream, type, 1, payload);
	add_chunk(&stream, TR_CHUNK_END, 2, end, strlen(end));
	read_all(&stream, type, said);
	tr_buffer_free(&stream);
}

/* A change of one number of a valid payload. */
struct change {
	unsigned part, number;
	uint64_t value;
	const char *said;
};

static inline void check_change(uint8_t type, const struct payload *good, const char *end,
				const struct change *change)
{
	char said[256];
	struct payload payload = *good;
	struct part *part = &payload.parts[change->part];
	if (change->number == part->count)
		part->count++;
	part->numbers[change->number] = change->value;
	read_frame(type, &payload, end, said);
	if (!CHECK_STR(said, change->said))
		fprintf(stderr, "part %u, number %u: 0x%" PRIx64 "\n", change->part,
			change->number, change->value);
}

#endif
