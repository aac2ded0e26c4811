/* SPDX-License-Identifier: Apache-2.0 */
/* The places of binaries that are known in a space: added once they are certain, and
 * removed when other code is there. */
#include <stdlib.h>

#include "match/match_state.h"

enum {
	SUSPICIOUS = 32, /* tokens that agree with a binary that is not there */
	DOUBT = 32,	 /* more tokens differ than agree: a known place is wrong */
};

bool tr_match_same_place(const struct tr_candidate *a, const struct tr_candidate *b)
{
	return a->binary == b->binary && a->bias == b->bias;
}

bool tr_known_add(struct tr_match *match, struct match_space *space,
		  const struct match_place *place)
{
	for (size_t i = 0; i < space->nknown; i++)
		if (tr_match_same_place(&space->known[i].place, &place->place))
			return true;
	/* Grows by one: there are few of these per space, but thousands of spaces. */
	struct match_place *known =
	    realloc(space->known, (space->nknown + 1) * sizeof(*known));
	if (!known) {
		tr_match_fail(match, TR_E_NOMEM);
		return false;
	}
	space->known = known;
	match->found[place->place.binary] = true;
	known[space->nknown++] = *place;
	return true;
}

bool tr_match_overlap(const struct tr_match *match, const struct tr_candidate *a,
		      const struct tr_candidate *b)
{
	uint64_t a_low, a_high, b_low, b_high;
	tr_match_extent(match->index, a, &a_low, &a_high);
	tr_match_extent(match->index, b, &b_low, &b_high);
	return a_low < b_high && b_low < a_high;
}

/* Returns true if something else may come to be at a place. */
static bool may_change(const struct tr_match *match, const struct tr_candidate *place)
{
	return tr_match_floats(match->index, place->binary) ||
	       tr_match_is_alias(match->index, place);
}

/* Forgets the known places where another binary is now. */
void tr_known_unmap(struct tr_match *match, struct match_space *space,
		    const struct tr_candidate *place)
{
	size_t kept = 0;
	for (size_t i = 0; i < space->nknown; i++) {
		const struct tr_candidate *known = &space->known[i].place;
		if (!may_change(match, known) || tr_match_same_place(known, place) ||
		    !tr_match_overlap(match, known, place))
			space->known[kept++] = space->known[i];
	}
	space->nknown = kept;
}

/* Blocks that were charged to a place that is gone, and equal the code that is there
 * now, match there from this frame on. */
void tr_known_rematch(struct tr_match *match, const struct match_space *space,
		      const struct tr_candidate *place)
{
	for (uint32_t i = 0; i < match->npairs; i++) {
		const struct match_pair *pair = &match->pairs[i];
		if (pair->space != space->id || pair->state != PAIR_MATCHED)
			continue;
		const struct tr_block *block =
		    tr_reader_block(match->reader, pair->block);
		if (tr_match_verify(match->index, block, place))
			tr_match_note(match, match->newest, space->id, pair->block,
				      block->pc, place);
	}
}

/* Returns true if a program that is executable by itself runs at another place than
 * before: its satp was reused. Other libraries may be closed and opened again. */
bool tr_known_is_replaced(const struct tr_match *match, const struct match_space *space,
			  const struct tr_candidate *place)
{
	const struct tr_match_binary *binary =
	    tr_match_index_binary(match->index, place->binary);
	if (!space->old || space == &match->supervisor || space == &match->machine ||
	    !tr_image_entry(binary->image))
		return false;
	for (size_t i = 0; i < space->nknown; i++)
		if (space->known[i].place.binary == place->binary &&
		    space->known[i].place.bias != place->bias)
			return true;
	return false;
}

void tr_known_suspect(struct tr_match *match, const struct match_place *place)
{
	struct tr_match_suspect *suspect = &match->suspects[place->place.binary];
	if (place->agreed >= SUSPICIOUS && place->agreed > suspect->agreed)
		*suspect = (struct tr_match_suspect){place->agreed, place->differing};
}

/* The known place was a mistake: what matched there is unknown from this frame on. */
static void revoke_known_place(struct tr_match *match, struct match_space *space,
			       size_t i)
{
	static const struct tr_candidate UNKNOWN = {.binary = TR_NOTE_UNKNOWN};
	const struct tr_candidate place = space->known[i].place;
	tr_known_suspect(match, &space->known[i]);
	space->known[i] = space->known[--space->nknown];
	for (uint32_t k = 0; k < match->npairs; k++) {
		struct match_pair *pair = &match->pairs[k];
		if (pair->space != space->id || pair->state != PAIR_MATCHED)
			continue;
		const struct tr_block *block =
		    tr_reader_block(match->reader, pair->block);
		if (!tr_match_verify(match->index, block, &place))
			continue;
		tr_match_note(match, match->newest, space->id, pair->block, block->pc,
			      &UNKNOWN);
		match->last[pair->block] = LAST_NONE;
		pair->state = PAIR_UNKNOWN;
	}
}

/* Code in a known place that is not its code: another version, or what was mapped there
 * since. */
void tr_known_doubt(struct tr_match *match, struct match_space *space,
		    const struct tr_block *block)
{
	for (size_t i = space->nknown; i-- > 0;) {
		struct match_place *known = &space->known[i];
		if (!may_change(match, &known->place) ||
		    !tr_match_covers(match->index, &known->place, block->pc))
			continue;
		known->differing += block->tokens;
		if (known->differing > known->agreed + DOUBT)
			revoke_known_place(match, space, i);
	}
}
