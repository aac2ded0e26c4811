/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/tallies.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

void tr_tallies_free(struct tr_tallies *t)
{
	for (uint32_t i = 0; i < t->count; i++) {
		tr_durations_free(&t->tallies[i].cycles);
		tr_durations_free(&t->tallies[i].periods);
		tr_durations_free(&t->tallies[i].ran);
		free(t->tallies[i].slowest);
	}
	free(t->tallies);
	tr_map_free(&t->by_hash);
	tr_arena_reset(&t->names);
	*t = (struct tr_tallies){0};
}

static uint64_t hash_tally_key(const struct tr_tally_key *key)
{
	const uint64_t numbers[] = {tr_pair_key(key->task, key->other),
				    (uint64_t)key->number};
	const uint64_t what = XXH64(key->what, strlen(key->what), 0);
	return XXH64(key->name, strlen(key->name), XXH64(numbers, sizeof(numbers), what));
}

static bool same_tally_key(const struct tr_tally_key *a, const struct tr_tally_key *b)
{
	return a->task == b->task && a->other == b->other && a->number == b->number &&
	       strcmp(a->what, b->what) == 0 && strcmp(a->name, b->name) == 0;
}

static const char *keep_key_text(struct tr_tallies *t, const char *text)
{
	const size_t size = strlen(text) + 1;
	char *copy = tr_arena_take(&t->names, size);
	return copy ? memcpy(copy, text, size) : NULL;
}

static uint32_t add_tally(struct tr_tallies *t, const struct tr_tally_key *key,
			  uint64_t hash, uint32_t next)
{
	struct tr_tally_key own = *key;
	own.what = keep_key_text(t, key->what);
	own.name = keep_key_text(t, key->name);
	if (!own.what || !own.name || t->count == UINT32_MAX ||
	    !tr_grow(&t->tallies, &t->room, t->count + 1UL, sizeof(*t->tallies)) ||
	    !tr_map_set(&t->by_hash, hash, t->count))
		return UINT32_MAX;
	struct tr_slowest *slowest =
	    t->keeps_slowest ? calloc(1, sizeof(*slowest)) : NULL;
	if (t->keeps_slowest && !slowest)
		return UINT32_MAX;
	t->tallies[t->count] = (struct tr_tally){.key = own,
						 .cycles = {.is_exact = true},
						 .periods = {.is_exact = true},
						 .slowest = slowest,
						 .ran = {.is_exact = true},
						 .next = next};
	return t->count++;
}

uint32_t tr_tallies_find(struct tr_tallies *t, const struct tr_tally_key *key)
{
	const uint64_t hash = hash_tally_key(key);
	const uint32_t first = tr_map_get(&t->by_hash, hash);
	uint32_t i = first;
	while (i != TR_MAP_NONE && !same_tally_key(&t->tallies[i].key, key))
		i = t->tallies[i].next;
	return i == TR_MAP_NONE ? add_tally(t, key, hash, first) : i;
}

static uint64_t add_up_to_most(uint64_t a, uint64_t b)
{
	return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

bool tr_tally_add(struct tr_tally *tally, uint64_t cycles, uint64_t away)
{
	tally->total = add_up_to_most(tally->total, cycles);
	tally->away = add_up_to_most(tally->away, away);
	return tr_durations_add(&tally->cycles, cycles);
}

bool tr_tally_add_call(struct tr_tally *tally, const struct tr_slow_call *call)
{
	const uint64_t ran = call->duration - call->away;
	if (tally->slowest)
		tr_slowest_add(tally->slowest, call);
	if (!call->is_open)
		return tr_tally_add(tally, call->duration, call->away) &&
		       (!tally->slowest || tr_durations_add(&tally->ran, ran));
	tally->open++;
	if (call->duration > tally->open_most)
		tally->open_most = call->duration;
	if (ran > tally->open_most_ran)
		tally->open_most_ran = ran;
	return true;
}

static bool merge_durations(struct tr_durations *to, const struct tr_durations *from)
{
	for (uint32_t i = 0; i < from->nslots; i++) {
		const struct tr_duration *slot = &from->slots[i];
		if (slot->count && !tr_durations_add_many(to, slot->value, slot->count))
			return false;
	}
	return true;
}

bool tr_tally_merge(struct tr_tally *tally, const struct tr_tally *other)
{
	tally->total = add_up_to_most(tally->total, other->total);
	tally->away = add_up_to_most(tally->away, other->away);
	tally->failed += other->failed;
	tally->bytes += other->bytes;
	tally->major += other->major;
	tally->open += other->open;
	tally->unwoken += other->unwoken;
	return merge_durations(&tally->cycles, &other->cycles) &&
	       merge_durations(&tally->periods, &other->periods);
}

static int compare_u64(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

static int compare_tallies(const void *left, const void *right, void *tallies)
{
	const struct tr_tallies *t = tallies;
	const struct tr_tally *a = &t->tallies[*(const uint32_t *)left],
			      *b = &t->tallies[*(const uint32_t *)right];
	int order = compare_u64(b->total, a->total);
	if (!order)
		order = compare_u64(b->cycles.count, a->cycles.count);
	if (!order)
		order = compare_u64(b->open, a->open);
	if (!order)
		order = strcmp(a->key.what, b->key.what);
	if (!order)
		order = strcmp(a->key.name, b->key.name);
	if (!order)
		order = (a->key.number > b->key.number) - (a->key.number < b->key.number);
	if (!order)
		order = compare_u64(a->key.task, b->key.task);
	return order ? order : compare_u64(a->key.other, b->key.other);
}

uint32_t *tr_tallies_sorted(const struct tr_tallies *t)
{
	uint32_t *order = calloc(t->count + 1UL, sizeof(*order));
	for (uint32_t i = 0; order && i < t->count; i++)
		order[i] = i;
	if (order && t->count)
		qsort_r(order, t->count, sizeof(*order), compare_tallies, (void *)t);
	return order;
}
