/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual frames: functions of an interpreted language, each on top of the C function
 * that interprets it. They are no frames of the stack: the C function's frame has their
 * node, so that they are below all that it calls, go with it, and stay with its thread. A
 * list beside the frames has their identities. */
#include "unwind/stacks.h"

enum {
	BEGUN_MAX = 1 << 16, /* frames that are remembered */
	CHAIN_MAX = 256	     /* callers of one that goes on */
};

/* Returns the number of the frame that the hits of a hart are about, that of the function
 * on top of its stack, or UINT32_MAX. */
static uint32_t interpreter_of(const struct hart *h)
{
	const struct stack *s = hart_stack(h);
	const uint32_t depth = stack_depth(s);
	if (!depth || !frame_is_function(stack_frame(s, depth - 1)) || stack_deep_sp(s))
		return UINT32_MAX;
	return depth - 1;
}

/* Returns the number of virtual frames that remain, of those from `first` to `end`: up to
 * the one with this identity, or `first` if none has it. */
static uint32_t count_up_to(const struct frames *all, uint32_t first, uint32_t end,
			    uint64_t id)
{
	while (end > first && frames_virtual(all, end - 1)->id != id)
		end--;
	return end;
}

/* ------------------------------------------------------------ frames that have begun */

static uint64_t begun_key(const struct hart *h, uint64_t id)
{
	return id ^ (uint64_t)hart_space(h) << 40;
}

/* Remembers who has called a frame, and what runs in it. */
static void note_begun(struct tr_unwind *u, const struct hart *h,
		       const struct tr_virtual_hit *hit, uint32_t sym)
{
	struct stacks *all = stacks_of(u);
	const uint64_t key = begun_key(h, hit->frame);
	uint32_t i = tr_map_get(&all->begun_ids, key);
	if (i == TR_MAP_NONE) {
		if (all->nbegun == BEGUN_MAX) {
			tr_map_clear(&all->begun_ids);
			all->nbegun = 0;
		}
		if (!tr_unwind_reserve(status_of(u), (void **)&all->begun,
				       &all->begun_capacity, all->nbegun + 1ULL,
				       sizeof(*all->begun)))
			return;
		i = all->nbegun++;
		if (!tr_map_set(&all->begun_ids, key, i))
			unwind_fail(status_of(u), TR_E_NOMEM);
	}
	all->begun[i] = (struct virtual_begun){.caller = hit->caller, .sym = sym};
}

/* Returns what is remembered of a frame that is not on the hart's stack, or NULL. */
static const struct virtual_begun *find_begun(const struct tr_unwind *u, struct hart *h,
					      uint64_t id)
{
	const struct frames *on = stack_frames(hart_stack(h));
	const uint32_t i = tr_map_get(&stacks_of(u)->begun_ids, begun_key(h, id));
	if (i == TR_MAP_NONE || count_up_to(on, 0, frames_virtual_count(on), id))
		return NULL;
	return &stacks_of(u)->begun[i];
}

static bool is_in_chain(const struct virtual_frame *chain, uint32_t count, uint64_t id)
{
	for (uint32_t i = 0; i < count; i++)
		if (chain[i].id == id)
			return true;
	return false;
}

/* A frame goes on in another call of the interpreter, as that of a coroutine does: so do
 * those that have called it there, up to one that is remembered from an earlier life of
 * its identity, and would make a circle. */
static void continue_callers(struct tr_unwind *u, struct hart *h, uint32_t frame,
			     const struct tr_virtual_hit *hit)
{
	uint64_t caller = hit->caller;
	struct virtual_frame chain[CHAIN_MAX];
	const struct virtual_begun *begun;
	uint32_t count = 0;
	while (count < CHAIN_MAX && !is_in_chain(chain, count, caller) &&
	       caller != hit->frame && (begun = find_begun(u, h, caller))) {
		chain[count++] = (struct virtual_frame){
		    .id = caller, .sym = begun->sym, .frame = frame};
		caller = begun->caller;
	}
	while (count)
		tr_frames_add_virtual(u, stack_frames(hart_stack(h)), &chain[--count]);
}

/* ------------------------------------------------------------ hits */

static void begin_virtual(struct tr_unwind *u, struct hart *h, uint32_t frame,
			  const struct tr_virtual_hit *hit)
{
	const struct virtual_frame made = {
	    .id = hit->frame,
	    .sym = tr_names_virtual(names_of(u), hit->name, hit->module),
	    .frame = frame};
	if (hit->has_caller)
		note_begun(u, h, hit, made.sym);
	if (tr_frames_add_virtual(u, stack_frames(hart_stack(h)), &made))
		hart_set_fresh(h, hit->is_call);
	else
		stacks_count(u, COUNT_TOO_DEEP, 1);
}

static void apply_hit(struct tr_unwind *u, struct hart *h, uint32_t frame,
		      const struct tr_virtual_hit *hit)
{
	struct frames *all = stack_frames(hart_stack(h));
	const uint32_t end = frames_virtual_count(all);
	uint32_t first = end, kept;
	while (first && frames_virtual(all, first - 1)->frame == frame)
		first--;
	if (!hit->frame) {
		tr_frames_end_virtuals(all, first);
		return;
	}
	/* As a rule the caller is on top: then the frame is a new one. */
	if (hit->has_caller && end > first &&
	    frames_virtual(all, end - 1)->id == hit->caller)
		kept = first;
	else
		kept = count_up_to(all, first, end, hit->frame);
	if (kept > first) {
		const bool begins = hit->has_name && hit->is_again;
		tr_frames_end_virtuals(all, kept - begins);
		if (begins)
			begin_virtual(u, h, frame, hit);
	} else if (hit->has_name) {
		kept = hit->has_caller ? count_up_to(all, first, end, hit->caller) : end;
		tr_frames_end_virtuals(all, kept);
		if (kept == first && hit->has_caller && !hit->is_call)
			continue_callers(u, h, frame, hit);
		begin_virtual(u, h, frame, hit);
	}
}

void tr_stacks_apply_virtual(struct tr_unwind *u, struct hart *h,
			     const struct tr_virtual_hit *hit)
{
	const uint32_t frame = interpreter_of(h);
	if (!hit->is_known || frame == UINT32_MAX) {
		stacks_count(u, COUNT_VIRTUAL_LOST, 1);
		return;
	}
	tr_frames_drop_left_virtuals(stack_frames(hart_stack(h)), frame);
	apply_hit(u, h, frame, hit);
	const bool is_fresh = hart_is_fresh(h);
	tr_stacks_show(u, h);
	hart_set_fresh(h, is_fresh);
}

void tr_stacks_lose_virtual(struct tr_unwind *u, uint64_t count)
{
	stacks_count(u, COUNT_VIRTUAL_LOST, count);
}
