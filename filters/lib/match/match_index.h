/* SPDX-License-Identifier: Apache-2.0 */
/* The two-level map from code to where it may come from (userspace paper,
 * section V.B): first by page offset, then by instruction bits, to the possible
 * sites. A site is a binary and an address in it.
 */
#ifndef TR_MATCH_INDEX_H
#define TR_MATCH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "image/patch.h"
#include "stream/stream.h"

/* A binary to match against. The image is the caller's. */
struct tr_match_binary {
	const struct tr_image *image;
	enum tr_role role;
	bool any_priv; /* the source tells no privilege: the role forbids nothing */
	bool has_base;
	uint64_t base; /* where its first byte was loaded */
};

/* A place a block may come from: run time address - bias = file address. */
struct tr_candidate {
	uint64_t bias;
	uint32_t binary;
};

struct tr_match_index;

/* Keeps its own copy of the array. NULL when out of memory. */
struct tr_match_index *tr_match_index_new(const struct tr_match_binary *binaries,
					  size_t count);
void tr_match_index_free(struct tr_match_index *index);
size_t tr_match_index_count(const struct tr_match_index *index);
const struct tr_match_binary *tr_match_index_binary(const struct tr_match_index *index,
						    uint32_t binary);

/* Is the whole block at `candidate`, bit for bit? */
bool tr_match_verify(const struct tr_match_index *index, const struct tr_block *block,
		     const struct tr_candidate *candidate);

/* How it differs from what the candidate, of a kernel, has there: kernels patch
 * themselves when they run. False if there is no code, or the source tells no bits. */
bool tr_match_compare(const struct tr_match_index *index, const struct tr_block *block,
		      const struct tr_candidate *candidate, struct tr_patch *patch);

/* Has the binary code at `pc`, whichever? False if its address is not fixed. */
bool tr_match_reaches(const struct tr_match_index *index, uint32_t binary, uint64_t pc);

/* All places, verified, where the block may come from when it runs at privilege
 * `priv`; `*candidates` grows as needed (malloc'd, the caller frees it). Returns
 * their count, or SIZE_MAX when out of memory. The order is fixed. */
size_t tr_match_candidates(const struct tr_match_index *index,
			   const struct tr_block *block, uint8_t priv,
			   struct tr_candidate **candidates, size_t *room);

/* May a program begin at `pc`: is it the entry of a user binary, as far as the
 * page offset tells? A quick test before tr_match_is_entry. */
bool tr_match_maybe_entry(const struct tr_match_index *index, uint64_t pc);
/* Does the candidate put `pc` at its binary's entry point? */
bool tr_match_is_entry(const struct tr_match_index *index, uint64_t pc,
		       const struct tr_candidate *candidate);

#endif
