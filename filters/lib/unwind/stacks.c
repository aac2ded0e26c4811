/* SPDX-License-Identifier: Apache-2.0 */
/* The set of stacks, found by the addresses that sp has had on them. */
#include "unwind/stacks.h"

#include <stdlib.h>
#include <string.h>

/* Additions to sp after a write of it stay within this many bytes. */
enum { NEAR = 1 << 16 };

enum { COLLECT_LEAST = 64 };

uint64_t tr_stack_key(const struct tr_context *context)
{
	const struct tr_mode mode = tr_mode_of(context->priv);
	const struct tr_space_id id = tr_space_of(context);
	if (tr_mode_is_user(mode))
		return tr_space_hash(id) << 3 | 4;
	const uint64_t guest = tr_space_hash((struct tr_space_id){.hgatp = id.hgatp});
	return mode.nominal | (uint64_t)mode.is_virtual << 4 | guest << 5;
}

/* Returns the position of the stack that ends at `high`, or of the first one after it. */
static uint32_t find_stack_position(const struct stacks *all, uint64_t key, uint64_t high)
{
	uint32_t low = 0, count = all->nlisted;
	while (low < count) {
		uint32_t middle = low + (count - low) / 2;
		const struct stack *s = all->listed[middle];
		if (s->key < key || (s->key == key && s->high < high))
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

struct stack *tr_stack_find(const struct tr_unwind *u, uint64_t key, uint64_t sp)
{
	const struct stacks *all = stacks_of(u);
	uint32_t i = find_stack_position(all, key, sp);
	if (i == all->nlisted)
		return NULL;
	struct stack *s = all->listed[i];
	return s->key == key && s->low <= sp ? s : NULL;
}

static void take_out(struct stacks *all, uint32_t i)
{
	all->listed[i]->is_listed = false;
	all->nlisted--;
	memmove(&all->listed[i], &all->listed[i + 1],
		(all->nlisted - i) * sizeof(struct stack *));
}

void tr_stack_unlist(struct tr_unwind *u, struct stack *s)
{
	if (s->is_listed)
		take_out(stacks_of(u),
			 find_stack_position(stacks_of(u), s->key, s->high));
}

static void put_in(struct tr_unwind *u, struct stack *s)
{
	struct stacks *all = stacks_of(u);
	if (!tr_unwind_reserve(status_of(u), (void **)&all->listed, &all->listed_capacity,
			       all->nlisted + 1ULL, sizeof(struct stack *)))
		return;
	uint32_t i = find_stack_position(all, s->key, s->high);
	memmove(&all->listed[i + 1], &all->listed[i],
		(all->nlisted - i) * sizeof(struct stack *));
	all->listed[i] = s;
	all->nlisted++;
	s->is_listed = true;
}

bool tr_stack_stands_on(const struct stack *s, const struct stack *other)
{
	while (s && s != other)
		s = s->below;
	return s != NULL;
}

/* Removes stacks that `s` has grown over, unless it stands on them. */
static void remove_overgrown_stacks(struct tr_unwind *u, struct stack *s)
{
	struct stacks *all = stacks_of(u);
	for (uint32_t i; (i = find_stack_position(all, s->key, s->low)) < all->nlisted;) {
		struct stack *other = all->listed[i];
		if (other->key != s->key || other->low > s->high)
			return;
		if (tr_stack_stands_on(s, other)) {
			if (other->high >= s->high)
				return;
			s->low = other->high + 1;
		} else {
			take_out(all, i);
		}
	}
}

void tr_stack_list(struct tr_unwind *u, struct stack *s)
{
	remove_overgrown_stacks(u, s);
	put_in(u, s);
}

void tr_stack_widen(struct tr_unwind *u, struct stack *s, uint64_t sp)
{
	if (sp - s->low <= s->high - s->low)
		return;
	bool was_listed = s->is_listed;
	tr_stack_unlist(u, s);
	if (sp < s->low)
		s->low = sp;
	else
		s->high = sp;
	if (!was_listed)
		return;
	tr_stack_list(u, s);
}

static void mark_stack_used(struct tr_unwind *u, struct stack *s)
{
	if (s->is_used)
		return;
	s->is_used = true;
	s->next_used = stacks_of(u)->used;
	stacks_of(u)->used = s;
}

static int compare_stack_use(const void *a, const void *b)
{
	const struct stack *x = *(struct stack *const *)a;
	const struct stack *y = *(struct stack *const *)b;
	return (x->used < y->used) - (x->used > y->used);
}

/* Marks a stack, and those below or covered. Returns how many were unmarked. */
static uint32_t keep_chain(struct stack *s)
{
	uint32_t count = 0;
	for (; s && !s->is_kept; s = s->below) {
		s->is_kept = true;
		count += 1 + keep_chain(stack_covered(s));
	}
	return count;
}

static void release_stack(struct tr_unwind *u, struct stack *s)
{
	stacks_of(u)->nframes -= tr_frames_room(stack_frames(s));
	tr_frames_free(stack_frames(s));
	free(s);
}

/* Frees the unmarked stacks and clears the marks. Returns their number. */
static uint32_t free_others(struct tr_unwind *u)
{
	struct stacks *all = stacks_of(u);
	uint32_t kept = 0, freed;
	all->nlisted = 0;
	all->used = NULL;
	for (uint32_t i = 0; i < all->count; i++) {
		struct stack *s = all->all[i];
		if (s->above && !s->above->is_kept)
			s->above = NULL;
	}
	for (uint32_t i = 0; i < all->count; i++) {
		struct stack *s = all->all[i];
		if (!s->is_kept) {
			release_stack(u, s);
			continue;
		}
		s->is_kept = s->is_used = false;
		mark_stack_used(u, s);
		all->all[kept++] = s;
		if (s->is_listed)
			put_in(u, s);
	}
	freed = all->count - kept;
	all->count = kept;
	return freed;
}

static uint32_t keep_running(struct tr_unwind *u)
{
	uint32_t count = 0;
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		if (unwind_hart(u, i))
			count += keep_chain(hart_stack(unwind_hart(u, i)));
	return count;
}

/* Frees about half of the stacks, those left longest ago: mostly of ended threads. */
static void forget_oldest_stacks(struct tr_unwind *u)
{
	struct stacks *all = stacks_of(u);
	uint32_t chosen = keep_running(u);
	qsort(all->all, all->count, sizeof(struct stack *), compare_stack_use);
	for (uint32_t i = 0; chosen < all->count / 2; i++)
		chosen += keep_chain(all->all[i]);
	stacks_count(u, COUNT_FORGOTTEN, free_others(u));
}

/* Frees stacks whose addresses now belong to others, mostly of ended programs. The next
 * collection comes after as many new stacks as were left, so that its cost is
 * amortised. */
static void collect_dead_stacks(struct tr_unwind *u)
{
	struct stacks *all = stacks_of(u);
	keep_running(u);
	for (uint32_t i = 0; i < all->count; i++)
		if (all->all[i]->is_listed || root_is_held(all->all[i]))
			keep_chain(all->all[i]);
	free_others(u);
	all->collect_at = COLLECT_LEAST + 2 * all->count;
}

static struct stack *allocate_stack(struct tr_unwind *u)
{
	struct stacks *all = stacks_of(u);
	if (options_of(u)->has_sp && all->count >= all->collect_at)
		collect_dead_stacks(u);
	if (all->count >= TR_UNWIND_THREADS || all->nframes >= TR_UNWIND_FRAMES)
		forget_oldest_stacks(u);
	struct stack *s = calloc(1, sizeof(*s));
	if (!s || !tr_unwind_reserve(status_of(u), (void **)&all->all, &all->capacity,
				     all->count + 1ULL, sizeof(struct stack *))) {
		free(s);
		unwind_fail(status_of(u), TR_E_NOMEM);
		return NULL;
	}
	all->all[all->count++] = s;
	return s;
}

struct stack *tr_stack_new(struct tr_unwind *u, const struct tr_context *context,
			   uint64_t sp)
{
	struct stack *s = allocate_stack(u);
	if (!s)
		return &stacks_of(u)->spare;
	s->key = tr_stack_key(context);
	s->low = s->high = sp;
	tr_thread_reset(s, context);
	tr_root_reset(s);
	if (options_of(u)->has_sp)
		tr_stack_list(u, s);
	return s;
}

void tr_stack_reach(struct tr_unwind *u, struct stack *s, uint64_t sp)
{
	if (options_of(u)->has_sp && sp && sp < s->low && s->low - sp < NEAR)
		tr_stack_widen(u, s, sp);
}

void tr_stack_place(struct tr_unwind *u, struct stack *s, uint64_t sp)
{
	tr_stack_unlist(u, s);
	s->low = s->high = sp;
	tr_frames_set_sp(stack_frames(s), sp);
	tr_stack_list(u, s);
}

void tr_stack_move(struct tr_unwind *u, struct stack *s, uint64_t bytes)
{
	tr_stack_unlist(u, s);
	s->low += bytes;
	s->high += bytes;
	if (s->high < s->low)
		s->low = s->high;
	tr_frames_add_sp(stack_frames(s), bytes);
	tr_stack_list(u, s);
}

void tr_stack_go(struct tr_unwind *u, struct hart *h, struct stack *to, uint64_t sp)
{
	struct stack *from = hart_stack(h);
	if (from == to)
		return;
	tr_stack_count_doubt(u, h);
	if (stack_bottom(from) != stack_bottom(to)) {
		tr_thread_leave_first(u, stack_bottom(from));
		thread_leave(stack_bottom(from), hart_cycle(h));
		stacks_count(u, COUNT_SWITCHES, 1);
	}
	from->parked = sp;
	from->clock += hart_stack_cycles(h);
	from->used = to->used = stacks_tick(u);
	mark_stack_used(u, from);
	mark_stack_used(u, to);
	if (to->below)
		to->below->above = to;
	hart_enter_stack(h, to);
}

struct stack *tr_stack_find_parked(const struct tr_unwind *u, uint64_t key, uint64_t sp)
{
	struct stack *s = tr_stack_find(u, key, sp);
	return s && stack_depth(s) && s->parked == sp ? s : NULL;
}

bool tr_stack_has_process(const struct tr_unwind *u, const struct tr_context *context)
{
	const struct stacks *all = stacks_of(u);
	const uint64_t key = tr_stack_key(context);
	for (uint32_t i = find_stack_position(all, key, 0); i < all->nlisted; i++) {
		const struct stack *s = all->listed[i];
		if (s->key != key)
			return false;
		if (stack_depth(s) && thread_space(s) == context->space)
			return true;
	}
	return false;
}

void tr_stack_begin_thread(struct tr_unwind *u, struct hart *h)
{
	const struct tr_context *c = hart_context(h);
	struct stack *from = hart_stack(h), *s = from;
	const uint64_t tp = thread_tp(stack_bottom(from)), key = tr_stack_key(c);
	if (stack_depth(s) || s->key != key) {
		s = tr_stack_find(u, key, hart_sp(h));
		if (!s || stack_depth(s))
			s = tr_stack_new(u, c, hart_sp(h));
	}
	/* tr_stack_go() sees no thread left if the stack stands on that one's. */
	if (s == from && stack_below(s))
		thread_leave(stack_bottom(s), hart_cycle(h));
	tr_stack_clear(u, s);
	tr_thread_identify(u, h, s, tp);
	tr_stack_go(u, h, s, hart_sp(h));
	tr_stack_doubt(u, h, false);
}

/* Returns true if another hart runs on the stack, or on one that stands on it. */
static bool is_of_other_hart(const struct tr_unwind *u, const struct hart *h,
			     const struct stack *s)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		if (unwind_hart(u, i) && unwind_hart(u, i) != h &&
		    tr_stack_stands_on(hart_stack(unwind_hart(u, i)), s))
			return true;
	return false;
}

void tr_stacks_forget_frames(struct tr_unwind *u, struct hart *h)
{
	struct stacks *all = stacks_of(u);
	tr_stack_count_doubt(u, h);
	if (hart_stack(h))
		mark_stack_used(u, hart_stack(h));
	struct stack *s = all->used;
	all->used = NULL;
	for (struct stack *next; s; s = next) {
		next = s->next_used;
		s->is_used = false;
		if (is_of_other_hart(u, h, s)) {
			mark_stack_used(u, s);
			continue;
		}
		if (stack_covered(s))
			tr_stack_uncover_to(u, s, stack_covered(s));
		else if (stack_depth(s) && frame_kind(stack_frame(s, 0)) == FRAME_ROOT &&
			 !root_is_held(s))
			tr_frames_drop(stack_frames(s), 1);
		else
			tr_stack_clear(u, s);
	}
	if (hart_stack(h))
		mark_stack_used(u, hart_stack(h));
	tr_snapshots_forget(u);
}

void tr_stacks_settle_nodes(struct tr_unwind *u)
{
	struct stacks *all = stacks_of(u);
	if (spans_of(u))
		tr_spans_write(spans_of(u));
	for (uint32_t i = 0; i < all->count; i++)
		tr_frames_settle_nodes(u, stack_frames(all->all[i]));
	tr_snapshots_settle_nodes(u);
	for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
		struct hart *h = unwind_hart(u, i);
		if (!h)
			continue;
		tr_rows_flush(u, h);
		hart_set_node(h, tr_nodes_final(nodes_of(u), hart_node(h)));
	}
	tr_pairs_forget_nodes(pairs_of(u));
}

struct stacks *tr_stacks_new(void)
{
	struct stacks *all = calloc(1, sizeof(*all));
	if (!all)
		return NULL;
	tr_root_reset(&all->spare);
	all->snapshots = tr_snapshots_new();
	if (all->snapshots)
		return all;
	free(all);
	return NULL;
}

void tr_stacks_add_totals(const struct tr_unwind *u, struct tr_unwind_totals *totals)
{
	const uint64_t *counts = stacks_of(u)->counts;
	totals->calls += counts[COUNT_CALLS];
	totals->returns += counts[COUNT_RETURNS];
	totals->tailcalls += counts[COUNT_TAILCALLS];
	totals->longjmps += counts[COUNT_LONGJMPS];
	totals->traps += counts[COUNT_TRAPS];
	totals->unmatched += counts[COUNT_UNMATCHED];
	totals->beyond += counts[COUNT_BEYOND];
	totals->resyncs += counts[COUNT_RESYNCS];
	totals->breaks += counts[COUNT_BREAKS];
	totals->doubted_cycles += counts[COUNT_DOUBTED_CYCLES];
	totals->switches += counts[COUNT_SWITCHES];
	totals->depth_refused += counts[COUNT_TOO_DEEP];
	totals->threads_forgotten += counts[COUNT_FORGOTTEN];
	totals->virtual_lost += counts[COUNT_VIRTUAL_LOST];
}

void tr_stacks_free(struct tr_unwind *u)
{
	struct stacks *all = stacks_of(u);
	if (!all)
		return;
	for (uint32_t i = 0; i < all->count; i++)
		release_stack(u, all->all[i]);
	tr_snapshots_free(all->snapshots);
	tr_map_free(&all->vectors);
	tr_map_free(&all->begun_ids);
	free(all->begun);
	tr_frames_free(stack_frames(&all->spare));
	free(all->all);
	free(all->listed);
	free(all);
}
