/* SPDX-License-Identifier: Apache-2.0 */
/* Narrows down the place that a space's blocks come from. */
#include <stdlib.h>
#include <string.h>

#include "match/match_state.h"

struct tr_match_sum *tr_match_sum_of(struct tr_match *match, enum match_pair_state state)
{
	switch (state) {
	case PAIR_MATCHED:
		return &match->report.matched;
	case PAIR_UNKNOWN:
	case PAIR_REFUSED:
		return &match->report.unknown;
	default:
		return &match->report.ambiguous;
	}
}

void tr_match_add_sum(struct tr_match_sum *to, struct tr_match_sum *from)
{
	to->instructions += from->instructions;
	to->cycles += from->cycles;
	*from = (struct tr_match_sum){0};
}

static void set_pair_state(struct tr_match *match, uint32_t pair,
			   enum match_pair_state state)
{
	if (pair != NO_PAIR)
		match->pairs[pair].state = (uint8_t)state;
}

/* Pseudo-places for note(). */
static const struct tr_candidate AMBIGUOUS = {.binary = TR_NOTE_AMBIGUOUS},
				 UNKNOWN = {.binary = TR_NOTE_UNKNOWN};

void tr_match_note(struct tr_match *match, struct match_held *held, uint32_t space,
		   uint32_t block, uint64_t pc, const struct tr_candidate *place)
{
	struct tr_note note = {.space = space, .block = block, .binary = place->binary};
	if (place->binary < TR_NOTE_AMBIGUOUS)
		note.address = pc - place->bias;
	tr_match_add_note(match, held, &note);
}

static void note(struct tr_match *match, struct match_held *held, uint32_t space,
		 const struct match_waiting *waiting, const struct tr_candidate *place)
{
	tr_match_note(match, held, space, waiting->block, waiting->pc, place);
}

/* The sum from earlier frames is ambiguous for good; in the newest frame the pair may
 * still be decided. */
static void give_up_grouped(struct tr_match *match, struct match_space *space,
			    struct match_waiting *waiting)
{
	bool settled = waiting->held != match->newest;
	if (waiting->held) {
		note(match, waiting->held, space->id, waiting, &AMBIGUOUS);
		waiting->held->waiting--;
		waiting->held = NULL;
	}
	if (waiting->pair == NO_PAIR)
		return;
	if (settled)
		tr_match_add_sum(&match->report.ambiguous,
				 &match->pairs[waiting->pair].sum);
	set_pair_state(match, waiting->pair, PAIR_AMBIGUOUS);
}

void tr_match_settle(struct tr_match *match, struct match_space *space)
{
	struct match_group *group = &space->group;
	for (size_t i = 0; i < group->nwaiting && group->gave_up; i++)
		if (group->waiting[i].pair != NO_PAIR)
			tr_match_add_sum(&match->report.ambiguous,
					 &match->pairs[group->waiting[i].pair].sum);
	tr_match_settle_floating(match, space);
}

/* Makes the blocks of the group ambiguous unless they are decided later. */
static void give_up_group(struct tr_match *match, struct match_space *space)
{
	struct match_group *group = &space->group;
	size_t kept = 0;
	for (size_t i = 0; i < group->nwaiting && !group->gave_up; i++) {
		give_up_grouped(match, space, &group->waiting[i]);
		if (group->waiting[i].pair != NO_PAIR)
			group->waiting[kept++] = group->waiting[i];
	}
	if (!group->gave_up)
		group->nwaiting = kept;
	group->gave_up = true;
	tr_match_add_sum(&match->report.ambiguous, &group->older);
}

void tr_match_give_up(struct tr_match *match, struct match_space *space)
{
	give_up_group(match, space);
	tr_match_give_up_floating(match, space);
}

static void clear_group(struct match_group *group)
{
	group->ncandidates = group->nwaiting = 0;
	group->agreed = group->distinct = 0;
	group->gave_up = false;
}

static void shrink_group(struct match_group *group)
{
	if (group->nwaiting || group->ncandidates)
		return;
	free(group->waiting);
	free(group->candidates);
	group->waiting = NULL;
	group->candidates = NULL;
	group->waiting_room = group->candidate_room = 0;
}

void tr_match_shrink(struct match_space *space)
{
	shrink_group(&space->group);
	tr_match_shrink_floating(&space->floating);
}

static bool is_known_binary(const struct match_space *space, uint32_t binary)
{
	for (size_t i = 0; i < space->nknown; i++)
		if (space->known[i].place.binary == binary)
			return true;
	return false;
}

/* User code at `pc` is in no binary. Rules out every binary with other code there, even
 * if they share a library. A binary that was already known is exempt, because it may
 * modify its code. */
static void refute_binaries_at(struct tr_match *match, struct match_space *space,
			       uint64_t pc)
{
	size_t count = tr_match_index_count(match->index);
	if (!space->refuted)
		space->refuted = calloc(count + 1, sizeof(*space->refuted));
	if (!space->refuted) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	for (uint32_t i = 0; i < count; i++)
		space->refuted[i] |=
		    !is_known_binary(space, i) && tr_match_reaches(match->index, i, pc);
}

/* One place is left: all waiting blocks come from it, or else from a program that is not
 * listed. */
static void resolve_group(struct tr_match *match, struct match_space *space)
{
	struct match_group *group = &space->group;
	struct tr_candidate place = group->candidates[0];
	enum match_pair_state state = PAIR_MATCHED;
	if (space->refuted && space->refuted[place.binary]) {
		place = UNKNOWN;
		state = PAIR_UNKNOWN;
	} else if (!tr_known_add(match, space, &(struct match_place){.place = place})) {
		return;
	}
	for (size_t i = 0; i < group->nwaiting; i++) {
		struct match_waiting *waiting = &group->waiting[i];
		struct match_held *held = waiting->held;
		if (held)
			held->waiting--;
		else if (waiting->pair == NO_PAIR)
			continue;
		note(match, held ? held : match->newest, space->id, waiting, &place);
		set_pair_state(match, waiting->pair, state);
	}
	tr_match_add_sum(tr_match_sum_of(match, state), &group->older);
	clear_group(group);
	shrink_group(group);
}

void tr_match_prove(struct tr_match *match, struct match_space *space,
		    const struct tr_candidate *place)
{
	struct match_group *group = &space->group;
	if (is_known_binary(space, place->binary))
		return;
	if (space->refuted)
		space->refuted[place->binary] = false;
	for (size_t i = 0; i < group->ncandidates; i++)
		if (tr_match_same_place(&group->candidates[i], place)) {
			group->candidates[0] = *place;
			group->ncandidates = 1;
			resolve_group(match, space);
			return;
		}
	tr_known_add(match, space, &(struct match_place){.place = *place});
}

/* Keeps the candidates that are also in `others`. Returns false, and changes nothing, if
 * there is none. */
static bool intersect_candidates(struct match_group *group,
				 const struct tr_candidate *others, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < group->ncandidates; i++)
		for (size_t j = 0; j < n; j++)
			if (tr_match_same_place(&group->candidates[i], &others[j])) {
				struct tr_candidate swap = group->candidates[kept];
				group->candidates[kept++] = group->candidates[i];
				group->candidates[i] = swap;
				break;
			}
	if (kept)
		group->ncandidates = kept;
	return kept;
}

static void begin_group(struct tr_match *match, struct match_group *group,
			const struct tr_candidate *candidates, size_t n)
{
	clear_group(group);
	if (!tr_grow(&group->candidates, &group->candidate_room, n,
		     sizeof(*group->candidates))) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	memcpy(group->candidates, candidates, n * sizeof(*candidates));
	group->ncandidates = n;
}

static void wait_in_group(struct tr_match *match, struct match_space *space,
			  uint32_t pair, const struct tr_block *block)
{
	struct match_group *group = &space->group;
	if (!tr_grow(&group->waiting, &group->waiting_room, group->nwaiting + 1,
		     sizeof(*group->waiting))) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	struct match_waiting *waiting = &group->waiting[group->nwaiting++];
	*waiting = (struct match_waiting){.pc = block->pc,
					  .held = match->newest,
					  .pair = pair,
					  .block = match->pairs[pair].block};
	match->newest->waiting++;
	match->pairs[pair].state = PAIR_WAITING;
	group->agreed += block->tokens;
	group->distinct += block->tokens;
	if (group->ncandidates == 1 && group->agreed >= match->options.depth)
		resolve_group(match, space);
	else if (group->gave_up)
		give_up_grouped(match, space, waiting);
	else if (group->distinct > match->options.history)
		give_up_group(match, space);
}

static bool is_fixed(const struct tr_match *match, const struct tr_candidate *candidate)
{
	return !tr_match_floats(match->index, candidate->binary) &&
	       !tr_match_is_alias(match->index, candidate);
}

/* An address space holds one program with a fixed address. Returns true if it is known
 * and the block can only be of another such program, which has then replaced it. */
static bool contradicts_program(const struct tr_match *match,
				const struct match_space *space,
				const struct tr_candidate *candidates, size_t n)
{
	bool has_program = false;
	for (size_t i = 0; i < space->nknown; i++) {
		has_program |= is_fixed(match, &space->known[i].place);
		for (size_t k = 0; k < n; k++)
			if (tr_match_same_place(&space->known[i].place, &candidates[k]))
				return false;
	}
	for (size_t i = 0; i < n; i++)
		if (!is_fixed(match, &candidates[i]))
			return false;
	return has_program || space->group.ncandidates;
}

static void decide_known(struct tr_match *match, const struct match_space *space,
			 uint32_t pair, const struct tr_block *block,
			 const struct tr_candidate *place)
{
	struct match_waiting now = {.pc = block->pc, .block = match->pairs[pair].block};
	note(match, match->newest, space->id, &now, place);
	set_pair_state(match, pair, PAIR_MATCHED);
}

static bool match_known_place(struct tr_match *match, struct match_space *space,
			      uint8_t priv, uint32_t pair, const struct tr_block *block)
{
	for (size_t i = 0; i < space->nknown; i++) {
		struct match_place *known = &space->known[i];
		if (!tr_match_verify(match->index, block, &known->place))
			continue;
		struct tr_candidate inner = known->place;
		if (tr_match_inner(match->index, block, priv, &inner))
			continue; /* that one is known, or searched for */
		known->agreed += block->tokens;
		if (space == &match->supervisor)
			match->kernel_tokens += block->tokens;
		decide_known(match, space, pair, block, &known->place);
		return true;
	}
	return false;
}

static void mark_unknown(struct tr_match *match, struct match_space *space, uint32_t pair,
			 uint64_t pc)
{
	if (!match->report.first_unknown)
		match->report.first_unknown = pc;
	match->report.stubs_differ += tr_stubs_cover(match, space, pc);
	struct tr_note unknown = {.space = space->id,
				  .block = match->pairs[pair].block,
				  .binary = TR_NOTE_UNKNOWN};
	tr_match_add_note(match, match->newest, &unknown);
	set_pair_state(match, pair, PAIR_UNKNOWN);
}

static void mark_ambiguous(struct tr_match *match, const struct match_space *space,
			   uint32_t pair)
{
	const struct tr_note ambiguous = {.space = space->id,
					  .block = match->pairs[pair].block,
					  .binary = TR_NOTE_AMBIGUOUS};
	tr_match_add_note(match, match->newest, &ambiguous);
	set_pair_state(match, pair, PAIR_AMBIGUOUS);
}

/* Makes the block wait until one of the `n` candidates of its group is left. Returns
 * false, and changes nothing, if another program has replaced the space's. */
static bool join_candidate_group(struct tr_match *match, struct match_space *space,
				 uint8_t priv, uint32_t pair,
				 const struct tr_block *block, size_t n)
{
	struct match_group *group = &space->group;
	if (group->ncandidates == 0 || !intersect_candidates(group, match->scratch, n)) {
		if (tr_mode_is_user(tr_mode_of(priv)) && space->old &&
		    contradicts_program(match, space, match->scratch, n))
			return false;
		give_up_group(match, space);
		begin_group(match, group, match->scratch, n);
	}
	wait_in_group(match, space, pair, block);
	return true;
}

bool tr_match_classify(struct tr_match *match, struct match_space *space, uint8_t priv,
		       uint32_t pair, const struct tr_block *block)
{
	struct tr_patch patch;
	if (space == &match->supervisor && match->report.wrong_kernel) {
		mark_unknown(match, space, pair, block->pc);
		return true;
	}
	if (tr_match_is_in_overlays(match->index, block, priv)) {
		mark_ambiguous(match, space, pair);
		return true;
	}
	if (tr_match_stubbed_count(match->index)) {
		tr_stubs_see(match, space, priv, block);
		if (tr_stubs_decide(match, space, pair, block))
			return true;
	}
	if (!match->options.no_cache &&
	    match_known_place(match, space, priv, pair, block)) {
		match->report.cached++;
		return true;
	}
	if (tr_jits_decide(match, space, pair, block, false))
		return true;
	const struct tr_candidate *place = tr_match_nearest(match, space, block, &patch);
	if (place && tr_match_believe(match, block, &patch)) {
		match->report.patched++;
		decide_known(match, space, pair, block, place);
		return true;
	}
	match->report.searched++;
	size_t n = tr_match_candidates(match->index, block, priv, &match->scratch,
				       &match->scratch_room);
	if (n == 0)
		n = tr_match_switched(match, space, block);
	if (n == SIZE_MAX) {
		tr_match_fail(match, TR_E_NOMEM);
		return true;
	}
	if (n)
		return join_candidate_group(match, space, priv, pair, block, n);
	if (!place && tr_jits_decide(match, space, pair, block, true))
		return true;
	if (tr_mode_is_user(tr_mode_of(priv)))
		refute_binaries_at(match, space, block->pc);
	/* Where a module was another one may be now, but not where the kernel is. */
	if (place && tr_match_floats(match->index, place->binary))
		place = NULL;
	enum match_float_answer answer =
	    place ? MATCH_FLOAT_ABSENT : tr_match_float(match, space, priv, pair, block);
	if (answer != MATCH_FLOAT_ABSENT)
		return answer == MATCH_FLOAT_WAITS;
	mark_unknown(match, space, pair, block->pc);
	if (place && patch.other > TR_MATCH_PATCH) {
		tr_match_refuse(match, block);
		set_pair_state(match, pair, PAIR_REFUSED);
	}
	return true;
}

void tr_match_corroborate(struct tr_match *match, struct match_space *space, uint8_t priv,
			  const struct tr_block *block)
{
	struct match_group *group = &space->group;
	if (!group->nwaiting || group->gave_up)
		return;
	size_t n = tr_match_candidates(match->index, block, priv, &match->scratch,
				       &match->scratch_room);
	if (n == SIZE_MAX) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	if (!intersect_candidates(group, match->scratch, n))
		return;
	group->agreed += block->tokens;
	if (group->ncandidates == 1 && group->agreed >= match->options.depth)
		resolve_group(match, space);
}

void tr_match_space_release(struct tr_match *match, struct match_space *space)
{
	tr_match_give_up(match, space);
	free(space->known);
	free(space->areas);
	free(space->refuted);
	free(space->group.candidates);
	free(space->group.waiting);
	free(space->floating.guesses);
	free(space->floating.waiting);
}
