/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the binaries and addresses that code may come from. Binaries with a fixed address
 * are in the two-level map of the userspace paper (section V.B): by page offset, then by
 * instruction bits. Position-independent ones, which float until their place is known,
 * are found by anchors (match_anchors.h). So is code that does not run at the address in
 * its file: a page that is mapped twice, as the trampoline of a kernel, or firmware that
 * copied itself. */
#ifndef TR_MATCH_INDEX_H
#define TR_MATCH_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "image/image.h"
#include "image/patch.h"
#include "image/stub_files.h"
#include "match/match_anchors.h"
#include "stream/stream.h"

/* A binary to match against. The caller owns the image. */
struct tr_match_binary {
	const struct tr_image *image;
	enum tr_role role;
	bool overlays; /* of a file, all of whose parts are here, one after the other */
	bool any_priv; /* the source lacks privilege, so the role excludes nothing */
	bool has_base;
	uint64_t base; /* address at which its first byte was loaded */
	/* Files of the run-time profiler, which may have placed stubs; NULL: none. */
	const struct tr_stub_files *stubs;
	uint32_t stubs_number; /* number of the binary that notes on stubs refer to */
};

/* A place that a block may come from: run-time address - bias = file address. */
struct tr_candidate {
	uint64_t bias;
	uint32_t binary;
};

enum { TR_MATCH_PLACES = 2 * TR_ANCHOR_COMMON };

struct tr_match_index;

/* Builds the index and copies the array. Returns NULL when out of memory. */
struct tr_match_index *tr_match_index_new(const struct tr_match_binary *binaries,
					  size_t count);
void tr_match_index_free(struct tr_match_index *index);
size_t tr_match_index_count(const struct tr_match_index *index);
const struct tr_match_binary *tr_match_index_binary(const struct tr_match_index *index,
						    uint32_t binary);

/* Returns true if the complete block is at `candidate`, bit for bit, except for the bits
 * that relocations write in a kernel module, for the jump to a stub at its end, and for
 * the first instruction of a program that prof-extract has stopped. */
bool tr_match_verify(const struct tr_match_index *index, const struct tr_block *block,
		     const struct tr_candidate *candidate);

/* Returns true if the block is in several overlays of a file, so that it cannot be
 * identified without knowing which one was loaded last. */
bool tr_match_is_in_overlays(const struct tr_match_index *index,
			     const struct tr_block *block, uint8_t priv);

/* Compares a block with the code at a kernel's candidate, since kernels patch themselves
 * at run time. Returns false if there is no code there, it is an alias, or the source has
 * no instruction bits. */
bool tr_match_compare(const struct tr_match_index *index, const struct tr_block *block,
		      const struct tr_candidate *candidate, struct tr_patch *patch);

/* Returns true if the binary has any code at `pc`; false if its address is not fixed. */
bool tr_match_reaches(const struct tr_match_index *index, uint32_t binary, uint64_t pc);

/* Finds the binary that is contained in another one at `place`: a payload that was linked
 * into firmware is named by its own file, and a copy of a file, of the same build-id, by
 * the first one. Returns true, with *place changed, if there is one that has the block
 * and may run at the privilege. */
bool tr_match_inner(const struct tr_match_index *index, const struct tr_block *block,
		    uint8_t priv, struct tr_candidate *place);

/* Finds all verified places of binaries with a fixed address, without those that contain
 * another of them, that the block may come from
 * at privilege `priv`. `*candidates` grows as needed; the caller frees it. Returns their
 * number, or SIZE_MAX when out of memory. The order is deterministic. */
size_t tr_match_candidates(const struct tr_match_index *index,
			   const struct tr_block *block, uint8_t priv,
			   struct tr_candidate **candidates, size_t *room);

/* Finds verified places of floating binaries, and aliases. Returns
 * their number. With 0, *absent is true if the block is in none of them; if it is false
 * the block is too short or too common to be looked up, and may be part of any of them.
 */
size_t tr_match_floating(const struct tr_match_index *index, const struct tr_block *block,
			 uint8_t priv, struct tr_candidate candidates[TR_MATCH_PLACES],
			 bool *absent);
/* Returns true if the place differs from the one at the fixed address of its binary. */
bool tr_match_is_alias(const struct tr_match_index *index,
		       const struct tr_candidate *place);
/* Returns true if the code at an alias could be a copy, which does not overlap the
 * original. It does in another build, whose code is the same but for some bytes more. */
bool tr_match_is_apart(const struct tr_match_index *index,
		       const struct tr_candidate *alias);
/* Returns the size of the binary's code in bytes. */
uint64_t tr_match_size(const struct tr_match_index *index, uint32_t binary);
/* Returns the bias at which a binary with a fixed address is, of which there is code. */
uint64_t tr_match_own_bias(const struct tr_match_index *index, uint32_t binary);
/* Return the number of binaries with stubs, and the nth of them. */
size_t tr_match_stubbed_count(const struct tr_match_index *index);
uint32_t tr_match_stubbed(const struct tr_match_index *index, size_t nth);
/* Returns the size of the largest code of stubs. */
uint32_t tr_match_stub_bytes(const struct tr_match_index *index);
/* Returns true if the binary has code, which may run at the privilege. */
bool tr_match_may_run(const struct tr_match_index *index, uint32_t binary, uint8_t priv);
/* Returns true if the binary's address is not fixed. */
bool tr_match_floats(const struct tr_match_index *index, uint32_t binary);
/* Returns true if there is any code at `pc` if the binary is at that place. */
bool tr_match_covers(const struct tr_match_index *index,
		     const struct tr_candidate *candidate, uint64_t pc);

/* Sets the run-time addresses [*low, *high) of all code of the binary at that place. */
void tr_match_extent(const struct tr_match_index *index,
		     const struct tr_candidate *candidate, uint64_t *low, uint64_t *high);

/* Returns true if the block, at the landing of a return to U-mode, is where a kernel
 * begins to execute a program: the entry point of one without an interpreter, or of the
 * interpreter (the dynamic loader) itself. */
bool tr_match_is_entry(const struct tr_match_index *index, const struct tr_block *block);

#endif
