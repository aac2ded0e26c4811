/* SPDX-License-Identifier: Apache-2.0 */
/* The table of (space, block) pairs: look-up, removal and compaction. */
#include <stdlib.h>
#include <string.h>

#include "match/match_state.h"

enum { COMPACT_AT = 1 << 16, RECENT_FRAMES = 2 };

uint32_t tr_match_find_pair(struct tr_match *match, const struct match_space *space,
			    uint32_t block, bool *added)
{
	uint64_t key = tr_pair_key(space->id, block);
	uint32_t pair = tr_map_get(&match->pair_ids, key);
	*added = pair == TR_MAP_NONE;
	if (*added) {
		pair = (uint32_t)match->npairs;
		if (!tr_grow(&match->pairs, &match->pair_room, match->npairs + 1,
			     sizeof(*match->pairs)) ||
		    !tr_map_set(&match->pair_ids, key, pair)) {
			tr_match_fail(match, TR_E_NOMEM);
			return 0;
		}
		match->pairs[match->npairs++] =
		    (struct match_pair){.space = space->id, .block = block};
	}
	match->last[block] = tr_pair_key(space->id, pair);
	return pair;
}

/* Detaches the pairs that wait for floating binaries. */
static void forget_floating(struct tr_match *match, struct match_floating *floating)
{
	size_t kept = 0;
	for (size_t i = 0; i < floating->nwaiting; i++) {
		struct match_waiting *waiting = &floating->waiting[i];
		if (!waiting->held)
			continue;
		if (waiting->pair != NO_PAIR)
			tr_match_add_sum(&waiting->older,
					 &match->pairs[waiting->pair].sum);
		waiting->pair = NO_PAIR;
		floating->waiting[kept++] = *waiting;
	}
	floating->nwaiting = kept;
}

/* Detaches the waiting pairs, whose sums move to the group. */
static void forget_waiting(struct tr_match *match, struct match_space *space)
{
	struct match_group *group = &space->group;
	size_t kept = 0;
	for (size_t i = 0; i < group->nwaiting; i++) {
		struct match_waiting *waiting = &group->waiting[i];
		if (waiting->pair != NO_PAIR && waiting->held)
			tr_match_add_sum(&group->older, &match->pairs[waiting->pair].sum);
		waiting->pair = NO_PAIR;
		if (waiting->held)
			group->waiting[kept++] = *waiting;
	}
	group->nwaiting = kept;
	forget_floating(match, &space->floating);
}

void tr_match_forget_pairs(struct tr_match *match)
{
	forget_waiting(match, &match->machine);
	forget_waiting(match, &match->supervisor);
	for (size_t i = 0; i < match->nusers; i++)
		if (match->users[i])
			forget_waiting(match, match->users[i]);
	for (size_t i = 0; i < match->npairs; i++)
		tr_match_add_sum(tr_match_sum_of(match, match->pairs[i].state),
				 &match->pairs[i].sum);
	tr_match_add_sum(&match->report.matched, &match->kernel);
	match->npairs = 0;
	match->last_count = 0;
	tr_jits_forget(match->jits);
	tr_map_clear(&match->pair_ids);
}

/* Collects the ids of the spaces that ran recently. Returns false when out of memory. */
static bool recent_spaces(struct tr_match *match, struct tr_map *recent)
{
	bool good = tr_map_set(recent, match->machine.id, 0) &&
		    tr_map_set(recent, match->supervisor.id, 0);
	for (size_t i = 0; i < match->nusers; i++) {
		struct match_space *space = match->users[i];
		if (space->used + RECENT_FRAMES > match->frames) {
			good = good && tr_map_set(recent, space->id, 0);
		} else {
			forget_waiting(match, space);
			tr_match_shrink(space);
		}
	}
	return good;
}

static void renumber_waiting_list(struct match_waiting *waiting, size_t count,
				  const uint32_t *renumbered)
{
	for (size_t i = 0; i < count; i++)
		if (waiting[i].pair != NO_PAIR)
			waiting[i].pair = renumbered[waiting[i].pair];
}

static void renumber_waiting(struct match_space *space, const uint32_t *renumbered)
{
	renumber_waiting_list(space->group.waiting, space->group.nwaiting, renumbered);
	renumber_waiting_list(space->floating.waiting, space->floating.nwaiting,
			      renumbered);
}

/* Compacts the pairs that remain; `renumbered` maps old to new indices. */
static void keep_recent(struct tr_match *match, const struct tr_map *recent,
			uint32_t *renumbered)
{
	size_t kept = 0;
	tr_map_clear(&match->pair_ids);
	for (size_t i = 0; i < match->npairs; i++) {
		struct match_pair *pair = &match->pairs[i];
		renumbered[i] = NO_PAIR;
		if (tr_map_get(recent, pair->space) == TR_MAP_NONE) {
			tr_match_add_sum(tr_match_sum_of(match, pair->state), &pair->sum);
			continue;
		}
		renumbered[i] = (uint32_t)kept;
		match->pairs[kept] = *pair;
		tr_map_set(&match->pair_ids, tr_pair_key(pair->space, pair->block),
			   (uint32_t)kept++);
	}
	match->npairs = kept;
	match->last_count = 0;
}

void tr_match_compact_pairs(struct tr_match *match)
{
	if (match->npairs < match->compact_at || match->npairs < COMPACT_AT)
		return;
	struct tr_map recent = {0};
	uint32_t *renumbered = malloc(match->npairs * sizeof(*renumbered));
	if (!renumbered || !recent_spaces(match, &recent)) {
		tr_match_fail(match, TR_E_NOMEM);
	} else {
		keep_recent(match, &recent, renumbered);
		renumber_waiting(&match->machine, renumbered);
		renumber_waiting(&match->supervisor, renumbered);
		for (size_t i = 0; i < match->nusers; i++)
			renumber_waiting(match->users[i], renumbered);
		match->compact_at = match->npairs * 2;
	}
	tr_map_free(&recent);
	free(renumbered);
}
