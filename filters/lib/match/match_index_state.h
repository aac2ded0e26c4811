/* SPDX-License-Identifier: Apache-2.0 */
/* The index, for match_index.c, which builds it, and match_places.c, which looks up. */
#ifndef TR_MATCH_INDEX_STATE_H
#define TR_MATCH_INDEX_STATE_H

#include "base/little.h"
#include "match/match_index.h"
#include "match/match_inner.h"
#include "stream/reader.h"

enum { PAGE = 4096, LARGE_PAGE = 1 << 21, OFFSETS = PAGE / 2 };
enum { MOVED_MAX = 1 << 20 }; /* bytes of code that may copy itself */

struct site {
	uint32_t bits; /* low 32 bits of the instruction */
	uint32_t half; /* index over the halfwords of all runs */
};

struct run {
	struct tr_code code;
	uint32_t binary;
	uint32_t first_half;
};

struct tr_match_index {
	struct tr_match_binary *binaries;
	size_t nbinaries;
	struct run *runs; /* of binaries with a fixed address */
	size_t nruns, run_room;
	struct site *sites;		/* sorted by page offset, then bits, then half */
	uint32_t first[OFFSETS + 1];	/* first site of each page offset */
	struct tr_match_anchors *paged; /* of binaries that pages may be mapped of */
	struct tr_match_anchors *anywhere; /* of kernel modules, and of what may copy
					    * itself */
	uint32_t *entries;		   /* binaries, by page offset of their entry */
	uint32_t first_entry[OFFSETS + 1];
	struct tr_match_parts parts;
	bool moves[TR_NOMINAL_PRIVS]; /* by privilege: some of `anywhere` may run */
	bool overlays;		      /* a binary has some */
	uint32_t *stubbed;	      /* binaries with stubs */
	size_t nstubbed;
};

/* Returns the bits of the instruction at `at`, 0 if it extends beyond `end`. */
static inline uint32_t insn_bits_at(const uint8_t *at, const uint8_t *end)
{
	if (end - at < 2)
		return 0;
	uint32_t low = tr_load16(at);
	unsigned size = tr_insn_length(low);
	if (size == 2 || size == 0)
		return low;
	return end - at < 4 ? 0 : tr_load32(at);
}

static inline bool is_floating_binary(const struct tr_match_binary *binary)
{
	return tr_image_is_pie(binary->image) && !binary->has_base;
}

/* A kernel's file need not say where it is loaded, and a kernel may relocate itself
 * (KASLR) in steps of a large page, as its page tables require. */
static inline bool may_relocate(const struct tr_match_binary *binary)
{
	return binary->role == TR_ROLE_KERNEL && !binary->has_base &&
	       !tr_image_is_module(binary->image);
}

static inline bool role_allows(enum tr_role role, uint8_t priv)
{
	switch (role) {
	case TR_ROLE_FIRMWARE:
		return tr_mode_is_machine(tr_mode_of(priv));
	case TR_ROLE_KERNEL:
		return tr_mode_is_supervisor(tr_mode_of(priv));
	case TR_ROLE_USER:
		return tr_mode_is_user(tr_mode_of(priv));
	default:
		return true;
	}
}

/* Returns the bias of a binary that has a base and some code. */
static inline uint64_t base_bias(const struct tr_match_binary *binary)
{
	return binary->base - tr_image_code(binary->image, 0)->address / PAGE * PAGE;
}

/* Returns true if the binary can run with this bias without being searched for. An
 * executable runs where it is linked, or at its physical load address before translation
 * is on; a base given by the user is authoritative. */
static inline bool bias_allowed(const struct tr_match_binary *binary,
				const struct run *run, uint64_t bias)
{
	if (binary->has_base)
		return bias == base_bias(binary);
	return bias == 0 || bias == (uint64_t)run->code.load_delta;
}

#endif
