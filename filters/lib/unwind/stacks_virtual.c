/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual frames: functions of an interpreted language, each on top of the C function
 * that interprets it. They are no frames of the stack: the C function's frame has their
 * node, so that they are below all that it calls, go with it, and stay with its thread. A
 * list beside the frames has their identities. */
#include "unwind/stacks.h"

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

static void begin_virtual(struct tr_unwind *u, struct hart *h, uint32_t frame,
			  const struct tr_virtual_hit *hit)
{
	const struct virtual_frame made = {
	    .id = hit->frame,
	    .sym = tr_names_virtual(names_of(u), hit->name, hit->module),
	    .frame = frame};
	if (!tr_frames_add_virtual(u, stack_frames(hart_stack(h)), &made)) {
		stacks_count(u, COUNT_TOO_DEEP, 1);
		return;
	}
	hart_set_fresh(h, hit->is_call);
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

static void apply_hit(struct tr_unwind *u, struct hart *h, uint32_t frame,
		      const struct tr_virtual_hit *hit)
{
	struct frames *all = stack_frames(hart_stack(h));
	const uint32_t end = frames_virtual_count(all);
	uint32_t first = end, found;
	while (first && frames_virtual(all, first - 1)->frame == frame)
		first--;
	if (!hit->frame) {
		tr_frames_end_virtuals(all, first);
		return;
	}
	/* As a rule the caller is on top: then the frame is a new one. */
	if (hit->has_caller && end > first &&
	    frames_virtual(all, end - 1)->id == hit->caller)
		found = first;
	else
		found = count_up_to(all, first, end, hit->frame);
	if (found > first && hit->has_name && hit->is_again) {
		tr_frames_end_virtuals(all, found - 1);
		begin_virtual(u, h, frame, hit);
	} else if (found > first) {
		tr_frames_end_virtuals(all, found);
	} else if (hit->has_name) {
		const uint32_t kept =
		    hit->has_caller ? count_up_to(all, first, end, hit->caller) : end;
		tr_frames_end_virtuals(all, kept);
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
