/* SPDX-License-Identifier: Apache-2.0 */
/* The index of a stream of stacks: a skippable zstd frame behind the end record, by which
 * a reader begins at frames that are in a window. tr-stream(5), "Index of stacks". */
#ifndef TR_STACKS_INDEX_H
#define TR_STACKS_INDEX_H

#include <stdint.h>

/* The last bytes of the file. */
#define TR_INDEX_MAGIC "\x89RVTIX\r\n"

enum {
	TR_INDEX_VERSION = 1,
	TR_INDEX_EVERY = 16,	  /* frames between places */
	TR_INDEX_SKIPPABLE = 8,	  /* bytes of the head of the skippable zstd frame */
	TR_INDEX_TAIL = 12,	  /* size of that zstd frame, and the magic */
	TR_INDEX_MAX = 512 << 20, /* bytes, not compressed */
	TR_INDEX_MAGIC_NUMBER = 0x184d2a5e, /* of the skippable zstd frame */
};
enum tr_index_entry { TR_INDEX_PLACE = 1, TR_INDEX_FRAME = 2 };

#endif
