/* SPDX-License-Identifier: Apache-2.0 */
/* Looks up the places that a block may come from. */
#include "base/buffer.h"
#include "match/match_index_state.h"
#include "match/match_stub_code.h"

static const struct run *find_run_of_half(const struct tr_match_index *index,
					  uint32_t half)
{
	size_t low = 0, high = index->nruns;
	while (high - low > 1) {
		size_t middle = (low + high) / 2;
		if (index->runs[middle].first_half <= half)
			low = middle;
		else
			high = middle;
	}
	return &index->runs[low];
}

struct found {
	struct tr_candidate **list;
	size_t *room;
	size_t count;
	bool failed;
};

static void add_found(struct found *found, const struct tr_candidate *candidate)
{
	if (tr_grow(found->list, found->room, found->count + 1, sizeof(**found->list)))
		(*found->list)[found->count++] = *candidate;
	else
		found->failed = true;
}

static void consider_candidate(const struct tr_match_index *index,
			       const struct tr_block *block, const struct run *run,
			       uint64_t address, uint8_t priv, struct found *found)
{
	const struct tr_match_binary *binary = &index->binaries[run->binary];
	struct tr_candidate candidate = {.bias = block->pc - address,
					 .binary = run->binary};
	if ((!binary->any_priv && !role_allows(binary->role, priv)) ||
	    !bias_allowed(binary, run, candidate.bias) ||
	    !tr_match_verify(index, block, &candidate))
		return;
	add_found(found, &candidate);
}

/* Where the run-time profiler has replaced code, a block may begin with other bits than
 * the file has. */
static void consider_jumps(const struct tr_match_index *index,
			   const struct tr_block *block, uint8_t priv,
			   struct found *found)
{
	struct tr_stub_jump jump;
	bool begins;
	for (size_t i = 0; i < index->nstubbed; i++) {
		const uint32_t b = index->stubbed[i];
		const struct tr_match_binary *binary = &index->binaries[b];
		if (is_floating_binary(binary) || !tr_match_may_run(index, b, priv))
			continue;
		const struct tr_candidate candidate = {tr_match_own_bias(index, b), b};
		if ((tr_stub_code_jump(binary, block, candidate.bias, &jump) &&
		     jump.begins_block) ||
		    (tr_stub_code_restored(binary, block, candidate.bias, &begins) &&
		     begins))
			add_found(found, &candidate);
	}
}

static void consider_bias(const struct tr_match_index *index,
			  const struct tr_block *block, const struct run *run,
			  uint64_t bias, uint8_t priv, struct found *found)
{
	uint64_t address = block->pc - bias;
	if (address - run->code.address < run->code.size)
		consider_candidate(index, block, run, address, priv, found);
}

/* Sources without instruction bits leave only addresses to compare. */
static void consider_address(const struct tr_match_index *index,
			     const struct tr_block *block, uint8_t priv,
			     struct found *found)
{
	for (size_t r = 0; r < index->nruns; r++) {
		const struct run *run = &index->runs[r];
		const struct tr_match_binary *binary = &index->binaries[run->binary];
		uint64_t delta = (uint64_t)run->code.load_delta;
		if (binary->has_base)
			consider_bias(index, block, run, base_bias(binary), priv, found);
		else if (!tr_image_is_pie(binary->image))
			consider_bias(index, block, run, 0, priv, found);
		if (!binary->has_base && !tr_image_is_pie(binary->image) && delta)
			consider_bias(index, block, run, delta, priv, found);
	}
}

uint64_t tr_match_own_bias(const struct tr_match_index *index, uint32_t binary)
{
	const struct tr_match_binary *b = &index->binaries[binary];
	return b->has_base ? base_bias(b) : 0;
}

bool tr_match_inner(const struct tr_match_index *index, const struct tr_block *block,
		    uint8_t priv, struct tr_candidate *place)
{
	for (size_t i = 0; i < index->parts.count; i++) {
		const struct tr_match_part *part = &index->parts.list[i];
		const struct tr_match_binary *inner = &index->binaries[part->part.binary];
		if (part->whole.binary != place->binary ||
		    part->whole.bias != place->bias ||
		    (!inner->any_priv && !role_allows(inner->role, priv)) ||
		    !tr_match_verify(index, block, &part->part))
			continue;
		*place = part->part;
		return true;
	}
	return false;
}

/* Drops the candidates that contain another one. Returns how many are left. */
static size_t keep_inner(const struct tr_match_index *index, const struct tr_block *block,
			 uint8_t priv, struct tr_candidate *list, size_t count)
{
	size_t kept = 0;
	for (size_t i = 0; i < count && index->parts.count; i++) {
		struct tr_candidate place = list[i];
		if (!tr_match_inner(index, block, priv, &place))
			list[kept++] = place;
	}
	return index->parts.count ? kept : count;
}

size_t tr_match_candidates(const struct tr_match_index *index,
			   const struct tr_block *block, uint8_t priv,
			   struct tr_candidate **candidates, size_t *room)
{
	struct found found = {.list = candidates, .room = room};
	if (block->no_bits) {
		consider_address(index, block, priv, &found);
		return found.failed
			   ? SIZE_MAX
			   : keep_inner(index, block, priv, *candidates, found.count);
	}
	unsigned offset = (unsigned)(block->pc % PAGE / 2);
	uint32_t bits = insn_bits_at(block->code, block->code + block->bytes);
	uint32_t low = index->first[offset], end = index->first[offset + 1], high = end;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (index->sites[middle].bits < bits)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < end && index->sites[low].bits == bits; low++) {
		const struct run *run = find_run_of_half(index, index->sites[low].half);
		uint64_t half = index->sites[low].half - run->first_half;
		consider_candidate(index, block, run, run->code.address + half * 2, priv,
				   &found);
	}
	if (index->nstubbed)
		consider_jumps(index, block, priv, &found);
	return found.failed ? SIZE_MAX
			    : keep_inner(index, block, priv, *candidates, found.count);
}

/* User programs that are in no file have code like that of a large one by chance. */
static bool is_large_alias(const struct tr_match_index *index,
			   const struct tr_candidate *place, uint8_t priv)
{
	return tr_mode_is_user(tr_mode_of(priv)) &&
	       tr_match_size(index, place->binary) > MOVED_MAX &&
	       tr_match_is_alias(index, place);
}

/* Verifies the places at which an anchor of the block was found. Returns how many were
 * added. */
static size_t keep_places(const struct tr_match_index *index,
			  const struct tr_block *block, uint8_t priv,
			  const struct tr_anchored_place *places, size_t n,
			  struct tr_candidate *candidates)
{
	size_t kept = 0;
	for (size_t i = 0; i < n; i++) {
		const struct tr_match_binary *binary = &index->binaries[places[i].binary];
		struct tr_candidate candidate = {.bias = block->pc - places[i].address,
						 .binary = places[i].binary};
		if ((binary->any_priv || role_allows(binary->role, priv)) &&
		    !is_large_alias(index, &candidate, priv) &&
		    tr_match_verify(index, block, &candidate))
			candidates[kept++] = candidate;
	}
	return kept;
}

size_t tr_match_floating(const struct tr_match_index *index, const struct tr_block *block,
			 uint8_t priv, struct tr_candidate candidates[TR_MATCH_PLACES],
			 bool *absent)
{
	struct tr_anchored_place places[TR_ANCHOR_COMMON];
	bool is_absent = true;
	*absent = block->no_bits;
	if (block->no_bits)
		return 0;
	size_t n = tr_match_anchors_find(index->paged, block->pc, block->code,
					 block->bytes, places, absent);
	size_t kept = keep_places(index, block, priv, places, n, candidates);
	*absent |= n && !kept;
	if (!index->moves[tr_mode_of(priv).nominal])
		return kept;
	n = tr_match_anchors_find(index->anywhere, block->pc, block->code, block->bytes,
				  places, &is_absent);
	*absent &= is_absent;
	return kept + keep_places(index, block, priv, places, n, candidates + kept);
}
