/* SPDX-License-Identifier: Apache-2.0 */
/* Forked children: a process that resumes after a system call of another one, with the
 * same sp, has the stack that the other one had there. */
#include "unwind/stacks.h"

#include <stdlib.h>
#include <string.h>

enum { CAUSE_ECALL_U = 8, SNAPSHOTS = 1024 };

struct snapshots {
	struct snapshot all[SNAPSHOTS];
	uint32_t count;
	struct tr_map ids; /* by hash of (epc, sp, sym) */
};

static uint64_t snapshot_key(uint64_t epc, uint64_t sp, uint64_t hgatp)
{
	return tr_space_hash((struct tr_space_id){tr_mix(epc) ^ sp, hgatp});
}

/* Returns the least recently taken snapshot, or an unused one. */
static uint32_t oldest_snapshot(const struct snapshots *all)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < SNAPSHOTS; i++)
		if (all->all[i].used < all->all[best].used)
			best = i;
	return best;
}

/* A child and its parent are of one guest, or both of none. */
static struct snapshot *find_snapshot(struct snapshots *all, uint64_t epc, uint64_t sp,
				      uint64_t hgatp)
{
	uint32_t i = tr_map_get(&all->ids, snapshot_key(epc, sp, hgatp));
	if (i == TR_MAP_NONE)
		return NULL;
	struct snapshot *s = &all->all[i];
	return s->epc == epc && s->sp == sp && s->hgatp == hgatp ? s : NULL;
}

static struct snapshot *claim_snapshot(struct tr_unwind *u, uint64_t epc, uint64_t sp,
				       uint64_t hgatp)
{
	struct snapshots *all = stacks_of(u)->snapshots;
	uint32_t i = all->count < SNAPSHOTS ? all->count++ : oldest_snapshot(all);
	if (all->ids.count > 16 * SNAPSHOTS)
		tr_map_clear(&all->ids);
	if (!tr_map_set(&all->ids, snapshot_key(epc, sp, hgatp), i))
		unwind_fail(status_of(u), TR_E_NOMEM);
	return &all->all[i];
}

/* Copies the frames of a stack and of those below it, from the root on. Returns their
 * number. */
static uint32_t copy_stack_chain(struct tr_unwind *u, struct snapshot *to,
				 const struct stack *s)
{
	uint32_t first = s->below ? copy_stack_chain(u, to, s->below) : 0;
	if (!tr_unwind_reserve(status_of(u), (void **)&to->frames, &to->capacity,
			       (uint64_t)first + s->depth, sizeof(*to->frames)))
		return first;
	memcpy(&to->frames[first], s->frames, s->depth * sizeof(*s->frames));
	return first + s->depth;
}

void tr_snapshot_take(struct tr_unwind *u, struct stacks_hart *h, const struct trap *trap)
{
	const struct frame *top = stack_top(h->stack);
	if (!top)
		return;
	const uint64_t hgatp = trap->hgatp;
	struct snapshot *s =
	    find_snapshot(stacks_of(u)->snapshots, trap->epc, trap->sp, hgatp);
	if (!s)
		s = claim_snapshot(u, trap->epc, trap->sp, hgatp);
	s->epc = trap->epc;
	s->sp = trap->sp;
	s->hgatp = hgatp;
	s->sym = top->sym;
	s->binary = stack_bottom(h->stack)->binary;
	s->used = stacks_tick(u);
	s->depth = copy_stack_chain(u, s, h->stack);
}

void tr_snapshot_release(struct tr_unwind *u, struct stacks_hart *h, struct stack *kernel)
{
	struct stack *s = h->stack;
	const struct frame *top = stack_top(s);
	if (kernel == s || kernel->root == HOLD_NONE || !top)
		return;
	/* A hypervisor's task is not a child in the guest that it enters. */
	if (kernel->hgatp != s->hgatp) {
		tr_frames_release_root(u, kernel);
		return;
	}
	uint32_t node = top->node;
	if (!stack_is_user(kernel))
		node = tr_nodes_on(nodes_of(u), node,
				   tr_names_trap(names_of(u), CAUSE_ECALL_U));
	const struct hold hold = {.node = node,
				  .thread = s->id,
				  .process = s->root == HOLD_NONE ? s->space
								  : TR_HELD | s->root};
	tr_queue_resolve(queue_of(u), kernel->root, &hold);
	kernel->root = HOLD_NONE;
}

bool tr_snapshot_adopt(struct tr_unwind *u, struct stacks_hart *h,
		       const struct place *place)
{
	const uint64_t epc = place->pc - ECALL_BYTES;
	bool is_doubtful = false;
	const struct snapshot *from =
	    options_of(u)->has_sp
		? find_snapshot(stacks_of(u)->snapshots, epc, h->hart.sp,
				tr_space_of(&h->hart.context).hgatp)
		: tr_inferred_snapshot(u, h, epc, place->sym, &is_doubtful);
	struct stack *kernel = h->stack;
	if (!from || !from->depth ||
	    (place->sym != SYM_UNKNOWN && from->sym != place->sym))
		return false;
	tr_stack_begin_thread(u, h);
	struct stack *s = h->stack;
	uint32_t before = s->capacity;
	if (!tr_unwind_reserve(status_of(u), (void **)&s->frames, &s->capacity,
			       from->depth, sizeof(*s->frames)))
		return false;
	stacks_add_frames(u, s->capacity - before);
	memcpy(s->frames, from->frames, from->depth * sizeof(*s->frames));
	s->depth = from->depth;
	h->hart.sp = from->sp;
	if (s->depth > 1)
		tr_stack_widen(u, s, s->frames[1].sp);
	tr_stack_doubt(u, h, is_doubtful);
	tr_frames_name_thread(u, s);
	tr_snapshot_release(u, h, kernel);
	return true;
}

void tr_snapshots_forget(struct tr_unwind *u)
{
	struct snapshots *all = stacks_of(u)->snapshots;
	tr_map_clear(&all->ids);
	for (uint32_t i = 0; i < all->count; i++)
		all->all[i].depth = 0;
	all->count = 0;
}

void tr_snapshots_settle_nodes(struct tr_unwind *u)
{
	struct snapshots *all = stacks_of(u)->snapshots;
	for (uint32_t i = 0; i < all->count; i++)
		tr_frames_settle_nodes(u, all->all[i].frames, all->all[i].depth);
}

const struct snapshot *tr_snapshots_nth(const struct tr_unwind *u, uint32_t nth)
{
	const struct snapshots *all = stacks_of(u)->snapshots;
	return nth < all->count ? &all->all[nth] : NULL;
}

struct snapshots *tr_snapshots_new(void)
{
	return calloc(1, sizeof(struct snapshots));
}

void tr_snapshots_free(struct snapshots *all)
{
	if (!all)
		return;
	for (uint32_t i = 0; i < SNAPSHOTS; i++)
		free(all->all[i].frames);
	tr_map_free(&all->ids);
	free(all);
}
