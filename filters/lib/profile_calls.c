/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the calls of each thread: when they begin, and how long they take. */
#include "profile_internal.h"

struct profile_stat *profile_stat_of(struct tr_profile *p, uint32_t group, uint32_t func)
{
	uint64_t key = tr_pair_key(group, func);
	uint32_t id = tr_map_get(&p->stat_map, key);
	if (id != TR_MAP_NONE)
		return &p->stats[id];
	if (!tr_grow(&p->stats, &p->stat_capacity, (size_t)p->nstats + 1,
		     sizeof(*p->stats)) ||
	    !profile_grow_lost(p, &p->stat_lost, &p->stat_lost_capacity, p->nstats) ||
	    !tr_map_set(&p->stat_map, key, p->nstats))
		return NULL;
	struct profile_stat *stat = &p->stats[p->nstats++];
	*stat = (struct profile_stat){.group = group, .func = func};
	return stat;
}

/* The depth down to which two stacks are the same. */
static uint32_t common_depth(const struct tr_profile *p, uint32_t a, uint32_t b)
{
	while (p->nodes[a].depth > p->nodes[b].depth)
		a = p->nodes[a].parent;
	while (p->nodes[b].depth > p->nodes[a].depth)
		b = p->nodes[b].parent;
	while (a != b) {
		a = p->nodes[a].parent;
		b = p->nodes[b].parent;
	}
	return p->nodes[a].depth;
}

static bool end_calls(struct tr_profile *p, uint32_t thread, uint32_t depth)
{
	struct profile_thread *t = &p->threads[thread];
	uint32_t i = t->node;
	for (; p->nodes[i].depth > depth; i = p->nodes[i].parent) {
		if (!profile_is_called(p, i))
			continue;
		uint32_t group = profile_group(p, i, thread);
		struct profile_stat *stat = profile_stat_of(p, group, p->nodes[i].func);
		uint64_t start = t->starts[p->nodes[i].depth];
		if (!stat || !tr_durations_add(&stat->durations, t->clock - start))
			return false;
	}
	return true;
}

static bool begin_calls(struct tr_profile *p, const struct tr_srow *row, uint32_t depth)
{
	struct profile_thread *t = &p->threads[row->thread];
	uint32_t i = row->node;
	if (!tr_grow(&t->starts, &t->capacity, (size_t)p->nodes[i].depth + 1,
		     sizeof(*t->starts)))
		return false;
	for (; p->nodes[i].depth > depth; i = p->nodes[i].parent) {
		if (!profile_is_called(p, i))
			continue;
		uint32_t group = profile_group(p, i, row->thread);
		struct profile_stat *stat = profile_stat_of(p, group, p->nodes[i].func);
		if (!stat)
			return false;
		stat->calls++;
		t->starts[p->nodes[i].depth] = t->clock;
	}
	return true;
}

bool profile_follow_calls(struct tr_profile *p, const struct tr_srow *row)
{
	struct profile_thread *t = &p->threads[row->thread];
	if (row->node != t->node || row->fresh) {
		uint32_t depth = common_depth(p, t->node, row->node);
		if (row->fresh && depth && depth == p->nodes[row->node].depth)
			depth--;
		if (!end_calls(p, row->thread, depth) || !begin_calls(p, row, depth))
			return false;
		t->node = row->node;
	}
	t->clock += p->options.instructions ? row->instructions : row->cycles;
	return true;
}
