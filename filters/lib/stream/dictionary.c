/* SPDX-License-Identifier: Apache-2.0 */
/* The dictionary of a generation, shared by reader and writer. */
#include "stream/dictionary.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

/* A generation ends beyond these sizes, which bounds a reader's memory to about 100
 * MiB. */
enum {
	FULL_BLOCKS = 1 << 18,
	FULL_TIMINGS = 1 << 19,
	FULL_EDGES = 1 << 21,
	FULL_BYTES = 48 << 20,
	FRAME_MEMORY = 256 << 20, /* that one frame can add */
	SEARCHED = 8,		  /* shorter lists are searched, longer ones indexed */
};

static const struct tr_history NO_PLACE = {.followers.near = {TR_MAP_NONE, TR_MAP_NONE},
					   .rhythms.near = {TR_MAP_NONE, TR_MAP_NONE}};

static bool grow_history(struct tr_dictionary *d, size_t needed)
{
	if (needed <= d->history_room)
		return true;
	size_t room = d->history_room ? d->history_room * 2 : 64;
	struct tr_history *history =
	    aligned_alloc(_Alignof(struct tr_history), room * sizeof(*history));
	if (!history)
		return false;
	if (d->history)
		memcpy(history, d->history, d->history_room * sizeof(*history));
	free(d->history);
	d->history = history;
	d->history_room = room;
	return true;
}

/* Grows an array that views may point to; then the old one stays where it is. Returns
 * false when out of memory. */
static bool grow_shared(struct tr_dictionary *d, void *array, size_t *room, size_t count,
			size_t size)
{
	if (count < *room)
		return true;
	if (!tr_shelf_is_shared(d->shelf))
		return tr_grow(array, room, count + 1, size);
	void *old, *new = NULL;
	size_t new_room = 0;
	memcpy(&old, array, sizeof(old));
	if (!tr_grow(&new, &new_room, *room * 2, size))
		return false;
	memcpy(new, old, count * size);
	tr_shelf_put(d->shelf, old);
	memcpy(array, &new, sizeof(new));
	*room = new_room;
	return true;
}

/* Leaves the definitions to the views that there are. The dictionary's arrays are then
 * others, as large. Returns TR_OK or TR_E_NOMEM. */
static int leave_to_views(struct tr_dictionary *d)
{
	if (!tr_shelf_is_shared(d->shelf))
		return TR_OK;
	void *blocks = malloc(d->block_room * sizeof(*d->blocks));
	void *timings = malloc(d->timing_room * sizeof(*d->timings));
	if ((!blocks && d->block_room) || (!timings && d->timing_room)) {
		free(blocks);
		free(timings);
		return TR_E_NOMEM;
	}
	tr_shelf_put(d->shelf, d->blocks);
	tr_shelf_put(d->shelf, d->timings);
	tr_shelf_put_arena(d->shelf, &d->arena);
	tr_shelf_release(d->shelf);
	d->shelf = NULL;
	d->blocks = blocks;
	d->timings = timings;
	return TR_OK;
}

struct tr_view tr_dictionary_glance(const struct tr_dictionary *d)
{
	return (struct tr_view){.blocks = d->blocks,
				.timings = d->timings,
				.nblocks = (uint32_t)d->nblocks,
				.ntimings = (uint32_t)d->ntimings};
}

int tr_dictionary_view(struct tr_dictionary *d, struct tr_view *view,
		       struct tr_shelf **shelf)
{
	if (!d->shelf && !(d->shelf = tr_shelf_new()))
		return TR_E_NOMEM;
	tr_shelf_hold(*shelf = d->shelf);
	*view = tr_dictionary_glance(d);
	return TR_OK;
}

int tr_dictionary_reset(struct tr_dictionary *d)
{
	if (leave_to_views(d))
		return TR_E_NOMEM;
	d->nblocks = d->ntimings = d->nedges = d->nfar = 0;
	tr_arena_reset(&d->arena);
	tr_delays_reset(&d->delays);
	tr_map_clear(&d->block_ids);
	tr_map_clear(&d->timing_ids);
	tr_map_clear(&d->edges);
	tr_map_clear(&d->rhythm_edges);
	if (!grow_history(d, 1))
		return TR_E_NOMEM;
	d->history[0] = NO_PLACE;
	return tr_dictionary_add_timing(d, &(struct tr_timing){0});
}

void tr_dictionary_free(struct tr_dictionary *d)
{
	if (tr_shelf_is_shared(d->shelf)) {
		tr_shelf_put(d->shelf, d->blocks);
		tr_shelf_put(d->shelf, d->timings);
		tr_shelf_put_arena(d->shelf, &d->arena);
	} else {
		free(d->blocks);
		free(d->timings);
	}
	tr_shelf_release(d->shelf);
	free(d->history);
	free(d->tokens);
	free(d->extras);
	free(d->far);
	tr_arena_reset(&d->arena);
	tr_delays_free(&d->delays);
	tr_map_free(&d->block_ids);
	tr_map_free(&d->timing_ids);
	tr_map_free(&d->edges);
	tr_map_free(&d->rhythm_edges);
}

bool tr_dictionary_full(const struct tr_dictionary *d)
{
	return d->nblocks > FULL_BLOCKS || d->ntimings > FULL_TIMINGS ||
	       d->nedges > FULL_EDGES || d->delays.count > FULL_TIMINGS ||
	       d->arena.total + d->delays.arena.total > FULL_BYTES;
}

bool tr_dictionary_beyond(const struct tr_dictionary *d)
{
	return d->nblocks > FULL_BLOCKS + 2 * TR_FRAME_TOKENS ||
	       d->ntimings > FULL_TIMINGS + 2 * TR_FRAME_TOKENS ||
	       d->delays.count > FULL_TIMINGS + 2 * TR_FRAME_TOKENS ||
	       d->nedges > FULL_EDGES + 4 * TR_FRAME_TOKENS || /* at most two per row */
	       d->arena.total + d->delays.arena.total > FULL_BYTES + FRAME_MEMORY;
}

static void *copy_to_arena(struct tr_dictionary *d, const void *data, size_t size)
{
	void *copy = tr_arena_take(&d->arena, size);
	if (copy && size)
		memcpy(copy, data, size);
	return copy;
}

int tr_dictionary_add_block(struct tr_dictionary *d, const struct tr_block *block)
{
	size_t n = d->nblocks + 1;
	if (!grow_shared(d, &d->blocks, &d->block_room, d->nblocks, sizeof(*d->blocks)) ||
	    !tr_grow(&d->tokens, &d->token_room, n, sizeof(*d->tokens)) ||
	    !grow_history(d, n + 1))
		return TR_E_NOMEM;
	struct tr_block *copy = &d->blocks[d->nblocks];
	*copy = *block;
	copy->code = copy_to_arena(d, block->code, tr_block_code_size(block));
	if (!copy->code)
		return TR_E_NOMEM;
	d->history[n] = NO_PLACE;
	d->tokens[d->nblocks] = block->tokens;
	d->nblocks = n;
	return TR_OK;
}

static int64_t extra_cycles(const struct tr_timing *timing)
{
	int64_t extra = 0;
	for (uint32_t i = 0; i < timing->nstalls; i++)
		extra += (int64_t)timing->stalls[i].cycles - 1;
	return extra;
}

int tr_dictionary_add_timing(struct tr_dictionary *d, const struct tr_timing *timing)
{
	size_t n = d->ntimings + 1;
	if (!grow_shared(d, &d->timings, &d->timing_room, d->ntimings,
			 sizeof(*d->timings)) ||
	    !tr_grow(&d->extras, &d->extra_room, n, sizeof(*d->extras)))
		return TR_E_NOMEM;
	struct tr_timing *copy = &d->timings[d->ntimings];
	*copy = *timing;
	copy->extra = extra_cycles(timing);
	copy->stalls =
	    copy_to_arena(d, timing->stalls, timing->nstalls * sizeof(*timing->stalls));
	copy->runs =
	    copy_to_arena(d, timing->runs, timing->nruns * sizeof(*timing->runs));
	if (!copy->stalls || !copy->runs)
		return TR_E_NOMEM;
	d->extras[d->ntimings] = copy->extra;
	d->ntimings = n;
	return TR_OK;
}

int tr_dictionary_search_block(struct tr_dictionary *d, const struct tr_block *block,
			       uint32_t *id, bool *added)
{
	uint64_t key =
	    XXH3_64bits_withSeed(block->code, tr_block_code_size(block), block->pc);
	while ((*id = tr_map_get(&d->block_ids, key)) != TR_MAP_NONE) {
		if (tr_same_block(&d->blocks[*id], block))
			return TR_OK;
		key++;
	}
	*id = (uint32_t)d->nblocks;
	*added = true;
	if (!tr_map_set(&d->block_ids, key, *id))
		return TR_E_NOMEM;
	return tr_dictionary_add_block(d, block);
}

static uint64_t hash_timing(const struct tr_timing *timing)
{
	uint64_t hash = timing->nstalls;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		hash = tr_mix(hash * 31 + stall->cycles) + stall->token * 1021U +
		       stall->nruns;
	}
	return tr_hash_runs(hash, timing->runs, timing->nruns);
}

static bool same_timing(const struct tr_timing *a, const struct tr_timing *b)
{
	const struct tr_stall *s = a->stalls;
	_Static_assert(sizeof(*s) == sizeof(s->cycles) + sizeof(s->first_run) +
					 sizeof(s->nruns) + sizeof(s->token),
		       "padding");
	return a->nstalls == b->nstalls && a->nruns == b->nruns &&
	       memcmp(s, b->stalls, a->nstalls * sizeof(*s)) == 0 &&
	       tr_same_runs(a->runs, b->runs, a->nruns);
}

int tr_dictionary_search_timing(struct tr_dictionary *d, const struct tr_timing *timing,
				uint32_t *id, bool *added)
{
	uint64_t key = hash_timing(timing);
	while ((*id = tr_map_get(&d->timing_ids, key)) != TR_MAP_NONE) {
		if (same_timing(&d->timings[*id], timing))
			return TR_OK;
		key++;
	}
	*id = (uint32_t)d->ntimings;
	*added = true;
	if (!tr_map_set(&d->timing_ids, key, *id))
		return TR_E_NOMEM;
	return tr_dictionary_add_timing(d, timing);
}

static uint32_t find_list_index(const struct tr_dictionary *d, const struct tr_list *list,
				const struct tr_map *index, uint32_t owner, uint32_t id)
{
	const unsigned near = tr_list_near(list, id);
	if (near < TR_LIST_NEAR)
		return near;
	const uint32_t n = list->count < SEARCHED ? list->count : SEARCHED;
	for (uint32_t i = TR_LIST_NEAR; i < n; i++)
		if (d->far[list->far + i - TR_LIST_NEAR] == id)
			return i;
	if (list->count <= SEARCHED)
		return list->count;
	uint32_t found = tr_map_get(index, tr_pair_key(owner, id));
	return found == TR_MAP_NONE ? list->count : found;
}

uint32_t tr_dictionary_follower(const struct tr_dictionary *d, uint32_t owner,
				uint32_t id)
{
	return find_list_index(d, &d->history[owner].followers, &d->edges, owner, id);
}

uint32_t tr_dictionary_rhythm(const struct tr_dictionary *d, uint32_t block, uint32_t id)
{
	return find_list_index(d, &d->history[block + 1].rhythms, &d->rhythm_edges, block,
			       id);
}

static int append_list_id(struct tr_dictionary *d, struct tr_list *list, uint32_t id)
{
	d->nedges++;
	if (list->count < TR_LIST_NEAR) {
		list->near[list->count++] = id;
		return TR_OK;
	}
	/* Allocation sizes are 4, 8, 16, … */
	uint32_t far = list->count - TR_LIST_NEAR;
	if (far == 0 || (far >= 4 && (far & (far - 1)) == 0)) {
		uint32_t room = far ? far * 2 : 4;
		if (!tr_grow(&d->far, &d->far_room, d->nfar + room, sizeof(*d->far)))
			return TR_E_NOMEM;
		if (far)
			memcpy(d->far + d->nfar, d->far + list->far,
			       far * sizeof(*d->far));
		list->far = (uint32_t)d->nfar;
		d->nfar += room;
	}
	d->far[list->far + far] = id;
	list->count++;
	return TR_OK;
}

static int append_indexed(struct tr_dictionary *d, struct tr_list *list,
			  struct tr_map *index, uint32_t owner, uint32_t id)
{
	if (index && list->count >= SEARCHED &&
	    !tr_map_set(index, tr_pair_key(owner, id), list->count))
		return TR_E_NOMEM;
	return append_list_id(d, list, id);
}

int tr_dictionary_add_follower(struct tr_dictionary *d, uint32_t owner, uint32_t id,
			       bool indexed)
{
	return append_indexed(d, &d->history[owner].followers, indexed ? &d->edges : NULL,
			      owner, id);
}

int tr_dictionary_add_rhythm(struct tr_dictionary *d, uint32_t block, uint32_t id,
			     bool indexed)
{
	return append_indexed(d, &d->history[block + 1].rhythms,
			      indexed ? &d->rhythm_edges : NULL, block, id);
}

/* Delays, with the index from content to id. */

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

static bool is_same_delay(const struct tr_delay *a, const struct tr_delay *b)
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
		if (is_same_delay(&d->list[*id], delay))
			return TR_OK;
		key++;
	}
	*id = (uint32_t)d->count;
	*added = true;
	if (!tr_map_set(&d->ids, key, *id))
		return TR_E_NOMEM;
	return tr_delays_add(d, delay);
}
