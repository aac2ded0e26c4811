/* SPDX-License-Identifier: Apache-2.0 */
/* The container: numbered, checksummed chunks, plain or one zstd frame each.
 * tr-stream(5), "Container".
 */
#ifndef TR_CHUNK_H
#define TR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum tr_chunk_type {
	TR_CHUNK_HEADER = 'H',
	TR_CHUNK_FRAME = 'F',
	TR_CHUNK_STACKS = 'S',
	TR_CHUNK_END = 'E',
};
enum {
	TR_CHUNK_HEAD = 24,	 /* bytes before the payload */
	TR_CHUNK_MAX = 32 << 20, /* bytes of a payload */
	TR_CHUNK_FORMAT = 2,	 /* version */
	TR_MAX_CUTS = 64,
};

struct tr_chunk {
	const uint8_t *payload; /* valid until the next read */
	size_t size;
	uint64_t byte;	 /* of the plain stream where the chunk begins */
	uint32_t record; /* 0 for the header */
	uint8_t type;
};

/* Offsets in a payload, ascending, at which what follows is unlike what stands
 * before. */
struct tr_cuts {
	size_t at[TR_MAX_CUTS];
	unsigned count;
};

struct tr_chunk_reader;

/* `path` "-" is standard input. Returns TR_OK, TR_E_IO or TR_E_NOMEM. */
int tr_chunk_reader_open(struct tr_chunk_reader **reader, const char *path,
			 unsigned threads);
void tr_chunk_reader_close(struct tr_chunk_reader *reader);
/* TR_OK; TR_END when the input ends between chunks; TR_E_TRUNCATED inside one;
 * TR_E_CORRUPT, TR_E_UNSUPPORTED, TR_E_IO, TR_E_NOMEM: chunk->record and ->byte
 * tell where, tr_chunk_reader_reason() why. */
int tr_chunk_read(struct tr_chunk_reader *reader, struct tr_chunk *chunk);
const char *tr_chunk_reader_reason(const struct tr_chunk_reader *reader);
uint64_t tr_chunk_reader_offset(const struct tr_chunk_reader *reader);
uint64_t tr_chunk_reader_size(const struct tr_chunk_reader *reader);

struct tr_chunk_writer;

/* Level 0 is plain. The descriptor stays the caller's. */
int tr_chunk_writer_open(struct tr_chunk_writer **writer, int fd, int level,
			 unsigned threads);
/* `chunk` is TR_CHUNK_HEAD bytes of room and then the payload; its head is
 * filled in here. The cuts only make it smaller on disk. TR_OK, TR_E_IO, TR_E_NOMEM,
 * TR_E_ARGUMENT (too large). */
int tr_chunk_write(struct tr_chunk_writer *writer, enum tr_chunk_type type,
		   uint8_t *chunk, size_t size, const struct tr_cuts *cuts);
/* Waits until all is written. */
int tr_chunk_writer_flush(struct tr_chunk_writer *writer);
void tr_chunk_writer_close(struct tr_chunk_writer *writer);

/* Fills in the head of a chunk: what both sides agree on. */
void tr_chunk_seal(uint8_t *chunk, size_t size, uint8_t type, uint32_t record);

#endif
