/* SPDX-License-Identifier: Apache-2.0 */
/* Guesses of where floating binaries are, and the blocks that agree with them or differ.
 */
#include "match/match_state.h"

enum {
	DEPTH = 8,	  /* tokens that must agree, on top of the option --depth */
	DEPTH_LARGE = 24, /* tokens that must agree with an alias of a large binary */
	SMALL = 64 << 10, /* bytes of code, in which few tokens are alike by chance */
	LARGE = 1 << 20,
	DIFFERING = 8, /* one token in this many may differ */
};

bool tr_guess_is_credible(const struct match_place *guess)
{
	return guess->differing * DIFFERING <= guess->agreed;
}

/* Returns true if the block is at that place of the kernel or a module, but slightly
 * patched; sets *agrees to whether only by switches. */
static bool is_patched(const struct tr_match *match,
		       const struct match_floating *floating,
		       const struct tr_candidate *place, const struct tr_block *block,
		       bool *agrees)
{
	struct tr_patch patch;
	if (floating != &match->supervisor.floating ||
	    !tr_match_compare(match->index, block, place, &patch) ||
	    patch.other > TR_MATCH_PATCH || patch.other * 2 > block->bytes)
		return false;
	*agrees = patch.other == 0;
	return true;
}

void tr_guess_compare(const struct tr_match *match, struct match_floating *floating,
		      unsigned i, struct match_waiting *waiting,
		      const struct tr_block *block)
{
	struct match_place *guess = &floating->guesses[i];
	bool agrees = true;
	if (tr_match_verify(match->index, block, &guess->place) ||
	    is_patched(match, floating, &guess->place, block, &agrees)) {
		waiting->guesses |= UINT64_C(1) << i;
		guess->agreed += agrees ? block->tokens : 0;
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

void tr_guess_drop(struct match_floating *floating, unsigned i)
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
		const struct match_place *a = &floating->guesses[i],
					 *b = &floating->guesses[worst];
		if (tr_guess_is_credible(a) != tr_guess_is_credible(b)
			? tr_guess_is_credible(b)
			: a->agreed < b->agreed)
			worst = i;
	}
	return worst;
}

/* Adds a guess, and compares it with all blocks that wait. Blocks of older generations
 * are no longer at hand. */
void tr_guess_add(const struct tr_match *match, struct match_floating *floating,
		  const struct tr_candidate *place)
{
	if (is_guessed(floating, place))
		return;
	if (floating->nguesses == MATCH_GUESSES)
		tr_guess_drop(floating, worst_guess(floating));
	unsigned i = floating->nguesses++;
	floating->guesses[i] = (struct match_place){.place = *place};
	for (size_t k = 0; k < floating->nwaiting; k++)
		if (floating->waiting[k].pair != NO_PAIR)
			tr_guess_compare(
			    match, floating, i, &floating->waiting[k],
			    tr_reader_block(match->reader, floating->waiting[k].block));
}

static bool share_blocks(const struct match_floating *floating, unsigned a, unsigned b)
{
	const uint64_t both = UINT64_C(1) << a | UINT64_C(1) << b;
	for (size_t i = 0; i < floating->nwaiting; i++)
		if ((floating->waiting[i].guesses & both) == both)
			return true;
	return false;
}

/* Returns how many tokens must agree. Aliases are rare, and code in no binary is alike
 * a large one's now and then; but a binary that is known to run is small enough. */
static uint64_t tokens_needed(const struct tr_match *match,
			      const struct match_floating *floating,
			      const struct tr_candidate *place)
{
	bool is_user = floating != &match->supervisor.floating &&
		       floating != &match->machine.floating;
	const uint64_t depth = match->options.depth;
	uint64_t most = DEPTH;
	if (tr_match_is_alias(match->index, place)) {
		uint64_t size = tr_match_size(match->index, place->binary);
		if (size > LARGE)
			most = DEPTH_LARGE;
		else if (size <= SMALL && match->found[place->binary] && !is_user)
			most = 0;
	}
	return depth > most ? depth : most;
}

bool tr_guess_is_right(const struct tr_match *match,
		       const struct match_floating *floating, unsigned i)
{
	const struct match_place *guess = &floating->guesses[i];
	if (guess->agreed < tokens_needed(match, floating, &guess->place) ||
	    !tr_guess_is_credible(guess))
		return false;
	for (unsigned k = 0; k < floating->nguesses; k++) {
		const struct match_place *rival = &floating->guesses[k];
		if (k != i && rival->agreed * 2 > guess->agreed &&
		    tr_guess_is_credible(rival) && share_blocks(floating, i, k))
			return false;
	}
	return true;
}

/* What the guesses have in their favour, from the blocks that still wait. */
void tr_guess_recount(struct match_floating *floating)
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
			tr_guess_drop(floating, i);
}
