/* SPDX-License-Identifier: Apache-2.0 */
/* The functions of one file's DWARF in a compact form: what the child process
 * sends, and what a cache file holds.
 *
 *	 0  "tr-index"		8 bytes
 *	 8  version		u32, IMAGE_INDEX_VERSION
 *	12  units, damaged	u32 each: compilation units, those not read whole
 *	20  functions, ranges	u32 each
 *	28  bytes of names	u32
 *	32  key			16 bytes: hash of the file's content
 *	48  bytes of the file	u64
 *	56  damage		u32: name of the first damage; u32 0
 *	64  functions		16 bytes each: name u32, ranges u32, entry u64
 *	    ranges		16 bytes each: low u64, high u64
 *	    names		ended by 0 each
 *	    xxh64		u64, of all before
 *
 * All little-endian. A name is an offset into the names; the ranges of the
 * functions follow one another.
 */
#ifndef TR_IMAGE_INDEX_H
#define TR_IMAGE_INDEX_H

#include "buffer.h"

enum { IMAGE_INDEX_VERSION = 1, IMAGE_KEY_BYTES = 16, IMAGE_INDEX_RANGE_BYTES = 16 };

/* Which file an index is of. */
struct image_key {
	uint8_t hash[IMAGE_KEY_BYTES];
	uint64_t file_bytes;
};
void image_key_make(struct image_key *key, const uint8_t *data, size_t size);

/* Under construction. Zero-initialised is empty. */
struct image_index_writer {
	struct tr_buffer functions, ranges, names;
	uint32_t units, damaged;
};
void image_index_range(struct image_index_writer *writer, uint64_t low, uint64_t high);
/* A function, which owns the ranges added since the last one. */
void image_index_function(struct image_index_writer *writer, const char *name,
			  uint32_t nranges, uint64_t entry);
/* Appends the whole index to `out`, whose `failed` tells, and frees the writer.
 * `damage` is a text about the first damaged unit, "" if none. */
void image_index_finish(struct image_index_writer *writer, const struct image_key *key,
			const char *damage, struct tr_buffer *out);

/* A checked index, which lies in the caller's memory. */
struct image_index {
	const uint8_t *functions, *ranges;
	const char *names, *damage;
	uint32_t nfunctions, nranges, names_bytes;
	uint32_t units, damaged;
};
/* False if `data` is not the whole and undamaged index of the file `key`. */
bool image_index_read(struct image_index *index, const uint8_t *data, size_t size,
		      const struct image_key *key);

/* A range of a function; the name lies in the index. */
struct image_index_range {
	const char *name;
	uint64_t entry, low, high;
};
/* Calls `each` for all ranges in order, until it returns false: then false. */
bool image_index_walk(const struct image_index *index,
		      bool (*each)(void *context, const struct image_index_range *range),
		      void *context);

#endif
