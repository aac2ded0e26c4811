/* SPDX-License-Identifier: Apache-2.0 */
/* Compact index of a file's DWARF: the format that the child process sends and that a
 * cache file holds. There are six kinds of index.
 *
 *	 0  "tr-index"		8 bytes
 *	 8  version		u32, IMAGE_INDEX_VERSION
 *	12  kind		u32, enum image_index_kind
 *	16  units, damaged	u32 each: compilation units; incompletely read ones
 *	24  items, extents	u32 each: counts
 *	32  bytes of names	u32
 *	36  damage		u32: name of the first damage, or of what is in other
 *				files if there is none
 *	40  key			16 bytes: hash of the file's content
 *	56  bytes of the file	u64
 *	64  items		functions: name u32, extents u32, entry u64,
 *				place of its declaration u32, if the name is shared
 *				calls: name u32, enclosing call u32
 *				lines, paths: name of the file u32, line u32
 *				scopes: description u32, enclosing scope u32
 *				spots: discriminator in decimal u32, line u32
 *	    extents		functions: low u64, high u64
 *				the others: low u64, item u32
 *	    names		terminated by 0 each
 *	    xxh64		u64, of all before
 *
 * All values are little-endian. A name or place is an offset into the names. The extents
 * of the functions follow one another. Any other extent ends where the next one
 * begins; they ascend, and their items count from 1, with 0 for none. Functions, calls
 * and scopes have names. An enclosing call or scope precedes those in it; they nest at
 * most IMAGE_CALLS_DEEP deep.
 *
 * A scope is a function or an inlined call. Its description has lines: name, in C++ and
 * Rust with classes and parameters; linkage name ("" if there is none), file and line of
 * its declaration, line and discriminator of the call. */
#ifndef TR_IMAGE_INDEX_H
#define TR_IMAGE_INDEX_H

#include "base/buffer.h"
#include "image/image.h"

enum { IMAGE_INDEX_VERSION = 6, IMAGE_KEY_BYTES = 16, IMAGE_INDEX_RANGE_BYTES = 16 };
enum { IMAGE_CALLS_DEEP = 64 };

enum image_index_kind {
	IMAGE_INDEX_FUNCTIONS,
	IMAGE_INDEX_CALLS, /* inlined calls */
	IMAGE_INDEX_LINES,
	IMAGE_INDEX_SCOPES, /* functions and inlined calls, and where they are called */
	IMAGE_INDEX_SPOTS,  /* lines with discriminators */
	IMAGE_INDEX_PATHS,  /* lines, with the paths of their files */
	IMAGE_INDEX_KINDS
};

/* Identifies the file that an index belongs to. */
struct image_key {
	uint8_t hash[IMAGE_KEY_BYTES];
	uint64_t file_bytes;
};
/* Hashes `size` bytes of a file. Returns false when the file is shorter or unreadable. */
bool tr_image_key_make(struct image_key *key, int fd, size_t size);

/* An index under construction. All zero is empty. */
struct image_index_writer {
	struct tr_buffer items, extents, names;
	uint32_t units, damaged;
};
void tr_image_index_add32(struct tr_buffer *buffer, uint64_t value);
/* Adds a function, which owns the ranges added to `extents` since the previous one. */
void tr_image_index_range(struct tr_buffer *extents, uint64_t low, uint64_t high);
void tr_image_index_function(struct image_index_writer *writer, const char *name,
			     const char *place, uint32_t nranges, uint64_t entry);
/* Appends the complete index to `out`, whose `failed` is set when out of memory, and
 * frees the writer. `damage` describes the first damaged unit, "" if none. */
void tr_image_index_finish(struct image_index_writer *writer, enum image_index_kind kind,
			   const struct image_key *key, const char *damage,
			   struct tr_buffer *out);

/* A verified index, in memory that the caller owns. */
struct image_index {
	const uint8_t *items, *extents;
	const char *names, *damage;
	uint32_t nitems, nextents, names_bytes;
	uint32_t units, damaged;
};
/* Returns the size of the index at the start of `data` according to its header, 0 if that
 * is invalid. */
size_t tr_image_index_size(const uint8_t *data, size_t size);
/* Verifies that `data` is the complete index of the file `key`. Returns false, with
 * *index empty, if it is not. */
bool tr_image_index_read(struct image_index *index, enum image_index_kind kind,
			 const uint8_t *data, size_t size, const struct image_key *key);

/* A range of a function; the strings point into the index. `place` may be "". */
struct image_index_range {
	const char *name, *place;
	uint64_t entry, low, high;
};
/* Calls `each` for all ranges in order until it returns false. Returns false in that
 * case. */
bool tr_image_index_walk(const struct image_index *index,
			 bool (*each)(void *context,
				      const struct image_index_range *range),
			 void *context);

/* Returns the range of a call or line that contains `address`. */
struct tr_stretch tr_image_index_step(const struct image_index *index, uint64_t address);
/* Returns the name of an item, from 1; *number is the enclosing call, or the line. */
const char *tr_image_index_item(const struct image_index *index, uint32_t item,
				uint32_t *number);

#endif
