/* SPDX-License-Identifier: Apache-2.0 */
/* Solves where the floating binaries of a space are: position-independent programs,
 * shared libraries, the dynamic loader, the vdso, modules.
 *
 * Several of them run in turns, so the blocks of a space that no known place explains
 * wait together. Each block that can be looked up gives guesses, places that have its
 * code; every waiting block is compared with every guess. A guess is right once enough of
 * the instructions that ran within its code agree with it, hardly any differ, and no
 * other guess explains half as many of the same instructions. All waiting blocks in it
 * then match there, including those that ran before. */
#include <stdlib.h>
#include <string.h>

#include "match/match_state.h"

enum { ENTRIES = 4096 }; /* blocks that wait, were given up, or are in no binary */

/* Without the satp cache the known places are guesses like any other. */
static void guess_known(const struct tr_match *match, struct match_space *space)
{
	for (size_t i = 0; i < space->nknown && match->options.no_cache; i++)
		if (tr_match_floats(match->index, space->known[i].place.binary) ||
		    tr_match_is_alias(match->index, &space->known[i].place))
			tr_guess_add(match, &space->floating, &space->known[i].place);
}

const struct tr_block *tr_match_waiting_block(const struct tr_match *match,
					      const struct match_waiting *waiting)
{
	return waiting->pair == NO_PAIR ? NULL
					: tr_reader_block(match->reader, waiting->block);
}

void tr_match_settle_waiting(struct tr_match *match, struct match_space *space,
			     const struct match_waiting *waiting,
			     const struct tr_candidate *place)
{
	struct match_held *held = waiting->held;
	if (held) {
		held->waiting--;
		space->floating.tokens -= waiting->tokens;
	}
	if (held || waiting->pair != NO_PAIR)
		tr_match_note(match, held ? held : match->newest, space->id,
			      waiting->block, waiting->pc, place);
	if (waiting->pair != NO_PAIR)
		match->pairs[waiting->pair].state = PAIR_MATCHED;
	struct tr_match_sum older = waiting->older;
	tr_match_add_sum(&match->report.matched, &older);
}

/* Takes out the waiting blocks that agree with guess `i`. */
static void settle_all(struct tr_match *match, struct match_space *space, unsigned i,
		       const struct tr_candidate *place)
{
	struct match_floating *floating = &space->floating;
	uint64_t ran = 0;
	size_t kept = 0;
	for (size_t k = 0; k < floating->nwaiting; k++) {
		struct match_waiting *waiting = &floating->waiting[k];
		if (!(waiting->guesses >> i & 1)) {
			floating->waiting[kept++] = *waiting;
			continue;
		}
		ran += waiting->older.instructions;
		if (waiting->pair != NO_PAIR)
			ran += match->pairs[waiting->pair].sum.instructions;
		tr_match_settle_waiting(match, space, waiting, place);
		const struct tr_block *block = tr_match_waiting_block(match, waiting);
		if (!block)
			continue;
		match->report.patched += !tr_match_verify(match->index, block, place);
		tr_stubs_learn(match, space, block, place);
	}
	floating->nwaiting = kept;
	if (ran > match->report.latest)
		match->report.latest = ran;
}

/* Guess `i` is right: others cannot be where it is. */
static void accept_guess(struct tr_match *match, struct match_space *space, unsigned i)
{
	struct match_floating *floating = &space->floating;
	const struct match_place guess = floating->guesses[i];
	const struct tr_candidate place = guess.place;
	size_t before = space->nknown;
	tr_known_unmap(match, space, &place);
	bool unmapped = space->nknown < before;
	if (!tr_known_add(match, space, &guess))
		return;
	if (unmapped)
		tr_known_rematch(match, space, &place);
	settle_all(match, space, i, &place);
	if (space->nareas)
		tr_stubs_settle(match, space);
	for (unsigned k = floating->nguesses; k-- > 0;)
		if (tr_match_overlap(match, &floating->guesses[k].place, &place))
			tr_guess_drop(floating, k);
	tr_guess_recount(floating);
	tr_match_shrink_floating(floating);
}

/* Decides a block that is given up for now; it may match later. */
static void give_up_floating(struct tr_match *match, struct match_space *space,
			     struct match_waiting *waiting)
{
	static const struct tr_candidate AMBIGUOUS = {.binary = TR_NOTE_AMBIGUOUS},
					 UNKNOWN = {.binary = TR_NOTE_UNKNOWN};
	const bool unknown = !waiting->guesses;
	const enum match_pair_state state = unknown ? PAIR_UNKNOWN : PAIR_AMBIGUOUS;
	const bool settled = waiting->held != match->newest;
	tr_match_note(match, waiting->held, space->id, waiting->block, waiting->pc,
		      unknown ? &UNKNOWN : &AMBIGUOUS);
	if (unknown && !match->report.first_unknown)
		match->report.first_unknown = waiting->pc;
	waiting->held->waiting--;
	waiting->held = NULL;
	space->floating.tokens -= waiting->tokens;
	tr_match_add_sum(tr_match_sum_of(match, state), &waiting->older);
	if (waiting->pair == NO_PAIR)
		return;
	match->pairs[waiting->pair].state = (uint8_t)state;
	if (settled)
		tr_match_add_sum(tr_match_sum_of(match, state),
				 &match->pairs[waiting->pair].sum);
}

/* Gives up the blocks that have waited longest, until at most `tokens` are left. */
static void give_up_oldest(struct tr_match *match, struct match_space *space,
			   uint64_t tokens)
{
	struct match_floating *floating = &space->floating;
	for (size_t i = 0; i < floating->nwaiting && floating->tokens > tokens; i++)
		if (floating->waiting[i].held)
			give_up_floating(match, space, &floating->waiting[i]);
}

void tr_match_give_up_floating(struct tr_match *match, struct match_space *space)
{
	const struct match_floating *floating = &space->floating;
	give_up_oldest(match, space, 0);
	for (unsigned i = 0; i < floating->nguesses; i++)
		if (!tr_guess_is_credible(&floating->guesses[i]))
			tr_known_suspect(match, &floating->guesses[i]);
}

/* Drops blocks that were given up, the oldest first, when there are too many. */
static void drop_oldest_waiting(struct match_floating *floating)
{
	size_t kept = 0, surplus = floating->nwaiting / 2;
	if (floating->nwaiting < ENTRIES)
		return;
	for (size_t i = 0; i < floating->nwaiting; i++) {
		if (surplus && !floating->waiting[i].held)
			surplus--;
		else
			floating->waiting[kept++] = floating->waiting[i];
	}
	floating->nwaiting = kept;
	tr_guess_recount(floating);
}

void tr_match_settle_floating(struct tr_match *match, const struct match_space *space)
{
	const struct match_floating *floating = &space->floating;
	for (size_t i = 0; i < floating->nwaiting; i++) {
		const struct match_waiting *waiting = &floating->waiting[i];
		if (waiting->held || waiting->pair == NO_PAIR)
			continue;
		struct match_pair *pair = &match->pairs[waiting->pair];
		tr_match_add_sum(tr_match_sum_of(match, pair->state), &pair->sum);
	}
}

void tr_match_shrink_floating(struct match_floating *floating)
{
	if (floating->nwaiting || floating->nguesses)
		return;
	free(floating->waiting);
	free(floating->guesses);
	*floating = (struct match_floating){0};
}

/* Makes room for a block and for guesses. Returns false when out of memory. */
static bool reserve_float_room(struct tr_match *match, struct match_floating *floating)
{
	if (!floating->guesses)
		floating->guesses = calloc(MATCH_GUESSES, sizeof(*floating->guesses));
	if (floating->guesses &&
	    tr_grow(&floating->waiting, &floating->waiting_room, floating->nwaiting + 1,
		    sizeof(*floating->waiting)))
		return true;
	tr_match_fail(match, TR_E_NOMEM);
	return false;
}

/* Adds the block to the list, and compares it with the guesses. */
static struct match_waiting *append_waiting(const struct tr_match *match,
					    struct match_floating *floating,
					    uint32_t pair, const struct tr_block *block)
{
	struct match_waiting *waiting = &floating->waiting[floating->nwaiting];
	*waiting = (struct match_waiting){.pc = block->pc,
					  .pair = pair,
					  .block = match->pairs[pair].block,
					  .tokens = block->tokens};
	for (unsigned i = 0; i < floating->nguesses; i++)
		tr_guess_compare(match, floating, i, waiting, block);
	floating->nwaiting++;
	return waiting;
}

/* Makes the block wait. */
static void wait_for_guesses(struct tr_match *match, struct match_space *space,
			     uint32_t pair, const struct tr_block *block)
{
	struct match_floating *floating = &space->floating;
	append_waiting(match, floating, pair, block)->held = match->newest;
	floating->tokens += block->tokens;
	match->newest->waiting++;
	match->pairs[pair].state = PAIR_WAITING;
}

static bool is_known_in(const struct match_space *space, uint32_t binary)
{
	for (size_t i = 0; i < space->nknown; i++)
		if (space->known[i].place.binary == binary)
			return true;
	return false;
}

/* Returns true unless the place is an alias of code that does not run in the space by
 * itself, or for user code in S-mode or M-mode: another file has similar code by chance.
 * In M-mode, firmware may run elsewhere before it has copied itself to its own address.
 */
static bool is_place_possible(const struct tr_match *match,
			      const struct match_space *space,
			      const struct tr_candidate *place)
{
	bool runs = space == &match->machine || is_known_in(space, place->binary);
	if (!tr_match_is_alias(match->index, place))
		return true;
	if (space != &match->supervisor)
		runs |= is_known_in(&match->supervisor, place->binary) ||
			is_known_in(&match->machine, place->binary);
	return runs && tr_match_is_apart(match->index, place);
}

enum match_float_answer tr_match_float(struct tr_match *match, struct match_space *space,
				       uint8_t priv, uint32_t pair,
				       const struct tr_block *block)
{
	struct match_floating *floating = &space->floating;
	struct tr_candidate candidates[TR_MATCH_PLACES];
	bool absent;
	size_t n = tr_match_floating(match->index, block, priv, candidates, &absent);
	drop_oldest_waiting(floating);
	if (!reserve_float_room(match, floating))
		return MATCH_FLOAT_ABSENT;
	tr_known_doubt(match, space, block);
	if (absent && !tr_stubs_are_possible(match, priv, block)) {
		append_waiting(match, floating, pair, block);
		return MATCH_FLOAT_ABSENT;
	}
	guess_known(match, space);
	for (size_t i = 0; i < n; i++)
		if (is_place_possible(match, space, &candidates[i]))
			tr_guess_add(match, floating, &candidates[i]);
	wait_for_guesses(match, space, pair, block);
	uint64_t guesses = floating->waiting[floating->nwaiting - 1].guesses;
	for (unsigned i = 0; i < floating->nguesses; i++) {
		if (!(guesses >> i & 1) || !tr_guess_is_right(match, floating, i))
			continue;
		if (tr_known_is_replaced(match, space, &floating->guesses[i].place))
			return MATCH_FLOAT_REPLACED;
		accept_guess(match, space, i);
		return MATCH_FLOAT_WAITS;
	}
	give_up_oldest(match, space, match->options.history);
	return MATCH_FLOAT_WAITS;
}
