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

enum {
	DEPTH = 8,	/* tokens that must agree, on top of the option --depth */
	DIFFERING = 8,	/* one token in this many may differ */
	ENTRIES = 4096, /* blocks that wait, or were given up but may still match */
};

static bool is_credible(const struct match_guess *guess)
{
	return guess->differing * DIFFERING <= guess->agreed;
}

/* Compares a waiting block with guess `i`. */
static void compare(const struct tr_match *match, struct match_floating *floating,
		    unsigned i, struct match_waiting *waiting,
		    const struct tr_block *block)
{
	struct match_guess *guess = &floating->guesses[i];
	if (tr_match_verify(match->index, block, &guess->place)) {
		waiting->guesses |= UINT64_C(1) << i;
		guess->agreed += block->tokens;
	} else if (tr_match_covers(match->index, &guess->place, block->pc)) {
		guess->differing += block->tokens;
	}
}

static bool is_guessed(const struct match_floating *floating,
		       const struct tr_candidate *place)
{
	for (unsigned i = 0; i < floating->nguesses; i++)
		if (tr_match_same_place(&floating->guesses[i].place, place))
			return true;
	return false;
}

/* Drops guess `i`. The last one takes its number. */
static void drop_guess(struct match_floating *floating, unsigned i)
{
	const unsigned last = --floating->nguesses;
	const uint64_t bit = UINT64_C(1) << i;
	floating->guesses[i] = floating->guesses[last];
	for (size_t k = 0; k < floating->nwaiting; k++) {
		struct match_waiting *waiting = &floating->waiting[k];
		bool moved = waiting->guesses >> last & 1;
		waiting->guesses &= ~(bit | UINT64_C(1) << last);
		if (moved && i != last)
			waiting->guesses |= bit;
	}
}

/* Returns the least convincing guess. */
static unsigned worst_guess(const struct match_floating *floating)
{
	unsigned worst = 0;
	for (unsigned i = 1; i < floating->nguesses; i++) {
		const struct match_guess *a = &floating->guesses[i],
					 *b = &floating->guesses[worst];
		if (is_credible(a) != is_credible(b) ? is_credible(b)
						     : a->agreed < b->agreed)
			worst = i;
	}
	return worst;
}

/* Adds a guess, and compares it with all blocks that wait. Blocks of older generations
 * are no longer at hand. */
static void add_guess(const struct tr_match *match, struct match_floating *floating,
		      const struct tr_candidate *place)
{
	if (is_guessed(floating, place))
		return;
	if (floating->nguesses == MATCH_GUESSES)
		drop_guess(floating, worst_guess(floating));
	unsigned i = floating->nguesses++;
	floating->guesses[i] = (struct match_guess){.place = *place};
	for (size_t k = 0; k < floating->nwaiting; k++)
		if (floating->waiting[k].pair != NO_PAIR)
			compare(match, floating, i, &floating->waiting[k],
				tr_reader_block(match->reader,
						floating->waiting[k].block));
}

/* Without the satp cache the known places are guesses like any other. */
static void guess_known(const struct tr_match *match, struct match_space *space)
{
	for (size_t i = 0; i < space->nknown && match->options.no_cache; i++)
		if (tr_match_floats(match->index, space->known[i].binary))
			add_guess(match, &space->floating, &space->known[i]);
}

static bool share_blocks(const struct match_floating *floating, unsigned a, unsigned b)
{
	const uint64_t both = UINT64_C(1) << a | UINT64_C(1) << b;
	for (size_t i = 0; i < floating->nwaiting; i++)
		if ((floating->waiting[i].guesses & both) == both)
			return true;
	return false;
}

static bool is_right(const struct tr_match *match, const struct match_floating *floating,
		     unsigned i)
{
	const struct match_guess *guess = &floating->guesses[i];
	if (guess->agreed < DEPTH || guess->agreed < match->options.depth ||
	    !is_credible(guess))
		return false;
	for (unsigned k = 0; k < floating->nguesses; k++) {
		const struct match_guess *rival = &floating->guesses[k];
		if (k != i && rival->agreed * 2 > guess->agreed && is_credible(rival) &&
		    share_blocks(floating, i, k))
			return false;
	}
	return true;
}

/* Returns true if a program that is executable by itself runs at another place than
 * before: its satp was reused. Other libraries may be closed and opened again. */
static bool is_replaced(const struct tr_match *match, const struct match_space *space,
			const struct tr_candidate *place)
{
	const struct tr_match_binary *binary =
	    tr_match_index_binary(match->index, place->binary);
	if (!space->old || space == &match->supervisor || space == &match->machine ||
	    !tr_image_entry(binary->image))
		return false;
	for (size_t i = 0; i < space->nknown; i++)
		if (space->known[i].binary == place->binary &&
		    space->known[i].bias != place->bias)
			return true;
	return false;
}

static bool overlap(const struct tr_match *match, const struct tr_candidate *a,
		    const struct tr_candidate *b)
{
	uint64_t a_low, a_high, b_low, b_high;
	tr_match_extent(match->index, a, &a_low, &a_high);
	tr_match_extent(match->index, b, &b_low, &b_high);
	return a_low < b_high && b_low < a_high;
}

/* Forgets the known places where another binary is now. */
static void unmap(struct tr_match *match, struct match_space *space,
		  const struct tr_candidate *place)
{
	size_t kept = 0;
	for (size_t i = 0; i < space->nknown; i++) {
		const struct tr_candidate *known = &space->known[i];
		if (!tr_match_floats(match->index, known->binary) ||
		    tr_match_same_place(known, place) || !overlap(match, known, place))
			space->known[kept++] = *known;
	}
	space->nknown = kept;
}

/* Blocks that were charged to a place that is gone, and equal the code that is there
 * now, match there from this frame on. */
static void rematch(struct tr_match *match, const struct match_space *space,
		    const struct tr_candidate *place)
{
	for (uint32_t i = 0; i < match->npairs; i++) {
		const struct match_pair *pair = &match->pairs[i];
		if (pair->space != space->id || pair->state != PAIR_MATCHED)
			continue;
		const struct tr_block *block = tr_reader_block(match->reader, pair->block);
		if (tr_match_verify(match->index, block, place))
			tr_match_note(match, match->newest, space->id, pair->block,
				      block->pc, place);
	}
}

/* A waiting block is at `place`. */
static void settle_at(struct tr_match *match, const struct match_space *space,
		      const struct match_waiting *waiting,
		      const struct tr_candidate *place)
{
	struct match_held *held = waiting->held;
	if (held)
		held->waiting--;
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
	size_t kept = 0;
	for (size_t k = 0; k < floating->nwaiting; k++) {
		struct match_waiting *waiting = &floating->waiting[k];
		if (!(waiting->guesses >> i & 1)) {
			floating->waiting[kept++] = *waiting;
			continue;
		}
		if (waiting->held)
			floating->tokens -= waiting->tokens;
		settle_at(match, space, waiting, place);
	}
	floating->nwaiting = kept;
}

/* What the guesses have in their favour, from the blocks that still wait. */
static void recount(struct match_floating *floating)
{
	for (unsigned i = 0; i < floating->nguesses; i++)
		floating->guesses[i].agreed = 0;
	for (size_t k = 0; k < floating->nwaiting; k++)
		for (unsigned i = 0; i < floating->nguesses; i++)
			if (floating->waiting[k].guesses >> i & 1)
				floating->guesses[i].agreed +=
				    floating->waiting[k].tokens;
	for (unsigned i = floating->nguesses; i-- > 0;)
		if (!floating->guesses[i].agreed)
			drop_guess(floating, i);
}

/* Guess `i` is right: others cannot be where it is. */
static void accept(struct tr_match *match, struct match_space *space, unsigned i)
{
	struct match_floating *floating = &space->floating;
	const struct tr_candidate place = floating->guesses[i].place;
	size_t before = space->nknown;
	unmap(match, space, &place);
	bool unmapped = space->nknown < before;
	if (!tr_match_add_known(match, space, &place))
		return;
	if (unmapped)
		rematch(match, space, &place);
	settle_all(match, space, i, &place);
	for (unsigned k = floating->nguesses; k-- > 0;)
		if (overlap(match, &floating->guesses[k].place, &place))
			drop_guess(floating, k);
	recount(floating);
	tr_match_shrink_floating(floating);
}

/* Decides a block that is given up for now; it may match later. */
static void give_up_one(struct tr_match *match, struct match_space *space,
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
			give_up_one(match, space, &floating->waiting[i]);
}

void tr_match_give_up_floating(struct tr_match *match, struct match_space *space)
{
	give_up_oldest(match, space, 0);
}

/* Drops blocks that were given up, the oldest first, when there are too many. */
static void bound(struct match_floating *floating)
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
	recount(floating);
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
static bool make_room(struct tr_match *match, struct match_floating *floating)
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

/* Adds the block to those that wait, and compares it with the guesses. */
static void wait(struct tr_match *match, struct match_space *space, uint32_t pair,
		 const struct tr_block *block)
{
	struct match_floating *floating = &space->floating;
	struct match_waiting *waiting = &floating->waiting[floating->nwaiting];
	*waiting = (struct match_waiting){.pc = block->pc,
					  .held = match->newest,
					  .pair = pair,
					  .block = match->pairs[pair].block,
					  .tokens = block->tokens};
	for (unsigned i = 0; i < floating->nguesses; i++)
		compare(match, floating, i, waiting, block);
	floating->nwaiting++;
	floating->tokens += block->tokens;
	match->newest->waiting++;
	match->pairs[pair].state = PAIR_WAITING;
}

enum match_float_answer tr_match_float(struct tr_match *match, struct match_space *space,
				       uint8_t priv, uint32_t pair,
				       const struct tr_block *block)
{
	struct match_floating *floating = &space->floating;
	struct tr_candidate candidates[TR_ANCHOR_COMMON];
	bool absent;
	size_t n = tr_match_floating(match->index, block, priv, candidates, &absent);
	if (absent || !make_room(match, floating))
		return MATCH_FLOAT_ABSENT;
	guess_known(match, space);
	for (size_t i = 0; i < n; i++)
		add_guess(match, floating, &candidates[i]);
	bound(floating);
	wait(match, space, pair, block);
	uint64_t guesses = floating->waiting[floating->nwaiting - 1].guesses;
	for (unsigned i = 0; i < floating->nguesses; i++) {
		if (!(guesses >> i & 1) || !is_right(match, floating, i))
			continue;
		if (is_replaced(match, space, &floating->guesses[i].place))
			return MATCH_FLOAT_REPLACED;
		accept(match, space, i);
		return MATCH_FLOAT_WAITS;
	}
	give_up_oldest(match, space, match->options.history);
	return MATCH_FLOAT_WAITS;
}
