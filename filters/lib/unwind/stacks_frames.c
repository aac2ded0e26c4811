/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of a stack. */
#include "unwind/stacks.h"

#include <string.h>

/* Allows traps on top of calls at the depth limit. */
enum { FRAMES_MAX = TR_UNWIND_DEPTH + 64 };

static uint64_t time_of(const struct stacks_hart *h, const struct stack *s)
{
	return s == h->stack ? s->clock + (h->hart.cycle - h->since) : s->clock;
}

static bool add_room(struct tr_unwind *u, struct stack *s)
{
	uint32_t before = s->capacity;
	if (!tr_unwind_reserve(status_of(u), (void **)&s->frames, &s->capacity,
			       s->depth + 1ULL, sizeof(*s->frames)))
		return false;
	stacks_add_frames(u, s->capacity - before);
	return true;
}

static void stack_append_frame(struct tr_unwind *u, struct stack *s,
			       const struct frame *frame)
{
	if (s->depth < s->capacity || add_room(u, s))
		s->frames[s->depth++] = *frame;
}

static bool add_trap(struct tr_unwind *u, struct stack *s, const struct trap *trap)
{
	uint32_t before = s->trap_capacity;
	if (!tr_unwind_reserve(status_of(u), (void **)&s->traps, &s->trap_capacity,
			       s->ntraps + 1ULL, sizeof(*s->traps)))
		return false;
	stacks_add_frames(u, TRAP_FRAMES * (uint64_t)(s->trap_capacity - before));
	s->traps[s->ntraps++] = *trap;
	return true;
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

static void add_root(struct tr_unwind *u, struct stack *s, uint32_t sym, uint32_t node)
{
	const struct frame root = {.sp = UINT64_MAX,
				   .ret = NO_RETURN,
				   .sym = sym,
				   .node = node,
				   .kind = FRAME_ROOT};
	s->depth = s->ntraps = 0;
	stack_append_frame(u, s, &root);
}

static uint32_t name_thread_id(struct tr_unwind *u, const struct thread_name *name)
{
	bool is_new;
	const uint32_t id = tr_names_thread(names_of(u), name, &is_new);
	if (is_new && shells_of(u)) {
		tr_shells_thread(shells_of(u), id, name->sym);
		tr_queue_watch(queue_of(u));
	}
	return id;
}

/* Threads that share a tp are named after the function that they begin with. */
void tr_frames_name_thread(struct tr_unwind *u, struct stack *bottom)
{
	struct stack *s = bottom;
	if (!s->depth || s->root != HOLD_NONE)
		return;
	bool is_apart = !s->ordinal && !s->tp;
	struct thread_name name = {.tp = s->tp,
				   .space = {.satp = s->satp, .hgatp = s->hgatp},
				   .ordinal = s->ordinal,
				   .sym = s->ordinal ? s->first : s->frames[0].sym};
	if (is_apart)
		name.ordinal = s->apart;
	s->id = name_thread_id(u, &name);
	if (!is_apart || s->apart || !tr_stack_is_elsewhere(u, s))
		return;
	s->apart = tr_stack_apart(u, s->hart);
	name.ordinal = s->apart;
	s->id = name_thread_id(u, &name);
}

/* Gives a new thread the ordinal that distinguishes it from others of the same name. */
static void number_thread(struct tr_unwind *u, struct stack *s)
{
	if (s->ordinal == ORDINAL_NEW)
		s->ordinal = stacks_new_ordinal(u);
}

uint32_t tr_frames_program(const struct tr_unwind *u, const struct place *place)
{
	return place->binary < options_of(u)->nprograms
		   ? tr_names_program(names_of(u), place->binary)
		   : place->sym;
}

void tr_frames_root(struct tr_unwind *u, struct stacks_hart *h, const struct place *place)
{
	struct stack *s = h->stack;
	uint32_t root = tr_frames_program(u, place);
	number_thread(u, s);
	s->hart = h->hart.number;
	s->begun = h->hart.cycle;
	add_root(u, s, root, tr_nodes_on(nodes_of(u), 0, root));
	if (!s->depth)
		return;
	s->first = place->sym;
	tr_frames_name_thread(u, s);
	tr_stacks_show(u, h);
	tr_rows_begin_stack(u, &h->hart, s->frames[0].node);
}

void tr_frames_hold_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t program)
{
	struct stack *s = h->stack;
	s->program = s->first = program;
	s->hart = h->hart.number;
	number_thread(u, s);
	if (tr_nodes_have_dead(nodes_of(u))) {
		tr_stacks_settle_nodes(u);
		tr_nodes_drop_dead(nodes_of(u));
	}
	s->root = tr_nodes_hold(nodes_of(u));
	if (s->root == HOLD_NONE)
		return;
	s->id = TR_HELD | s->root;
	add_root(u, s, SYM_UNKNOWN, tr_nodes_held_node(nodes_of(u), s->root));
	if (!s->depth)
		return;
	tr_stacks_show(u, h);
	tr_rows_begin_stack(u, &h->hart, s->frames[0].node);
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

/* Recomputes all nodes of the stack from the node below. */
static void frames_number(struct tr_unwind *u, struct stack *s)
{
	struct frame *below = stack_top(s->below);
	for (uint32_t i = 0; i < s->depth; i++) {
		struct frame *f = &s->frames[i];
		f->child_sym = SYM_NONE;
		if (f->kind == FRAME_ROOT)
			continue;
		if (i || below)
			assign_frame_node(u, f, i ? f - 1 : below);
	}
}

void tr_frames_push(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym,
		    uint64_t ret, bool is_inside)
{
	struct stack *s = h->stack;
	const struct pair *from = h->hart.from;
	if (s->depth >= TR_UNWIND_DEPTH) {
		if (!s->deep)
			s->deep = h->hart.sp;
		stacks_count(u, COUNT_TOO_DEEP, 1);
		return;
	}
	if (s->depth == s->capacity && !add_room(u, s))
		return;
	struct frame *top = stack_top(s), *f = &s->frames[s->depth];
	if (!top)
		return;
	s->depth++;
	*f = (struct frame){.sp = h->hart.sp,
			    .ret = ret,
			    .binary = TR_NOTE_UNKNOWN,
			    .sym = sym,
			    .entered = time_of(h, s),
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
	if (f->sp - s->low > s->high - s->low && !stack_is_elsewhere(s))
		tr_stack_widen(u, s, f->sp);
}

void tr_frames_push_trap(struct tr_unwind *u, struct stacks_hart *h,
			 const struct trap *trap)
{
	struct stack *s = h->stack;
	struct trap own = *trap;
	/* Nested traps without returns: the newest replaces the previous one. */
	if (s->depth >= FRAMES_MAX && s->ntraps)
		tr_frames_truncate(s, s->traps[s->ntraps - 1].frame);
	struct frame *top = stack_top(s);
	if (!top)
		return;
	const struct frame frame = {.sp = trap->sp,
				    .ret = NO_RETURN,
				    .sym = trap->sym,
				    .leaf = trap->leaf,
				    .node = node_on(u, top, trap->leaf, trap->sym),
				    .entered = time_of(h, s),
				    .kind = FRAME_TRAP};
	own.frame = s->depth;
	own.taken = frame.entered;
	if (add_trap(u, s, &own))
		stack_append_frame(u, s, &frame);
}

void tr_frames_push_signal(struct tr_unwind *u, struct stacks_hart *h, uint64_t sp,
			   uint64_t pc)
{
	struct frame *top = stack_top(h->stack);
	if (!top)
		return;
	const struct frame frame = {.sp = h->hart.sp,
				    .signal = sp,
				    .sym = SYM_SIGNAL,
				    .linked = pc,
				    .node = node_on(u, top, 0, SYM_SIGNAL),
				    .entered = time_of(h, h->stack),
				    .kind = FRAME_SIGNAL};
	if (h->stack->depth < TR_UNWIND_DEPTH)
		stack_append_frame(u, h->stack, &frame);
}

void tr_frames_rename(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym)
{
	struct stack *s = h->stack;
	while (!s->depth)
		s = s->below;
	struct frame *top = &s->frames[s->depth - 1];
	struct frame *below = s->depth > 1 ? top - 1 : stack_top(s->below);
	top->sym = sym;
	top->is_inside = false;
	top->child_sym = SYM_NONE;
	top->node = node_on(u, below, top->leaf, sym);
}

void tr_frames_name_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym)
{
	struct stack *s = stack_bottom(h->stack);
	s->frames[0].sym = sym;
	s->frames[0].node = tr_nodes_on(nodes_of(u), 0, sym);
	frames_number(u, s);
	tr_frames_name_thread(u, s);
}

void tr_frames_release_root(struct tr_unwind *u, struct stack *s)
{
	uint32_t held = s->root, root = s->program;
	s->root = HOLD_NONE;
	if (s->depth) {
		s->frames[0].sym = root;
		s->frames[0].node = tr_nodes_on(nodes_of(u), 0, root);
		frames_number(u, s);
		tr_frames_name_thread(u, s);
	}
	const struct hold known = {.node = tr_nodes_on(nodes_of(u), 0, root),
				   .thread = s->id,
				   .process = s->space};
	tr_queue_resolve(queue_of(u), held, &known);
}

void tr_frames_truncate(struct stack *s, uint32_t depth)
{
	s->depth = depth;
	while (s->ntraps && s->traps[s->ntraps - 1].frame >= depth)
		s->ntraps--;
	if (depth < TR_UNWIND_DEPTH)
		s->deep = 0;
}

void tr_frames_move_trap(struct tr_unwind *u, struct stacks_hart *h, struct stack *to)
{
	struct stack *from = h->stack;
	struct trap trap = from->traps[from->ntraps - 1];
	uint32_t first = trap.frame;
	trap.frame = 0;
	add_trap(u, to, &trap);
	for (uint32_t i = first; i < from->depth; i++) {
		struct frame frame = from->frames[i];
		frame.sp = h->hart.sp;
		frame.entered = to->clock;
		stack_append_frame(u, to, &frame);
	}
	tr_frames_truncate(from, first);
}

void tr_frames_move_trap_back(struct tr_unwind *u, struct stack *s)
{
	struct stack *to = s->below;
	const struct frame *top = stack_top(to);
	struct trap trap = s->traps[0];
	struct frame frame = s->frames[0];
	tr_frames_truncate(s, 0);
	if (!top)
		return;
	trap.frame = to->depth;
	frame.sp = trap.sp;
	frame.entered = to->clock;
	if (add_trap(u, to, &trap))
		stack_append_frame(u, to, &frame);
}

void tr_frames_doubt(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		     uint32_t i)
{
	uint64_t now = time_of(h, s), since = s->frames[i].entered;
	if (now <= since)
		return;
	/* Keeps the cycles from being counted again if a caller is left in doubt
	 * as well. */
	s->clock -= now - since;
	if (!stack_bottom(s)->is_doubtful && !stack_bottom(s)->is_broken)
		stacks_count(u, COUNT_DOUBTED_CYCLES, now - since);
}

void tr_frames_settle_nodes(struct tr_unwind *u, struct frame *frames, uint32_t depth)
{
	for (uint32_t i = 0; i < depth; i++) {
		frames[i].node = tr_nodes_final(nodes_of(u), frames[i].node);
		frames[i].child_sym = SYM_NONE;
	}
}
