/* SPDX-License-Identifier: Apache-2.0 */
/* Kernel code that differs from its file: patched at run time, or another kernel. */
#include "match/match_state.h"

/* Another kernel ran. All its matches were by chance, and a single wrong frame would
 * appear below all that it seems to have called. */
static void refuse_kernel(struct tr_match *match)
{
	uint32_t id = match->supervisor.id;
	match->report.wrong_kernel = true;
	tr_match_add_sum(&match->report.unknown, &match->kernel);
	for (size_t i = 0; i < match->last_count; i++)
		match->last[i] = LAST_NONE;
	for (struct match_held *held = match->oldest; held; held = held->next)
		for (uint32_t i = 0; i < held->nnotes; i++)
			if (held->notes[i].space == id) {
				held->notes[i].binary = TR_NOTE_UNKNOWN;
				held->notes[i].address = 0;
			}
	for (uint32_t i = 0; i < match->npairs; i++) {
		struct tr_note unknown = {.space = id,
					  .block = match->pairs[i].block,
					  .binary = TR_NOTE_UNKNOWN};
		if (match->pairs[i].space != id || match->pairs[i].state != PAIR_MATCHED)
			continue;
		tr_match_add_note(match, match->newest, &unknown);
		match->pairs[i].state = PAIR_UNKNOWN;
	}
}

/* Returns true if `tokens` more tokens may differ, given a fraction of those that agree
 * and a `free` allowance. */
static bool may_differ(const struct tr_match *match, unsigned tokens, unsigned free)
{
	uint64_t bound = free + match->kernel_tokens / TR_MATCH_PATCHED_IN;

	return match->patched_tokens + match->refused_tokens + tokens <= bound;
}

void tr_match_refuse(struct tr_match *match, const struct tr_block *block)
{
	if (!may_differ(match, block->tokens, TR_MATCH_PATCHED))
		match->report.too_patched++;
	match->refused_tokens += block->tokens;
	if (match->refused_tokens > TR_MATCH_PATCHED + match->kernel_tokens)
		refuse_kernel(match);
}

bool tr_match_believe(struct tr_match *match, const struct tr_block *block,
		      const struct tr_patch *patch)
{
	if (patch->other == 0) {
		match->kernel_tokens += patch->same;
		return true;
	}
	bool is_small = patch->other <= TR_MATCH_PATCH;
	/* Code that is unlike the file's is identified by its address alone, which counts
	 * only once the kernel is certain. */
	if (may_differ(match, block->tokens, is_small ? TR_MATCH_PATCHED : 0)) {
		match->patched_tokens += block->tokens;
		return true;
	}
	if (is_small)
		tr_match_refuse(match, block);
	return false;
}

void tr_match_reconsider(struct tr_match *match, const struct match_space *space,
			 uint32_t pair, const struct tr_block *block)
{
	struct tr_patch patch;
	const struct tr_candidate *place = tr_match_nearest(match, space, block, &patch);
	/* The block is among the refused ones. */
	if (!place || match->report.wrong_kernel || !may_differ(match, 0, 0))
		return;
	match->refused_tokens -= block->tokens;
	match->patched_tokens += block->tokens;
	match->report.patched++;
	tr_match_add_sum(&match->report.unknown, &match->pairs[pair].sum);
	match->pairs[pair].state = PAIR_MATCHED;
	tr_match_note(match, match->newest, space->id, match->pairs[pair].block,
		      block->pc, place);
}

const struct tr_candidate *tr_match_nearest(const struct tr_match *match,
					    const struct match_space *space,
					    const struct tr_block *block,
					    struct tr_patch *least)
{
	const struct tr_candidate *place = NULL;
	struct tr_patch patch;

	if (space != &match->supervisor)
		return NULL;
	for (size_t i = 0; i < space->nknown; i++) {
		if (!tr_match_compare(match->index, block, &space->known[i].place,
				      &patch) ||
		    patch.switched + patch.other == 0)
			continue;
		if (place && patch.other >= least->other)
			continue;
		place = &space->known[i].place;
		*least = patch;
	}
	return place;
}

size_t tr_match_switched(struct tr_match *match, const struct match_space *space,
			 const struct tr_block *block)
{
	const struct match_group *group = &space->group;
	struct tr_patch patch;
	size_t n = 0;

	if (space != &match->supervisor)
		return 0;
	if (!tr_grow(&match->scratch, &match->scratch_room, group->ncandidates + 1,
		     sizeof(*match->scratch)))
		return SIZE_MAX;
	for (size_t i = 0; i < group->ncandidates; i++)
		if (tr_match_compare(match->index, block, &group->candidates[i],
				     &patch) &&
		    patch.other == 0)
			match->scratch[n++] = group->candidates[i];
	return n;
}
