/* SPDX-License-Identifier: Apache-2.0 */
/* Follows the calls of each thread: when they begin, how long they take, and where a
 * window begins and ends by them. */
#include "profile/profile_internal.h"

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

/* A call of the node's function began at `start` of the thread's clock, in the
 * window, and ends in it. */
static bool take_duration(struct tr_profile *p, const struct profile_thread *t,
			  uint32_t node, uint64_t start)
{
	uint32_t func = p->nodes[node].func;
	if (p->nodes[node].flags & FUNC_TIMED &&
	    !tr_durations_add(&p->timed, t->clock - start))
		return false;
	if (!p->options.calls)
		return true;
	struct profile_stat *stat =
	    profile_stat_of(p, profile_frame_group(p, node, t->group), func);
	return stat && tr_durations_add(&stat->durations, t->clock - start);
}

static bool end_calls(struct tr_profile *p, struct profile_thread *t, uint64_t time,
		      uint32_t depth)
{
	bool is_return = false;
	uint32_t i = t->node;
	for (; p->nodes[i].depth > depth; i = p->nodes[i].parent) {
		if (!profile_is_called(p, i))
			continue;
		uint64_t start = t->starts[p->nodes[i].depth];
		if (start != NOT_TIMED && time <= p->to && !take_duration(p, t, i, start))
			return false;
		is_return |= (p->nodes[i].flags & FUNC_TO) != 0;
	}
	if (is_return && p->to == UINT64_MAX && time > p->from)
		p->to = time;
	return true;
}

static bool begin_call(struct tr_profile *p, const struct profile_thread *t,
		       uint32_t node)
{
	uint32_t func = p->nodes[node].func;
	p->timed_calls += (p->nodes[node].flags & FUNC_TIMED) != 0;
	if (!p->options.calls)
		return true;
	struct profile_stat *stat =
	    profile_stat_of(p, profile_frame_group(p, node, t->group), func);
	if (stat)
		stat->calls++;
	return stat != NULL;
}

/* What was on the stack when the window began has not been called in it. */
static bool begin_calls(struct tr_profile *p, struct profile_thread *t, uint32_t node,
			uint64_t time, uint32_t depth)
{
	uint32_t i = node;
	if (!tr_grow(&t->starts, &t->capacity, (size_t)p->nodes[i].depth + 1,
		     sizeof(*t->starts)))
		return false;
	for (; p->from == UINT64_MAX && p->nodes[i].depth > depth; i = p->nodes[i].parent)
		if (p->nodes[i].flags & FUNC_FROM)
			p->from = time;
	bool is_inside = time >= p->from && time < p->to;
	for (i = node; p->nodes[i].depth > depth; i = p->nodes[i].parent) {
		if (!profile_is_called(p, i))
			continue;
		t->starts[p->nodes[i].depth] = is_inside ? t->clock : NOT_TIMED;
		if (is_inside && !begin_call(p, t, i))
			return false;
	}
	return true;
}

/* Nodes learn the privilege of their level when they run first; those that never run
 * have that of what they call. */
static void learn_privilege(struct tr_profile *p, uint32_t node, uint8_t priv)
{
	while (node && p->nodes[node].priv == NO_PRIV) {
		p->nodes[node].priv = priv;
		if (p->funcs[p->nodes[node].func].kind == TR_FRAME_TRAP)
			return;
		node = p->nodes[node].parent;
	}
}

/* The top frame was entered anew; not that of a folded binary, by going from one of
 * its functions to another. */
static bool is_again(const struct tr_profile *p, const struct profile_thread *t,
		     const struct profile_row *row)
{
	const struct profile_raw *raw = &p->raws[row->srow->node];
	return row->srow->fresh && !raw->is_inside &&
	       (t->node != raw->node || t->raw == row->srow->node);
}

/* The function that runs, below what is inlined in it and its line. */
static uint32_t called_node(const struct tr_profile *p, uint32_t node)
{
	while (node && !profile_is_called(p, node))
		node = p->nodes[node].parent;
	return node;
}

bool profile_follow_calls(struct tr_profile *p, const struct profile_row *row,
			  uint32_t group)
{
	struct profile_thread *t = &p->threads[row->srow->thread];
	uint32_t node = p->raws[row->srow->node].node;
	bool again = is_again(p, t, row);
	if (p->options.by == TR_BY_PRIVILEGE && group != GROUP_NONE)
		learn_privilege(p, node, row->context.priv);
	if (node != t->node || again) {
		uint32_t depth = common_depth(p, t->node, node);
		uint32_t entered = p->nodes[called_node(p, node)].depth;
		if (again && entered && depth >= entered)
			depth = entered - 1;
		if (!end_calls(p, t, row->time, depth))
			return false;
		t->group = group;
		if (!begin_calls(p, t, node, row->time, depth))
			return false;
		t->node = node;
	}
	t->raw = row->srow->node;
	t->clock += p->options.instructions ? row->srow->instructions : row->srow->cycles;
	return true;
}
