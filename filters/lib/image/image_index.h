/* SPDX-License-Identifier: Apache-2.0 */
/* What one file's DWARF tells, in a compact form: what the child process sends, and
 * what a cache file holds. There are three kinds, each an index of its own.
 *
 *	 0  "tr-index"		8 bytes
 *	 8  version		u32, IMAGE_INDEX_VERSION
 *	12  kind		u32, enum image_index_kind
 *	16  units, damaged	u32 each: compilation units, those not read whole
 *	24  items, extents	u32 each: how many
 *	32  bytes of names	u32
 *	36  damage		u32: name of the first damage
 *	40  key			16 bytes: hash of the file's content
 *	56  bytes of the file	u64
 *	64  items		functions: name u32, extents u32, entry u64,
 *				place of its declaration u32, if others have its name
 *				calls: name u32, the call around it u32
 *				lines: name of the file u32, line u32
 *	    extents		functions: low u64, high u64
 *				calls, lines: low u64, item u32
 *	    names		ended by 0 each
 *	    xxh64		u64, of all before
 *
 * All little-endian. A name, or a place, is an offset into the names. The extents of the
 * functions follow one another. Those of calls and lines hold up to the next one and
 * ascend; items count from 1 in them, and 0 is none. Functions and calls have names. The
 * call around a call comes before it, and they are at most IMAGE_CALLS_DEEP deep.
 */
#ifndef TR_IMAGE_INDEX_H
#define TR_IMAGE_INDEX_H

#include "base/buffer.h"
#include "image/image.h"

enum { IMAGE_INDEX_VERSION = 3, IMAGE_KEY_BYTES = 16, IMAGE_INDEX_RANGE_BYTES = 16 };
enum { IMAGE_CALLS_DEEP = 64 };

enum image_index_kind {
	IMAGE_INDEX_FUNCTIONS,
	IMAGE_INDEX_CALLS, /* inlined */
	IMAGE_INDEX_LINES,
	IMAGE_INDEX_KINDS
};

/* Which file an index is of. */
struct image_key {
	uint8_t hash[IMAGE_KEY_BYTES];
	uint64_t file_bytes;
};
/* Reads `size` bytes of a file; false when it has less, or cannot be read. */
bool image_key_make(struct image_key *key, int fd, size_t size);

/* Under construction. Zero-initialised is empty. */
struct image_index_writer {
	struct tr_buffer items, extents, names;
	uint32_t units, damaged;
};
void image_index_add32(struct tr_buffer *buffer, uint64_t value);
void image_index_add64(struct tr_buffer *buffer, uint64_t value);
/* A function, which owns the ranges added to `extents` since the last one. */
void image_index_range(struct tr_buffer *extents, uint64_t low, uint64_t high);
void image_index_function(struct image_index_writer *writer, const char *name,
			  const char *place, uint32_t nranges, uint64_t entry);
/* Appends the whole index to `out`, whose `failed` tells, and frees the writer.
 * `damage` is a text about the first damaged unit, "" if none. */
void image_index_finish(struct image_index_writer *writer, enum image_index_kind kind,
			const struct image_key *key, const char *damage,
			struct tr_buffer *out);

/* A checked index, which lies in the caller's memory. */
struct image_index {
	const uint8_t *items, *extents;
	const char *names, *damage;
	uint32_t nitems, nextents, names_bytes;
	uint32_t units, damaged;
};
/* Bytes of the index that `data` begins with, as its header has it; 0 if that cannot
 * be. */
size_t image_index_size(const uint8_t *data, size_t size);
/* False, and then *index is empty, if `data` is not the whole and undamaged index of
 * the file `key`. */
bool image_index_read(struct image_index *index, enum image_index_kind kind,
		      const uint8_t *data, size_t size, const struct image_key *key);

/* A range of a function; the name and the place ("" if none) lie in the index. */
struct image_index_range {
	const char *name, *place;
	uint64_t entry, low, high;
};
/* Calls `each` for all ranges in order, until it returns false: then false. */
bool image_index_walk(const struct image_index *index,
		      bool (*each)(void *context, const struct image_index_range *range),
		      void *context);

/* Of calls and lines: the stretch that `address` lies in. */
struct tr_stretch image_index_step(const struct image_index *index, uint64_t address);
/* Name of item 1, 2, …; and its number: the call around, or the line. */
const char *image_index_item(const struct image_index *index, uint32_t item,
			     uint32_t *number);

#endif
