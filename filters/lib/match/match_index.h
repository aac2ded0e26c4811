/* SPDX-License-Identifier: Apache-2.0 */
/* The two-level map from code to its possible sites (userspace paper, section V.B): by
 * page offset, then by instruction bits. A site is a binary and an address in it. */
#ifndef TR_MATCH_INDEX_H
#define TR_MATCH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "image/patch.h"
#include "stream/stream.h"

/* A binary to match against. The caller owns the image. */
struct tr_match_binary {
	const struct tr_image *image;
	enum tr_role role;
	bool any_priv; /* the source lacks privilege, so the role excludes nothing */
	bool has_base;
	uint64_t base; /* address at which its first byte was loaded */
};

/* A place that a block may come from: run-time address - bias = file address. */
struct tr_candidate {
	uint64_t bias;
	uint32_t binary;
};

struct tr_match_index;

/* Builds the index and copies the array. Returns NULL when out of memory. */
struct tr_match_index *tr_match_index_new(const struct tr_match_binary *binaries,
					  size_t count);
void tr_match_index_free(struct tr_match_index *index);
size_t tr_match_index_count(const struct tr_match_index *index);
const struct tr_match_binary *tr_match_index_binary(const struct tr_match_index *index,
						    uint32_t binary);

/* Returns true if the complete block is at `candidate`, bit for bit. */
bool tr_match_verify(const struct tr_match_index *index, const struct tr_block *block,
		     const struct tr_candidate *candidate);

/* Compares a block with the code at a kernel's candidate, since kernels patch themselves
 * at run time. Returns false if there is no code there or the source has no instruction
 * bits. */
bool tr_match_compare(const struct tr_match_index *index, const struct tr_block *block,
		      const struct tr_candidate *candidate, struct tr_patch *patch);

/* Returns true if the binary has any code at `pc`; false if its address is not fixed. */
bool tr_match_reaches(const struct tr_match_index *index, uint32_t binary, uint64_t pc);

/* Finds all verified places that the block may come from at privilege `priv`.
 * `*candidates` grows as needed; the caller frees it. Returns their number, or SIZE_MAX
 * when out of memory. The order is deterministic. */
size_t tr_match_candidates(const struct tr_match_index *index,
			   const struct tr_block *block, uint8_t priv,
			   struct tr_candidate **candidates, size_t *room);

/* Quick test before tr_match_is_entry(): returns true if `pc` has the page offset of a
 * user binary's entry point. */
bool tr_match_maybe_entry(const struct tr_match_index *index, uint64_t pc);
/* Returns true if the candidate places its binary's entry point at `pc`. */
bool tr_match_is_entry(const struct tr_match_index *index, uint64_t pc,
		       const struct tr_candidate *candidate);

#endif
