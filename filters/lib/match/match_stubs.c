/* SPDX-License-Identifier: Apache-2.0 */
/* Stubs of the run-time profiler in a space. A jump from an entry tells where an area is;
 * the first stub that runs there proves it, or shows that it was no such jump. Areas are
 * remembered as long as the space lives: the profiler may be detached and place its stubs
 * elsewhere, and code that is no stub may come to be where they were. */
#include <stdlib.h>

#include "match/match_state.h"
#include "match/match_stub_code.h"

static const struct tr_match_binary *binary_of_area(const struct tr_match *match,
						    const struct tr_stub_area *area)
{
	return tr_match_index_binary(match->index, area->binary);
}

static bool has_area(const struct match_space *space, uint32_t binary, uint64_t bias,
		     const struct tr_stub_jump *jump)
{
	for (uint32_t i = 0; i < space->nareas; i++) {
		const struct tr_stub_area *area = &space->areas[i];
		if (area->binary == binary && area->bias == bias &&
		    area->area == jump->area && area->base == jump->base)
			return true;
	}
	return false;
}

void tr_stubs_learn(struct tr_match *match, struct match_space *space,
		    const struct tr_block *block, const struct tr_candidate *place)
{
	const struct tr_match_binary *binary =
	    tr_match_index_binary(match->index, place->binary);
	struct tr_stub_jump jump;
	if (!binary->stubs || !tr_stub_code_jump(binary, block, place->bias, &jump) ||
	    !jump.base || has_area(space, place->binary, place->bias, &jump))
		return;
	struct tr_stub_area *areas =
	    realloc(space->areas, (space->nareas + 1UL) * sizeof(*areas));
	if (!areas) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	space->areas = areas;
	areas[space->nareas++] = (struct tr_stub_area){.bias = place->bias,
						       .base = jump.base,
						       .binary = place->binary,
						       .area = jump.area,
						       .plan = TR_STUB_PLAN_UNKNOWN};
}

void tr_stubs_see(struct tr_match *match, struct match_space *space, uint8_t priv,
		  const struct tr_block *block)
{
	for (size_t i = 0; i < tr_match_stubbed_count(match->index); i++) {
		const uint32_t b = tr_match_stubbed(match->index, i);
		if (!tr_match_may_run(match->index, b, priv))
			continue;
		if (!tr_match_floats(match->index, b))
			tr_stubs_learn(match, space, block,
				       &(struct tr_candidate){
					   tr_match_own_bias(match->index, b), b});
		for (size_t k = 0; k < space->nknown; k++)
			if (space->known[k].place.binary == b)
				tr_stubs_learn(match, space, block,
					       &space->known[k].place);
	}
}

/* Returns true if the block is a stub in the area, whose counters may have changed. */
static bool is_stub_in(struct tr_match *match, struct tr_stub_area *area,
		       const struct tr_block *block)
{
	const struct tr_match_binary *binary = binary_of_area(match, area);
	if (tr_stub_code_check(binary, area, block, match->stub_scratch))
		return true;
	struct tr_stub_area anew = *area;
	anew.counters = 0;
	anew.plan = TR_STUB_PLAN_UNKNOWN;
	if (!area->counters ||
	    !tr_stub_code_check(binary, &anew, block, match->stub_scratch))
		return false;
	*area = anew;
	match->report.stub_places++;
	return true;
}

/* Returns the area in which the block is a stub, the latest of several; NULL if there is
 * none. */
static struct tr_stub_area *find_stub_area(struct tr_match *match,
					   const struct match_space *space,
					   const struct tr_block *block, uint32_t *offset)
{
	for (uint32_t i = space->nareas; i-- > 0;) {
		struct tr_stub_area *area = &space->areas[i];
		if (tr_stub_code_covers(binary_of_area(match, area), area, block->pc,
					offset) &&
		    is_stub_in(match, area, block))
			return area;
	}
	return NULL;
}

bool tr_stubs_cover(const struct tr_match *match, const struct match_space *space,
		    uint64_t pc)
{
	uint32_t offset;
	for (uint32_t i = 0; i < space->nareas; i++)
		if (tr_stub_code_covers(binary_of_area(match, &space->areas[i]),
					&space->areas[i], pc, &offset))
			return true;
	return false;
}

/* What seemed to be jumps to the area are unknown from this frame on. */
static void revoke_jumps(struct tr_match *match, const struct match_space *space,
			 const struct tr_stub_area *area)
{
	static const struct tr_candidate UNKNOWN = {.binary = TR_NOTE_UNKNOWN};
	struct tr_stub_jump jump;
	for (uint32_t i = 0; i < match->npairs; i++) {
		struct match_pair *pair = &match->pairs[i];
		if (pair->space != space->id || pair->state != PAIR_MATCHED)
			continue;
		const struct tr_block *block =
		    tr_reader_block(match->reader, pair->block);
		if (!tr_stub_code_jump(binary_of_area(match, area), block, area->bias,
				       &jump) ||
		    jump.area != area->area || jump.base != area->base)
			continue;
		tr_match_note(match, match->newest, space->id, pair->block, block->pc,
			      &UNKNOWN);
		match->last[pair->block] = LAST_NONE;
		pair->state = PAIR_UNKNOWN;
	}
}

/* The block is no stub, although it is where one should be: drops the areas of which none
 * has run. */
static void drop_unproven_areas(struct tr_match *match, struct match_space *space,
				const struct tr_block *block)
{
	uint32_t kept = 0, offset, before = space->nareas;
	for (uint32_t i = 0; i < space->nareas; i++) {
		const struct tr_stub_area area = space->areas[i];
		if (area.is_proven || !tr_stub_code_covers(binary_of_area(match, &area),
							   &area, block->pc, &offset))
			space->areas[kept++] = area;
		else
			revoke_jumps(match, space, &area);
	}
	space->nareas = kept;
	match->report.stubs_differ += kept < before;
}

/* Returns true, with the place of the stub for a note, if the block is one. */
static bool find_stub_place(struct tr_match *match, struct match_space *space,
			    const struct tr_block *block, struct tr_candidate *place)
{
	uint32_t offset;
	struct tr_stub_area *area = find_stub_area(match, space, block, &offset);
	if (!area)
		return false;
	match->report.stub_places += !area->is_proven;
	area->is_proven = true;
	*place =
	    (struct tr_candidate){.bias = block->pc - offset,
				  .binary = binary_of_area(match, area)->stubs_number};
	tr_match_prove(match, space, &(struct tr_candidate){area->bias, area->binary});
	return true;
}

bool tr_stubs_decide(struct tr_match *match, struct match_space *space, uint32_t pair,
		     const struct tr_block *block)
{
	struct tr_candidate place;
	if (!find_stub_place(match, space, block, &place)) {
		if (tr_stubs_cover(match, space, block->pc))
			drop_unproven_areas(match, space, block);
		return false;
	}
	tr_match_note(match, match->newest, space->id, match->pairs[pair].block,
		      block->pc, &place);
	match->pairs[pair].state = PAIR_MATCHED;
	return true;
}

void tr_stubs_settle(struct tr_match *match, struct match_space *space)
{
	struct match_floating *floating = &space->floating;
	struct tr_candidate place;
	size_t kept = 0;
	for (size_t i = 0; i < floating->nwaiting; i++) {
		struct match_waiting *waiting = &floating->waiting[i];
		const struct tr_block *block = tr_match_waiting_block(match, waiting);
		if (!block || !find_stub_place(match, space, block, &place)) {
			floating->waiting[kept++] = *waiting;
			continue;
		}
		tr_match_settle_waiting(match, space, waiting, &place);
	}
	floating->nwaiting = kept;
}

bool tr_stubs_are_possible(const struct tr_match *match, uint8_t priv,
			   const struct tr_block *block)
{
	for (size_t i = 0; i < tr_match_stubbed_count(match->index); i++) {
		const uint32_t b = tr_match_stubbed(match->index, i);
		if (tr_match_floats(match->index, b) &&
		    tr_match_may_run(match->index, b, priv) &&
		    tr_stub_code_possible(tr_match_index_binary(match->index, b), block))
			return true;
	}
	return false;
}
