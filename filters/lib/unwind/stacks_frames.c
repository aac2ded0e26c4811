/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a stack. */
#include "unwind/stacks.h"

#include <stdlib.h>
#include <string.h>

/* Allows traps on top of calls at the depth limit. */
enum { FRAMES_MAX = TR_UNWIND_DEPTH + 64 };

enum { VIRTUALS_MAX = 1 << 20 }; /* of a stack, shown or not */

/* Size of a trap in frames. */
enum { TRAP_FRAMES = sizeof(struct trap) / sizeof(struct frame) };

/* ------------------------------------------------------------ the lists */

void tr_frames_drop(struct frames *all, uint32_t depth)
{
	all->depth = depth;
	while (all->ntraps && trap_frame(&all->traps[all->ntraps - 1]) >= depth)
		all->ntraps--;
	if (depth < TR_UNWIND_DEPTH)
		all->deep = 0;
}

void tr_frames_free(struct frames *all)
{
	free(all->all);
	free(all->traps);
	free(all->virtuals);
}

uint64_t tr_frames_room(const struct frames *all)
{
	return all->capacity + TRAP_FRAMES * (uint64_t)all->trap_capacity;
}

void tr_frames_set_sp(struct frames *all, uint64_t sp)
{
	for (uint32_t i = 0; i < all->depth; i++)
		if (all->all[i].kind != FRAME_ROOT)
			all->all[i].sp = sp;
}

void tr_frames_add_sp(struct frames *all, uint64_t bytes)
{
	for (uint32_t i = 0; i < all->depth; i++) {
		struct frame *f = &all->all[i];
		if (f->kind == FRAME_ROOT)
			continue;
		f->sp += bytes;
		if (f->kind == FRAME_SIGNAL && f->signal)
			f->signal += bytes;
	}
}

static bool add_frame_room(struct tr_unwind *u, struct frames *to, uint64_t count)
{
	const uint32_t before = to->capacity;
	if (!tr_unwind_reserve(status_of(u), (void **)&to->all, &to->capacity,
			       to->depth + count, sizeof(*to->all)))
		return false;
	stacks_add_frames(u, to->capacity - before);
	return true;
}

static void append_frame(struct tr_unwind *u, struct frames *to,
			 const struct frame *frame)
{
	if (to->depth < to->capacity || add_frame_room(u, to, 1))
		to->all[to->depth++] = *frame;
}

static bool add_trap(struct tr_unwind *u, struct frames *to, const struct trap *trap)
{
	const uint32_t before = to->trap_capacity;
	if (!tr_unwind_reserve(status_of(u), (void **)&to->traps, &to->trap_capacity,
			       to->ntraps + 1ULL, sizeof(*to->traps)))
		return false;
	stacks_add_frames(u, TRAP_FRAMES * (uint64_t)(to->trap_capacity - before));
	to->traps[to->ntraps++] = *trap;
	return true;
}

/* The frames have been appended; virtual frames that are left over were of others. */
static bool copy_virtuals(struct unwind_status *status, struct frames *to,
			  const struct frames *from)
{
	const uint32_t before = to->depth - from->depth;
	while (to->nvirtuals && to->virtuals[to->nvirtuals - 1].frame >= before)
		to->nvirtuals--;
	if (!from->nvirtuals)
		return true;
	if (!tr_unwind_reserve(status, (void **)&to->virtuals, &to->virtual_capacity,
			       (uint64_t)to->nvirtuals + from->nvirtuals,
			       sizeof(*to->virtuals)))
		return false;
	for (uint32_t i = 0; i < from->nvirtuals; i++) {
		to->virtuals[to->nvirtuals] = from->virtuals[i];
		to->virtuals[to->nvirtuals++].frame += before;
	}
	return true;
}

bool tr_frames_copy(struct unwind_status *status, struct frames *to,
		    const struct frames *from)
{
	if (!from->depth)
		return true;
	if (!tr_unwind_reserve(status, (void **)&to->all, &to->capacity,
			       (uint64_t)to->depth + from->depth, sizeof(*to->all)))
		return false;
	memcpy(&to->all[to->depth], from->all, from->depth * sizeof(*from->all));
	to->depth += from->depth;
	return copy_virtuals(status, to, from);
}

/* ------------------------------------------------------------ searches */

uint32_t tr_frames_find_return(const struct frames *all, uint64_t sp,
			       const struct place *place)
{
	for (uint32_t i = all->depth; i-- > 0 && all->all[i].sp == sp;)
		if (frame_returns_to(&all->all[i], place))
			return i;
	return all->depth;
}

uint32_t tr_frames_find_function(const struct frames *all, uint32_t depth, uint64_t sp,
				 const struct place *place)
{
	for (uint32_t i = depth; i-- > 0;) {
		const struct frame *f = &all->all[i];
		if (f->kind == FRAME_FUNCTION && f->sym == place->sym)
			return i;
		if (f->kind != FRAME_FUNCTION || f->sp != sp)
			break;
	}
	return all->depth;
}

uint32_t tr_frames_find_interrupted(const struct frames *all, uint64_t sp,
				    const struct place *place)
{
	for (uint32_t i = all->ntraps; i-- > 0;) {
		const uint32_t trap = trap_frame(&all->traps[i]);
		if (all->all[trap].sp != sp)
			break;
		const uint32_t frame = tr_frames_find_function(all, trap, sp, place);
		if (frame < all->depth)
			return frame;
	}
	return all->depth;
}

uint32_t tr_frames_count_above(const struct frames *all, uint64_t sp)
{
	uint32_t depth = all->depth;
	while (depth && all->all[depth - 1].sp <= sp)
		depth--;
	return depth;
}

bool tr_frames_go_on(const struct frames *all, uint8_t priv, uint64_t sp,
		     const struct place *place, const struct trap **trap)
{
	uint32_t traps = all->ntraps;
	*trap = NULL;
	for (uint32_t i = all->depth; i-- > 0 && all->all[i].sp <= sp;) {
		const struct frame *f = &all->all[i];
		while (traps && trap_frame(&all->traps[traps - 1]) > i)
			traps--;
		if (f->sp == sp && place->pc != NO_RETURN && frame_returns_to(f, place))
			return true;
		if (traps && trap_frame(&all->traps[traps - 1]) == i &&
		    tr_trap_goes_on(&all->traps[traps - 1], priv, sp, place)) {
			*trap = &all->traps[traps - 1];
			return true;
		}
	}
	return false;
}

/* ------------------------------------------------------------ nodes */

static uint64_t time_on(const struct hart *h, const struct stack *s)
{
	return s == hart_stack(h) ? stack_clock(s) + hart_stack_cycles(h)
				  : stack_clock(s);
}

/* Returns the node of a frame. Adjacent frames of unnamed code share one node. */
static uint32_t node_on(struct tr_unwind *u, struct frame *below, uint32_t leaf,
			uint32_t sym)
{
	if (below->sym == sym && names_is_blank(names_of(u), sym))
		return below->node;
	if (leaf)
		return tr_nodes_on(nodes_of(u),
				   tr_leaves_node(leaves_of(u), below->node, leaf), sym);
	below->child_node = tr_nodes_on(nodes_of(u), below->node, sym);
	below->child_sym = sym;
	return below->child_node;
}

static void assign_frame_node(struct tr_unwind *u, struct frame *f, struct frame *below)
{
	if (f->is_inside)
		f->node = below->node;
	else if (!f->leaf && below->child_sym == f->sym)
		f->node = below->child_node;
	else
		f->node = node_on(u, below, f->leaf, f->sym);
}

/* Puts the virtual frames from *next on of frame `i`, which had the node `before`, on its
 * new one. */
static void renumber_virtuals(struct tr_unwind *u, struct frames *all, uint32_t i,
			      uint32_t before, uint32_t *next)
{
	uint32_t first = *next;
	while (*next < all->nvirtuals && all->virtuals[*next].frame == i)
		++*next;
	if (first == *next || all->virtuals[*next - 1].node != before)
		return;
	for (; first < *next; first++) {
		struct virtual_frame *v = &all->virtuals[first];
		const bool is_shown = v->node != v->below;
		v->below = all->all[i].node;
		v->node =
		    is_shown ? tr_nodes_on(nodes_of(u), v->below, v->sym) : v->below;
		all->all[i].node = v->node;
	}
}

/* Recomputes all nodes of the stack from the node below. */
static void frames_number(struct tr_unwind *u, struct stack *s)
{
	struct frames *all = stack_frames(s);
	struct frame *below = stack_top(stack_below(s));
	uint32_t virtuals = 0;
	for (uint32_t i = 0; i < all->depth; i++) {
		struct frame *f = &all->all[i];
		const uint32_t before = f->node;
		f->child_sym = SYM_NONE;
		if (f->kind == FRAME_ROOT)
			continue;
		if (i || below)
			assign_frame_node(u, f, i ? f - 1 : below);
		renumber_virtuals(u, all, i, before, &virtuals);
	}
}

void tr_frames_settle_nodes(struct tr_unwind *u, struct frames *all)
{
	for (uint32_t i = 0; i < all->depth; i++) {
		all->all[i].node = tr_nodes_final(nodes_of(u), all->all[i].node);
		all->all[i].child_sym = SYM_NONE;
	}
	for (uint32_t i = 0; i < all->nvirtuals; i++) {
		struct virtual_frame *v = &all->virtuals[i];
		v->node = tr_nodes_final(nodes_of(u), v->node);
		v->below = tr_nodes_final(nodes_of(u), v->below);
	}
}

/* ------------------------------------------------------------ pushes */

bool tr_frames_set_root(struct tr_unwind *u, struct stack *s, uint32_t sym, uint32_t node)
{
	struct frames *all = stack_frames(s);
	const struct frame root = {.sp = UINT64_MAX,
				   .ret = NO_RETURN,
				   .sym = sym,
				   .node = node,
				   .kind = FRAME_ROOT};
	all->depth = all->ntraps = all->nvirtuals = 0;
	append_frame(u, all, &root);
	return all->depth != 0;
}

void tr_frames_rename_root(struct tr_unwind *u, struct stack *s, uint32_t sym)
{
	struct frame *root = &stack_frames(s)->all[0];
	root->sym = sym;
	root->node = tr_nodes_on(nodes_of(u), 0, sym);
	frames_number(u, s);
}

void tr_frames_push(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t ret,
		    bool is_inside)
{
	struct stack *s = hart_stack(h);
	struct frames *all = stack_frames(s);
	const struct pair *from = hart_from(h);
	if (all->depth >= TR_UNWIND_DEPTH) {
		if (!all->deep)
			all->deep = hart_sp(h);
		stacks_count(u, COUNT_TOO_DEEP, 1);
		return;
	}
	if (all->depth == all->capacity && !add_frame_room(u, all, 1))
		return;
	struct frame *top = stack_top(s), *f = &all->all[all->depth];
	if (!top)
		return;
	all->depth++;
	*f = (struct frame){.sp = hart_sp(h),
			    .ret = ret,
			    .binary = TR_NOTE_UNKNOWN,
			    .sym = sym,
			    .entered = time_on(h, s),
			    .kind = FRAME_FUNCTION,
			    .is_inside = is_inside};
	if (ret != NO_RETURN) {
		f->linked = from->address + from->bytes;
		f->binary = from->binary;
		f->is_alternate = from->is_alternate;
		f->leaf = stacks_call_leaf(u, top->sym);
	}
	if (names_role(names_of(u), sym) == ROLE_SETJMP)
		top->has_setjmp = true;
	assign_frame_node(u, f, top);
	if (!stack_contains(s, f->sp) && !stack_is_elsewhere(s))
		tr_stack_widen(u, s, f->sp);
}

void tr_frames_push_trap(struct tr_unwind *u, struct hart *h, const struct trap *trap)
{
	struct stack *s = hart_stack(h);
	struct frames *all = stack_frames(s);
	struct trap own = *trap;
	/* Nested traps without returns: the newest replaces the previous one. */
	if (all->depth >= FRAMES_MAX && all->ntraps)
		tr_frames_drop(all, trap_frame(&all->traps[all->ntraps - 1]));
	struct frame *top = stack_top(s);
	if (!top)
		return;
	const uint32_t sym = trap_sym(trap), leaf = trap_leaf(trap);
	const struct frame frame = {.sp = trap_sp(trap),
				    .ret = NO_RETURN,
				    .sym = sym,
				    .leaf = leaf,
				    .node = node_on(u, top, leaf, sym),
				    .entered = time_on(h, s),
				    .kind = FRAME_TRAP};
	trap_take(&own, all->depth, frame.entered);
	if (add_trap(u, all, &own))
		append_frame(u, all, &frame);
}

void tr_frames_push_signal(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t sp,
			   uint64_t pc)
{
	struct stack *s = hart_stack(h);
	struct frame *top = stack_top(s);
	if (!top)
		return;
	const struct frame frame = {.sp = hart_sp(h),
				    .signal = sp,
				    .sym = sym,
				    .linked = pc,
				    .node = node_on(u, top, 0, sym),
				    .entered = time_on(h, s),
				    .kind = FRAME_SIGNAL};
	if (stack_depth(s) < TR_UNWIND_DEPTH)
		append_frame(u, stack_frames(s), &frame);
}

void tr_frames_rename(struct tr_unwind *u, struct hart *h, uint32_t sym)
{
	struct stack *s = hart_stack(h);
	while (!stack_depth(s))
		s = stack_below(s);
	struct frame *top = stack_top(s);
	struct frame *below = stack_depth(s) > 1 ? top - 1 : stack_top(stack_below(s));
	top->sym = sym;
	top->is_inside = false;
	top->child_sym = SYM_NONE;
	top->node = node_on(u, below, top->leaf, sym);
}

/* ------------------------------------------------------------ virtual frames */

void tr_frames_drop_left_virtuals(struct frames *all, uint32_t frame)
{
	while (all->nvirtuals) {
		const struct virtual_frame *v = &all->virtuals[all->nvirtuals - 1];
		if (v->frame < frame ||
		    (v->frame == frame && v->node == all->all[frame].node))
			return;
		const uint32_t left = v->frame;
		while (all->nvirtuals && all->virtuals[all->nvirtuals - 1].frame == left)
			all->nvirtuals--;
	}
}

bool tr_frames_add_virtual(struct tr_unwind *u, struct frames *all,
			   const struct virtual_frame *made)
{
	struct frame *f = &all->all[made->frame];
	if (all->nvirtuals >= VIRTUALS_MAX ||
	    !tr_unwind_reserve(status_of(u), (void **)&all->virtuals,
			       &all->virtual_capacity, all->nvirtuals + 1ULL,
			       sizeof(*all->virtuals)))
		return false;
	struct virtual_frame *v = &all->virtuals[all->nvirtuals++];
	*v = *made;
	v->below = v->node = f->node;
	/* As deep as C functions may be. */
	if (all->nvirtuals <= TR_UNWIND_DEPTH)
		v->node = tr_nodes_on(nodes_of(u), v->below, v->sym);
	f->node = v->node;
	f->child_sym = SYM_NONE;
	return v->node != v->below;
}

void tr_frames_end_virtuals(struct frames *all, uint32_t count)
{
	if (count == all->nvirtuals)
		return;
	struct frame *f = &all->all[all->virtuals[count].frame];
	f->node = all->virtuals[count].below;
	f->child_sym = SYM_NONE;
	all->nvirtuals = count;
}

/* ------------------------------------------------------------ moves */

void tr_frames_move_trap(struct tr_unwind *u, struct hart *h, struct stack *to)
{
	struct frames *from = stack_frames(hart_stack(h));
	struct trap trap = from->traps[from->ntraps - 1];
	const uint32_t first = trap_frame(&trap);
	trap_set_frame(&trap, 0);
	add_trap(u, stack_frames(to), &trap);
	for (uint32_t i = first; i < from->depth; i++) {
		struct frame frame = from->all[i];
		frame.sp = hart_sp(h);
		frame.entered = stack_clock(to);
		append_frame(u, stack_frames(to), &frame);
	}
	tr_frames_drop(from, first);
}

void tr_frames_move_trap_back(struct tr_unwind *u, struct stack *s)
{
	struct frames *from = stack_frames(s);
	struct stack *to = stack_below(s);
	const struct frame *top = stack_top(to);
	struct trap trap = from->traps[0];
	struct frame frame = from->all[0];
	tr_frames_drop(from, 0);
	if (!top)
		return;
	trap_set_frame(&trap, stack_depth(to));
	frame.sp = trap_sp(&trap);
	frame.entered = stack_clock(to);
	if (add_trap(u, stack_frames(to), &trap))
		append_frame(u, stack_frames(to), &frame);
}

/* ------------------------------------------------------------ doubt */

void tr_frames_doubt(struct tr_unwind *u, struct hart *h, struct stack *s, uint32_t i)
{
	const uint64_t now = time_on(h, s), since = stack_frames(s)->all[i].entered;
	if (now <= since)
		return;
	/* Keeps the cycles from being counted again if a caller is left in doubt
	 * as well. */
	stack_discount(s, now - since);
	if (!thread_is_in_doubt(stack_bottom(s)))
		stacks_count(u, COUNT_DOUBTED_CYCLES, now - since);
}
