/* SPDX-License-Identifier: Apache-2.0 */
/* Address spaces: which are there, what they run, and forgetting the dead ones. */
#include <stdlib.h>

#include "unwind/unwind_internal.h"

struct space *spaces_find(const struct tr_unwind *u, uint32_t number)
{
	uint32_t i = tr_map_get(&u->space_slots, number);
	/* A forgotten space may still be in the map. */
	if (i == TR_MAP_NONE || i >= u->nspaces || u->spaces[i].number != number)
		return NULL;
	return &u->spaces[i];
}

struct space *spaces_get(struct tr_unwind *u, uint32_t number)
{
	struct space *s = spaces_find(u, number);
	if (s || !unwind_reserve(u, (void **)&u->spaces, &u->spaces_capacity,
				 u->nspaces + 1ULL, sizeof(*u->spaces)))
		return s;
	if (!tr_map_set(&u->space_slots, number, u->nspaces)) {
		unwind_fail(u, TR_E_NOMEM);
		return NULL;
	}
	s = &u->spaces[u->nspaces++];
	*s = (struct space){.number = number,
			    .binary = TR_NOTE_UNKNOWN,
			    .first = TR_MAP_NONE,
			    .used = ++u->clock};
	return s;
}

void spaces_clear(struct tr_unwind *u)
{
	tr_map_clear(&u->space_slots);
	u->nspaces = 0;
}

void spaces_free(struct tr_unwind *u)
{
	tr_map_free(&u->space_slots);
	tr_map_free(&u->satps);
	free(u->spaces);
}

static void forget(struct tr_unwind *u, struct space *s)
{
	pairs_forget(u, s->first);
	*s = u->spaces[--u->nspaces];
	if (u->nspaces &&
	    !tr_map_set(&u->space_slots, s->number, (uint32_t)(s - u->spaces)))
		unwind_fail(u, TR_E_NOMEM);
	if (u->space_slots.count < 2ULL * u->nspaces + SPACES_SLACK)
		return;
	tr_map_clear(&u->space_slots);
	for (uint32_t i = 0; i < u->nspaces; i++)
		if (!tr_map_set(&u->space_slots, u->spaces[i].number, i))
			unwind_fail(u, TR_E_NOMEM);
}

static bool is_global(uint32_t number)
{
	return number == TR_SPACE_MACHINE || number == TR_SPACE_SUPERVISOR;
}

void spaces_see(struct tr_unwind *u, const struct tr_context *context)
{
	if ((context->priv & 3) != TR_PRIV_U || !context->space)
		return;
	struct space *now = spaces_find(u, context->space);
	if (now)
		now->used = ++u->clock;
	uint32_t before = tr_map_get(&u->satps, context->satp);
	if (before != TR_MAP_NONE && before >= context->space)
		return;
	struct space *dead = before == TR_MAP_NONE ? NULL : spaces_find(u, before);
	if (dead && !is_global(before))
		forget(u, dead);
	if (u->satps.count >= SATPS_MAX)
		tr_map_clear(&u->satps);
	if (!tr_map_set(&u->satps, context->satp, context->space))
		unwind_fail(u, TR_E_NOMEM);
}

static int latest_first(const void *a, const void *b)
{
	const struct space *x = a, *y = b;
	return (x->used < y->used) - (x->used > y->used);
}

void spaces_limit(struct tr_unwind *u)
{
	if (u->live_pairs < TR_UNWIND_PAIRS || u->nspaces < 4)
		return;
	qsort(u->spaces, u->nspaces, sizeof(*u->spaces), latest_first);
	tr_map_clear(&u->space_slots);
	for (uint32_t i = 0; i < u->nspaces; i++)
		if (!tr_map_set(&u->space_slots, u->spaces[i].number, i))
			unwind_fail(u, TR_E_NOMEM);
	for (uint32_t i = u->nspaces; i-- > 1 && u->live_pairs > TR_UNWIND_PAIRS / 2;) {
		if (is_global(u->spaces[i].number))
			continue;
		u->totals.spaces_forgotten++;
		forget(u, &u->spaces[i]);
	}
}
