/* SPDX-License-Identifier: Apache-2.0 */
/* The container: numbered, checksummed chunks, plain or in zstd frames.
 * tr-stream(5), "Container". */
#ifndef TR_CHUNK_H
#define TR_CHUNK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buffer.h"
#include "base/status.h"
#include "stream/link.h"

enum tr_chunk_type {
	TR_CHUNK_HEADER = 'H',
	TR_CHUNK_FRAME = 'F',
	TR_CHUNK_STACKS = 'S',
	TR_CHUNK_END = 'E',
};
enum {
	TR_CHUNK_HEAD = 24,	 /* bytes before the payload */
	TR_CHUNK_MAX = 32 << 20, /* bytes of a payload */
	TR_CHUNK_FORMAT = 2,	 /* format version */
	TR_MAX_CUTS = 64,
	TR_MAX_GROUP = 16,	 /* chunks in a zstd frame of the writer's */
	TR_MAX_COMPRESSORS = 64, /* threads */
};

struct tr_chunk {
	const uint8_t *payload; /* valid until the next read */
	size_t size;
	uint64_t byte;	 /* position in the plain stream */
	uint32_t record; /* chunk number; 0 is the header */
	uint8_t type;
};

/* Offsets in a payload, ascending, at which the kind of data changes. */
struct tr_cuts {
	size_t at[TR_MAX_CUTS];
	unsigned count;
};

struct tr_chunk_reader;

/* Where a chunk begins. */
struct tr_place {
	uint64_t offset; /* in the file */
	uint64_t byte;	 /* in the plain stream */
	uint32_t record; /* its number */
};

/* Opens `path` ("-" is standard input). Returns TR_OK, TR_E_IO or TR_E_NOMEM. */
int tr_chunk_reader_open(struct tr_chunk_reader **reader, const char *path,
			 unsigned threads);
/* Reads from a link, which remains the caller's. Returns TR_OK or TR_E_NOMEM. */
int tr_chunk_reader_open_link(struct tr_chunk_reader **reader, struct tr_link *link);
void tr_chunk_reader_close(struct tr_chunk_reader *reader);
/* Reads the next chunk. Returns TR_OK; TR_END when the input ends between chunks;
 * TR_E_TRUNCATED inside one; TR_E_CORRUPT, TR_E_UNSUPPORTED, TR_E_IO or TR_E_NOMEM. On an
 * error chunk->record and chunk->byte hold the place, and tr_chunk_reader_reason()
 * returns the reason. */
int tr_chunk_read(struct tr_chunk_reader *reader, struct tr_chunk *chunk);
/* Exchanges the memory of the last chunk, whose payload stays valid as long as the
 * caller keeps it, for other memory to read into. */
void tr_chunk_exchange(struct tr_chunk_reader *reader, struct tr_buffer *bytes);
/* Gets where the chunk after the last one begins. Returns false if reading cannot begin
 * there: the file is a pipe, or the zstd frame has more than one chunk. */
bool tr_chunk_reader_place(const struct tr_chunk_reader *reader, struct tr_place *place);
/* Continues at such a place, also after an error or the end. Returns TR_OK or TR_E_IO. */
int tr_chunk_reader_go(struct tr_chunk_reader *reader, const struct tr_place *place);
/* Reads the last `size` bytes of the file, which must not be a pipe, or what is `before`
 * them, into `out`, which the caller frees. Returns TR_OK, TR_END if there are not so
 * many bytes, TR_E_IO or TR_E_NOMEM. */
int tr_chunk_reader_tail(const struct tr_chunk_reader *reader, uint64_t size,
			 uint64_t before, struct tr_buffer *out);
/* Returns whether a thread reads ahead. */
bool tr_chunk_reader_has_thread(const struct tr_chunk_reader *reader);
/* Ends a tr_chunk_read() in another thread, or its next one, with TR_E_IO, if the reader
 * has a thread. After that it can only be closed. */
void tr_chunk_reader_interrupt(struct tr_chunk_reader *reader);
const char *tr_chunk_reader_reason(const struct tr_chunk_reader *reader);
uint64_t tr_chunk_reader_offset(const struct tr_chunk_reader *reader);
uint64_t tr_chunk_reader_size(const struct tr_chunk_reader *reader);

struct tr_chunk_writer;

/* Creates a writer to a link, which remains the caller's. Returns TR_OK or TR_E_NOMEM. */
int tr_chunk_writer_open_link(struct tr_chunk_writer **writer, struct tr_link *link);
/* Creates a writer to `fd`, which remains the caller's to close; level 0 is plain. A zstd
 * frame has up to `group` chunks of frames, TR_MAX_GROUP at most, or one other chunk; 0
 * is 1. With two or more `threads` as many others compress, TR_MAX_COMPRESSORS at most.
 * Returns TR_OK or TR_E_NOMEM. */
int tr_chunk_writer_open(struct tr_chunk_writer **writer, int fd, int level,
			 unsigned group, unsigned threads);
/* Writes a chunk. `chunk` starts with TR_CHUNK_HEAD bytes, which this call fills in,
 * followed by the payload. The cuts only improve compression. Returns TR_OK, TR_E_IO,
 * TR_E_NOMEM or TR_E_ARGUMENT (too large). */
int tr_chunk_write(struct tr_chunk_writer *writer, enum tr_chunk_type type,
		   uint8_t *chunk, size_t size, const struct tr_cuts *cuts);
/* Ends the current zstd frame and waits until everything is written. Returns TR_OK or the
 * first error. */
int tr_chunk_writer_flush(struct tr_chunk_writer *writer);
/* For a compressed file: begins a zstd frame with the next chunk, of which it gets number
 * and byte, and keeps its offset. Returns TR_OK or the first error. */
int tr_chunk_writer_mark(struct tr_chunk_writer *writer, struct tr_place *place);
/* After tr_chunk_writer_flush(): gets the offsets of these zstd frames, in their order,
 * which are the writer's. Returns that of the end of the file. All count from where the
 * writer began. */
uint64_t tr_chunk_writer_marks(const struct tr_chunk_writer *writer,
			       const uint64_t **offsets, size_t *count);
/* After tr_chunk_writer_flush(): writes bytes that are a skippable zstd frame. Returns
 * TR_OK or the first error. */
int tr_chunk_writer_skippable(struct tr_chunk_writer *writer,
			      const struct tr_buffer *bytes);
void tr_chunk_writer_close(struct tr_chunk_writer *writer);

/* Fills in the head of a chunk but for its checksum. Reader and writer share it. */
void tr_chunk_label(uint8_t *chunk, size_t size, uint8_t type, uint32_t record);
/* Fills in the head of a chunk. */
void tr_chunk_seal(uint8_t *chunk, size_t size, uint8_t type, uint32_t record);

#endif
