/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a stream of stacks: a skippable zstd frame behind the end record, by which
 * a reader begins at frames that are in a window, and such frames between the others with
 * sums. tr-stream(5), "Index of stacks". */
#ifndef TR_STACKS_INDEX_H
#define TR_STACKS_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tr_buffer;

/* The last bytes of the file. */
#define TR_INDEX_MAGIC "\x89RVTIX\r\n"

enum {
	TR_INDEX_VERSION = 2,	  /* without sums: 1 */
	TR_INDEX_EVERY = 16,	  /* frames between places */
	TR_INDEX_SKIPPABLE = 8,	  /* bytes of the head of the skippable zstd frame */
	TR_INDEX_TAIL = 12,	  /* size of that zstd frame, and the magic */
	TR_INDEX_MAX = 512 << 20, /* bytes, not compressed */
	TR_SUMS_MAX = 64 << 20,	  /* the same, of the sums of a section */
	TR_SUMS_FRAMES = 256,	  /* frames of a section of the first level */
	TR_SUMS_TIMES = 16,	  /* sections that one of the next level has */
	TR_SUMS_LEVELS = 4,
	TR_INDEX_MAGIC_NUMBER = 0x184d2a5e, /* of the skippable zstd frame */
};
enum tr_index_entry { TR_INDEX_PLACE = 1, TR_INDEX_FRAME = 2, TR_INDEX_SUMS = 3 };

/* The columns of the sums of a hart. */
enum tr_sums_column {
	TR_SUMS_CONTEXTS,
	TR_SUMS_THREADS,
	TR_SUMS_NODES,
	TR_SUMS_INSTRUCTIONS,
	TR_SUMS_CYCLES,
	TR_SUMS_CLASSES,
	TR_SUMS_COLUMNS
};

/* Appends a skippable zstd frame with `plain`, compressed, and its checksum. Returns
 * TR_OK or TR_E_NOMEM. */
int tr_index_wrap(const struct tr_buffer *plain, int level, struct tr_buffer *out);
/* Decompresses what that has behind its head, at most `most` bytes, into an empty buffer.
 * Returns false if it is damaged, or when out of memory. */
bool tr_index_unpack(const uint8_t *from, size_t size, uint64_t most,
		     struct tr_buffer *out);

#endif
