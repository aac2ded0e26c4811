/* SPDX-License-Identifier: Apache-2.0 */
/* Opens and closes the slices of a track as its stack changes. */
#include <stdlib.h>

#include "timeline/timeline_internal.h"

/* Memory for open slices: this many stacks, or half of their slices. */
enum { STACKS = 1024, SLICES = 1 << 17 };

/* Stacks */

void tr_timeline_free_stacks(struct tr_timeline *t)
{
	for (uint32_t i = 0; i < t->nstacks; i++) {
		free(t->stacks[i]->slices);
		free(t->stacks[i]);
	}
	free(t->stacks);
	t->nstacks = 0;
}

static bool track_is_running(const struct tr_timeline *t, uint32_t track)
{
	for (uint32_t i = 0; i < t->nharts; i++)
		if (t->harts[i].running == track || t->harts[i].own == track)
			return true;
	return false;
}

static int by_age(const void *left, const void *right, void *timeline)
{
	const struct tr_timeline *t = timeline;
	const uint32_t a = (*(struct stack *const *)left)->track;
	const uint32_t b = (*(struct stack *const *)right)->track;
	const uint64_t at = t->tracks[a].until, other = t->tracks[b].until;
	return at != other ? (at > other) - (at < other) : (a > b) - (a < b);
}

/* Closes the half of the stacks that ran the longest ago, and forgets them. Returns a
 * status. */
static int forget_stacks(struct tr_timeline *t)
{
	uint32_t kept = 0;
	int status = TR_OK;
	qsort_r(t->stacks, t->nstacks, sizeof(struct stack *), by_age, t);
	for (uint32_t i = 0; i < t->nstacks; i++) {
		struct stack *stack = t->stacks[i];
		struct track *track = &t->tracks[stack->track];
		if (status || i >= t->nstacks / 2 || track_is_running(t, stack->track)) {
			t->stacks[kept++] = stack;
			continue;
		}
		status = tr_timeline_close(t, stack->track, 0, track->until);
		t->slices -= stack->capacity;
		track->stack = NULL;
		free(stack->slices);
		free(stack);
	}
	t->nstacks = kept;
	return status;
}

/* Finds or adds the stack of a track. Returns a status. */
static int find_track_stack(struct tr_timeline *t, uint32_t id, struct stack **stack)
{
	int status = TR_OK;
	*stack = t->tracks[id].stack;
	if (*stack)
		return TR_OK;
	if (t->nstacks >= STACKS || t->slices >= SLICES)
		status = forget_stacks(t);
	if (status)
		return status;
	if (!tr_grow(&t->stacks, &t->stack_capacity, (size_t)t->nstacks + 1,
		     sizeof(*t->stacks)) ||
	    !(*stack = calloc(1, sizeof(**stack))))
		return TR_E_NOMEM;
	(*stack)->track = id;
	t->tracks[id].stack = t->stacks[t->nstacks++] = *stack;
	return TR_OK;
}

/* Slices */

/* Sets t->paths to the functions of the open slices. Returns false when out of memory. */
static bool find_path(struct tr_timeline *t, const struct stack *stack)
{
	uint32_t node = stack->node;
	if (!tr_grow(&t->paths, &t->path_capacity, stack->depth, sizeof(*t->paths)))
		return false;
	for (uint32_t i = stack->depth; i > stack->written; i--) {
		t->paths[i - 1] = tr_profile_func_of(t->profile, node);
		tr_profile_frame(t->profile, node, &node);
	}
	return true;
}

int tr_timeline_ripen(struct tr_timeline *t, uint32_t id)
{
	const uint64_t until = t->tracks[id].until;
	struct stack *stack = t->tracks[id].stack;
	const uint32_t most = t->options.max_depth;
	const uint32_t last = most && stack->depth > most ? most : stack->depth;
	const uint64_t minimum = tr_timeline_minimum(t, until);
	int status = TR_OK;
	if (stack->written >= last ||
	    until - stack->slices[stack->written].start < minimum)
		return TR_OK;
	if (!find_path(t, stack))
		return TR_E_NOMEM;
	while (!status && stack->written < last &&
	       until - stack->slices[stack->written].start >= minimum) {
		const uint32_t depth = stack->written++;
		const struct tr_timeline_slice slice = {.start =
							    stack->slices[depth].start,
							.track = id,
							.depth = depth,
							.func = t->paths[depth]};
		t->sums.slices++;
		status = t->writer->open(t->state, &slice);
	}
	return status;
}

/* Counts a slice that was not passed on. */
static void leave_out(struct tr_timeline *t, uint32_t depth, const struct slice *slice)
{
	if (t->options.max_depth && depth >= t->options.max_depth) {
		t->sums.deep_calls++;
		t->sums.deep_own += slice->own;
	} else {
		t->sums.short_calls++;
		t->sums.short_own += slice->own;
	}
}

int tr_timeline_close(struct tr_timeline *t, uint32_t id, uint32_t depth, uint64_t cycle)
{
	struct stack *stack = t->tracks[id].stack;
	if (!stack)
		return TR_OK;
	for (uint32_t node = stack->node; stack->depth > depth;) {
		const struct slice *slice = &stack->slices[--stack->depth];
		const uint32_t func = tr_profile_func_of(t->profile, node);
		tr_profile_frame(t->profile, node, &node);
		if (stack->depth >= stack->written) {
			leave_out(t, stack->depth, slice);
			continue;
		}
		stack->written--;
		int status = t->writer->close(
		    t->state,
		    &(struct tr_timeline_slice){.start = slice->start,
						.end = cycle,
						.cycles = stack->ran - slice->ran,
						.own = slice->own,
						.track = id,
						.depth = stack->depth,
						.func = func});
		if (status)
			return status;
	}
	return TR_OK;
}

/* Returns the depth below the function that the step entered anew, the depth of the stack
 * if it continues one. Inlined calls and lines belong to the function below them. */
static uint32_t kept_depth(const struct tr_timeline *t, const struct stack *stack,
			   const struct tr_profile_step *step)
{
	const struct tr_profile *p = t->profile;
	uint32_t node = step->node, depth = tr_profile_depth(p, node), parent;
	if (!step->is_gap &&
	    (!step->fresh || (stack->node == step->node && stack->raw != step->raw)))
		return depth;
	for (; node; node = parent, depth--) {
		uint8_t kind = tr_profile_frame(p, node, &parent)->kind;
		if (kind != TR_FRAME_INLINED && kind != TR_FRAME_LINE)
			return depth - 1;
	}
	return 0;
}

/* Opens slices up to `depth`. Returns false when out of memory. */
static bool open_slices(struct tr_timeline *t, struct stack *stack, uint32_t depth,
			uint64_t cycle)
{
	const size_t had = stack->capacity;
	if (!tr_grow(&stack->slices, &stack->capacity, depth, sizeof(*stack->slices)))
		return false;
	t->slices += stack->capacity - had;
	while (stack->depth < depth)
		stack->slices[stack->depth++] =
		    (struct slice){.start = cycle, .ran = stack->ran};
	return true;
}

int tr_timeline_change(struct tr_timeline *t, uint32_t id,
		       const struct tr_profile_step *step)
{
	struct stack *stack;
	int status = find_track_stack(t, id, &stack);
	if (status)
		return status;
	uint32_t kept = kept_depth(t, stack, step);
	const uint32_t depth = tr_profile_depth(t->profile, step->node);
	if (stack->node == step->node && kept == depth && stack->depth == depth) {
		stack->raw = step->raw;
		return TR_OK;
	}
	uint32_t common =
	    stack->depth ? tr_profile_common_depth(t->profile, stack->node, step->node)
			 : 0;
	status = tr_timeline_close(t, id, kept < common ? kept : common, step->cycle);
	if (status)
		return status;
	if (!open_slices(t, stack, depth, step->cycle))
		return TR_E_NOMEM;
	stack->node = step->node;
	stack->raw = step->raw;
	return TR_OK;
}
