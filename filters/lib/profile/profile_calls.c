/* SPDX-License-Identifier: Apache-2.0 */
/* Tracks the calls of each thread: their start and duration, and the window bounds that
 * depend on them. */
#include <stdlib.h>

#include "profile/profile_internal.h"

struct profile_stat *tr_profile_stat_of(struct tr_profile *p, uint32_t group,
					uint32_t func)
{
	uint64_t key = tr_pair_key(group, func);
	uint32_t id = tr_map_get(&p->stat_map, key);
	if (id != TR_MAP_NONE)
		return &p->stats[id];
	if (!tr_grow(&p->stats, &p->stat_capacity, (size_t)p->nstats + 1,
		     sizeof(*p->stats)) ||
	    !tr_profile_grow_lost(p, &p->stat_lost, &p->stat_lost_capacity, p->nstats) ||
	    !tr_map_set(&p->stat_map, key, p->nstats))
		return NULL;
	struct profile_stat *stat = &p->stats[p->nstats++];
	*stat = (struct profile_stat){.group = group, .func = func};
	return stat;
}

uint32_t tr_profile_common_depth(const struct tr_profile *p, uint32_t a, uint32_t b)
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

/* Returns the depth down to which two stacks without a common node have the same
 * functions above their first frames. When the first frame of a stack is renamed, its
 * nodes change, but none of its functions was called or returned. */
static uint32_t renamed_depth(const struct tr_profile *p, uint32_t a, uint32_t b)
{
	while (p->nodes[a].depth > p->nodes[b].depth)
		a = p->nodes[a].parent;
	while (p->nodes[b].depth > p->nodes[a].depth)
		b = p->nodes[b].parent;
	uint32_t same = p->nodes[a].depth;
	for (; p->nodes[a].depth > 1; a = p->nodes[a].parent, b = p->nodes[b].parent)
		if (p->nodes[a].func != p->nodes[b].func)
			same = p->nodes[a].depth - 1;
	return same > 1 ? same : 0;
}

/* Returns a call that began at `start` and ends where `row` begins. */
static struct tr_slow_call slow_call(const struct tr_profile *p,
				     const struct profile_thread *t,
				     const struct profile_row *row,
				     const struct profile_start *start)
{
	return (struct tr_slow_call){.duration = t->clock - start->clock,
				     .away = t->away - start->away,
				     .from = start->time,
				     .to = row->time,
				     .hart = p->harts[row->hart].number,
				     .thread = t->name.text};
}

/* Returns false when out of memory. */
static bool keep_slowest(struct profile_stat *stat, const struct tr_slow_call *call)
{
	if (!stat->slowest)
		stat->slowest = calloc(1, sizeof(*stat->slowest));
	if (stat->slowest)
		tr_slowest_add(stat->slowest, call);
	return stat->slowest != NULL;
}

/* Records a call of the function that is measured. Returns false when out of memory. */
static bool record_timed_call(struct tr_profile *p, const struct profile_thread *t,
			      const struct profile_row *row,
			      const struct profile_start *start)
{
	const struct tr_slow_call call = slow_call(p, t, row, start);
	tr_slowest_add(&p->slowest, &call);
	return tr_durations_add(&p->timed, call.duration);
}

/* Records a call of the node's function that began at `start` in the window and ends in
 * it, where `row` begins. Returns false when out of memory. */
static bool take_duration(struct tr_profile *p, const struct profile_thread *t,
			  const struct profile_row *row, uint32_t node,
			  const struct profile_start *start)
{
	uint32_t func = p->nodes[node].func;
	if (p->nodes[node].flags & FUNC_TIMED && !record_timed_call(p, t, row, start))
		return false;
	if (!p->options.calls)
		return true;
	struct profile_stat *stat =
	    tr_profile_stat_of(p, profile_frame_group(p, node, t->group), func);
	if (!stat || !tr_durations_add(&stat->durations, t->clock - start->clock))
		return false;
	stat->away += t->away - start->away;
	if (!(p->nodes[node].flags & FUNC_SLOWEST))
		return true;
	const struct tr_slow_call call = slow_call(p, t, row, start);
	return keep_slowest(stat, &call);
}

/* Records a call that began in the window and does not end in it. Returns false when out
 * of memory. */
static bool leave_open(struct tr_profile *p, const struct profile_thread *t,
		       uint32_t node, const struct profile_start *start)
{
	const struct tr_slow_call call = {.duration = t->clock - start->clock,
					  .away = t->away - start->away,
					  .from = start->time,
					  .is_open = true,
					  .thread = t->name.text};
	if (!(p->nodes[node].flags & FUNC_SLOWEST))
		return true;
	struct profile_stat *stat = tr_profile_stat_of(
	    p, profile_frame_group(p, node, t->group), p->nodes[node].func);
	if (!stat)
		return false;
	if (call.duration > stat->open)
		stat->open = call.duration;
	return keep_slowest(stat, &call);
}

bool tr_profile_leave_open(struct tr_profile *p)
{
	for (uint32_t i = 0; p->options.nslowest && i < p->nthreads; i++) {
		const struct profile_thread *t = &p->threads[i];
		for (uint32_t node = t->node; node; node = p->nodes[node].parent) {
			const struct profile_start *start =
			    &t->starts[p->nodes[node].depth];
			if (profile_is_called(p, node) && start->clock != NOT_TIMED &&
			    !leave_open(p, t, node, start))
				return false;
		}
	}
	return true;
}

static bool end_calls(struct tr_profile *p, struct profile_thread *t,
		      const struct profile_row *row, uint32_t depth)
{
	const uint64_t time = row->time;
	bool is_return = false;
	uint32_t i = t->node;
	for (; p->nodes[i].depth > depth; i = p->nodes[i].parent) {
		if (!profile_is_called(p, i))
			continue;
		const struct profile_start *start = &t->starts[p->nodes[i].depth];
		if (start->clock != NOT_TIMED &&
		    !(time <= p->to ? take_duration(p, t, row, i, start)
				    : leave_open(p, t, i, start)))
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
	if (p->slicer && p->slicer->call(p->slicer->context, node))
		return false;
	if (!p->options.calls)
		return true;
	struct profile_stat *stat =
	    tr_profile_stat_of(p, profile_frame_group(p, node, t->group), func);
	if (stat)
		stat->calls++;
	return stat != NULL;
}

/* Returns the depth of the lowest frame above `depth` that was entered together with the
 * function `top`: its own, or that of the traps below it. Frames further down only
 * reappear as other nodes. */
static uint32_t lowest_entered(const struct tr_profile *p, uint32_t top, uint32_t depth)
{
	uint32_t parent = p->nodes[top].parent;
	while (p->nodes[parent].depth > depth &&
	       p->funcs[p->nodes[parent].func].kind == TR_FRAME_TRAP) {
		top = parent;
		parent = p->nodes[top].parent;
	}
	return p->nodes[top].depth;
}

/* Frames above `depth` were pushed; those from depth `entered` on were called. Frames
 * on the stack when the window began are not calls in it. Returns false when out of
 * memory. */
static bool begin_calls(struct tr_profile *p, struct profile_thread *t, uint32_t node,
			uint64_t time, uint32_t depth, uint32_t entered)
{
	uint32_t i = node;
	if (!tr_grow(&t->starts, &t->capacity, (size_t)p->nodes[i].depth + 1,
		     sizeof(*t->starts)))
		return false;
	for (; p->from == UINT64_MAX && p->nodes[i].depth >= entered &&
	       p->nodes[i].depth > depth;
	     i = p->nodes[i].parent)
		if (p->nodes[i].flags & FUNC_FROM)
			p->from = time;
	bool is_inside = time >= p->from && time < p->to;
	for (i = node; p->nodes[i].depth > depth; i = p->nodes[i].parent) {
		if (!profile_is_called(p, i))
			continue;
		bool is_call = is_inside && p->nodes[i].depth >= entered;
		t->starts[p->nodes[i].depth] =
		    (struct profile_start){.clock = is_call ? t->clock : NOT_TIMED,
					   .away = t->away,
					   .time = time};
		if (is_call && !begin_call(p, t, i))
			return false;
	}
	return true;
}

/* A node gets the privilege of its level when it first runs; a node that never runs gets
 * that of its callees. */
void tr_profile_learn_privilege(struct tr_profile *p, const struct profile_raw *raw,
				uint8_t priv)
{
	uint32_t node = raw->node;
	if (raw->charge == CHARGE_GAP || raw->charge == CHARGE_LOST)
		return;
	while (node && p->nodes[node].priv == NO_PRIV) {
		p->nodes[node].priv = priv;
		if (p->funcs[p->nodes[node].func].kind == TR_FRAME_TRAP)
			return;
		node = p->nodes[node].parent;
	}
}

/* Returns the executing function, below its inlined calls and source line. */
static uint32_t called_node(const struct tr_profile *p, uint32_t node)
{
	while (node && !profile_is_called(p, node))
		node = p->nodes[node].parent;
	return node;
}

static bool is_gap(const struct tr_profile *p, uint32_t node)
{
	return node && p->funcs[p->nodes[node].func].kind == TR_FRAME_GAP;
}

/* Returns the function that this row enters, 0 if it continues one. A folded binary is
 * entered by its first frame, not by calls within it. Each gap is entered anew. */
static uint32_t entered_node(const struct tr_profile *p, const struct profile_thread *t,
			     const struct profile_row *row)
{
	const struct profile_raw *raw = &p->raws[row->srow->node];
	uint32_t top = called_node(p, raw->node);
	if (is_gap(p, top))
		return top;
	bool is_fresh = row->srow->fresh && !raw->is_inside &&
			(t->node != raw->node || t->raw == row->srow->node);
	return is_fresh ? top : 0;
}

/* Moves the thread from the stack of its last row to `node`. Returns false when out of
 * memory. */
static bool change_stack(struct tr_profile *p, struct profile_thread *t,
			 const struct profile_row *row, uint32_t node, uint32_t top,
			 uint32_t group)
{
	uint32_t depth = tr_profile_common_depth(p, t->node, node), entered = UINT32_MAX;
	if (!depth)
		depth = renamed_depth(p, t->node, node);
	if (top) {
		if (depth >= p->nodes[top].depth)
			depth = p->nodes[top].depth - 1;
		entered = lowest_entered(p, top, depth);
	}
	if (!end_calls(p, t, row, depth))
		return false;
	t->group = group;
	t->node = node;
	return begin_calls(p, t, node, row->time, depth, entered);
}

bool tr_profile_follow_calls(struct tr_profile *p, const struct profile_row *row,
			     uint32_t group)
{
	struct profile_thread *t = &p->threads[row->srow->thread];
	uint32_t node = p->raws[row->srow->node].node;
	uint32_t top = entered_node(p, t, row);
	if (p->options.by == TR_BY_PRIVILEGE && group != GROUP_NONE &&
	    !p->raws[row->srow->node].is_hidden)
		tr_profile_learn_privilege(p, &p->raws[row->srow->node],
					   row->context.priv);
	/* A gap ends with its row. */
	if (t->node && !is_gap(p, t->node) && row->time > t->until)
		t->away += row->time - t->until;
	if ((node != t->node || top) && !change_stack(p, t, row, node, top, group))
		return false;
	t->raw = row->srow->node;
	t->clock += p->options.instructions ? row->srow->instructions : row->srow->cycles;
	if (row->time + row->srow->cycles > t->until)
		t->until = row->time + row->srow->cycles;
	return true;
}
