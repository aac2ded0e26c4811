/* SPDX-License-Identifier: Apache-2.0 */
/* Delays, and the way back from content to id. */
#include "stream/delays.h"

#include <stdlib.h>
#include <string.h>

void tr_delays_reset(struct tr_delays *d)
{
	d->count = 0;
	tr_arena_reset(&d->arena);
	tr_map_clear(&d->ids);
}

void tr_delays_free(struct tr_delays *d)
{
	free(d->list);
	tr_arena_reset(&d->arena);
	tr_map_free(&d->ids);
}

int tr_delays_add(struct tr_delays *d, const struct tr_delay *delay)
{
	size_t size = delay->nruns * sizeof(*delay->runs);
	struct tr_run *runs = tr_arena_take(&d->arena, size);
	if (!runs || !tr_grow(&d->list, &d->room, d->count + 1, sizeof(*d->list)))
		return TR_E_NOMEM;
	if (size)
		memcpy(runs, delay->runs, size);
	d->list[d->count++] = (struct tr_delay){
	    .cycles = delay->cycles, .runs = runs, .nruns = delay->nruns};
	return TR_OK;
}

static uint64_t hash(const struct tr_delay *delay)
{
	uint64_t sum = tr_mix(delay->cycles) + delay->nruns;
	return tr_hash_runs(sum, delay->runs, delay->nruns);
}

static bool same(const struct tr_delay *a, const struct tr_delay *b)
{
	return a->cycles == b->cycles && a->nruns == b->nruns &&
	       tr_same_runs(a->runs, b->runs, a->nruns);
}

int tr_delays_find(struct tr_delays *d, const struct tr_delay *delay, uint32_t *id,
		   bool *added)
{
	uint64_t key = hash(delay);
	*added = false;
	while ((*id = tr_map_get(&d->ids, key)) != TR_MAP_NONE) {
		if (same(&d->list[*id], delay))
			return TR_OK;
		key++;
	}
	*id = (uint32_t)d->count;
	*added = true;
	if (!tr_map_set(&d->ids, key, *id))
		return TR_E_NOMEM;
	return tr_delays_add(d, delay);
}
