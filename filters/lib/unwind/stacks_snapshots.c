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
	struct snapshots *all = snapshots_of(u);
	uint32_t i = all->count < SNAPSHOTS ? all->count++ : oldest_snapshot(all);
	if (all->ids.count > 16 * SNAPSHOTS)
		tr_map_clear(&all->ids);
	if (!tr_map_set(&all->ids, snapshot_key(epc, sp, hgatp), i))
		unwind_fail(status_of(u), TR_E_NOMEM);
	return &all->all[i];
}

/* Copies the frames of a stack and of those below it, from the root on. */
static void copy_stack_chain(struct tr_unwind *u, struct frames *to, struct stack *s)
{
	if (stack_below(s))
		copy_stack_chain(u, to, stack_below(s));
	tr_frames_copy(status_of(u), to, stack_frames(s));
}

void tr_snapshot_take(struct tr_unwind *u, struct hart *h, const struct trap *trap)
{
	const struct frame *top = stack_top(hart_stack(h));
	if (!top)
		return;
	const uint64_t hgatp = trap_space(trap).hgatp;
	struct snapshot *s =
	    find_snapshot(snapshots_of(u), trap_epc(trap), trap_sp(trap), hgatp);
	if (!s)
		s = claim_snapshot(u, trap_epc(trap), trap_sp(trap), hgatp);
	s->epc = trap_epc(trap);
	s->sp = trap_sp(trap);
	s->hgatp = hgatp;
	s->sym = frame_sym(top);
	s->binary = thread_binary(stack_bottom(hart_stack(h)));
	s->used = stacks_tick(u);
	tr_frames_drop(&s->frames, 0);
	copy_stack_chain(u, &s->frames, hart_stack(h));
}

void tr_snapshot_release(struct tr_unwind *u, struct hart *h, struct stack *kernel)
{
	struct stack *s = hart_stack(h);
	const struct frame *top = stack_top(s);
	if (kernel == s || !root_is_held(kernel) || !top)
		return;
	/* A hypervisor's task is not a child in the guest that it enters. */
	if (thread_hgatp(kernel) != thread_hgatp(s)) {
		tr_root_release(u, kernel);
		return;
	}
	uint32_t node = frame_node(top);
	if (!stack_is_user(kernel))
		node = tr_nodes_on(nodes_of(u), node,
				   tr_names_trap(names_of(u), CAUSE_ECALL_U));
	const struct hold hold = {.node = node,
				  .thread = thread_id(s),
				  .process = root_is_held(s) ? TR_HELD | root_hold(s)
							     : thread_space(s)};
	tr_root_resolve(u, kernel, &hold);
}

bool tr_snapshot_adopt(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	const uint64_t epc = place->pc - ECALL_BYTES;
	bool is_doubtful = false;
	const struct snapshot *from =
	    options_of(u)->has_sp
		? find_snapshot(snapshots_of(u), epc, hart_sp(h),
				tr_space_of(hart_context(h)).hgatp)
		: tr_inferred_snapshot(u, h, epc, place->sym, &is_doubtful);
	struct stack *kernel = hart_stack(h);
	if (!from || !frames_depth(&from->frames) ||
	    (place->sym != SYM_UNKNOWN && from->sym != place->sym))
		return false;
	tr_stack_begin_thread(u, h);
	struct stack *s = hart_stack(h);
	const uint64_t before = tr_frames_room(stack_frames(s));
	if (!tr_frames_copy(status_of(u), stack_frames(s), &from->frames))
		return false;
	stacks_add_frames(u, tr_frames_room(stack_frames(s)) - before);
	hart_set_sp(h, from->sp);
	if (stack_depth(s) > 1)
		tr_stack_widen(u, s, frame_sp(stack_frame(s, 1)));
	tr_stack_doubt(u, h, is_doubtful);
	tr_thread_name(u, s);
	tr_snapshot_release(u, h, kernel);
	return true;
}

void tr_snapshots_forget(struct tr_unwind *u)
{
	struct snapshots *all = snapshots_of(u);
	tr_map_clear(&all->ids);
	for (uint32_t i = 0; i < all->count; i++)
		tr_frames_drop(&all->all[i].frames, 0);
	all->count = 0;
}

void tr_snapshots_settle_nodes(struct tr_unwind *u)
{
	struct snapshots *all = snapshots_of(u);
	for (uint32_t i = 0; i < all->count; i++)
		tr_frames_settle_nodes(u, &all->all[i].frames);
}

const struct snapshot *tr_snapshots_nth(const struct tr_unwind *u, uint32_t nth)
{
	const struct snapshots *all = snapshots_of(u);
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
		tr_frames_free(&all->all[i].frames);
	tr_map_free(&all->ids);
	free(all);
}
