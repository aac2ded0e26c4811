/* SPDX-License-Identifier: Apache-2.0 */
/* One thread's shadow stack. */
#include <stdlib.h>

#include "unwind/guess.h"

/* Traps may still come on top of calls at the depth limit. */
enum { FRAMES_MAX = TR_UNWIND_DEPTH + 64 };

static struct frame *top_frame(struct thread *t)
{
	return &t->frames[t->depth - 1];
}

static void set_top(struct thread *t)
{
	const struct frame *top = top_frame(t);
	t->top = top->kind == FRAME_FUNCTION && !top->hidden ? top->sym : SYM_NONE;
}

void stack_clear(struct thread *t)
{
	t->depth = t->base = t->space = t->nsetjmps = t->fork = 0;
	t->top = SYM_NONE;
}

static bool add_room(struct tr_unwind *u, struct thread *t)
{
	uint32_t before = t->capacity;
	if (!unwind_reserve(u, (void **)&t->frames, &t->capacity, t->depth + 1ULL,
			    sizeof(*t->frames)))
		return false;
	guess_of(u)->nframes += t->capacity - before;
	return true;
}

static inline bool add_frame(struct tr_unwind *u, struct thread *t,
			     const struct frame *frame)
{
	if (t->depth == t->capacity && !add_room(u, t))
		return false;
	t->frames[t->depth++] = *frame;
	return true;
}

void stack_root(struct tr_unwind *u, struct thread *t, uint32_t sym, uint8_t priv)
{
	struct frame root = {.ret = NO_RETURN,
			     .node = names_node(u, 0, sym),
			     .sym = sym,
			     .kind = FRAME_ROOT,
			     .priv = priv};
	stack_clear(t);
	add_frame(u, t, &root);
}

/* Code without a name is one node, however many frames of it there are. */
static uint32_t node_on(struct tr_unwind *u, const struct frame *below, uint32_t leaf,
			uint32_t sym)
{
	if (below->sym == sym && sym_is_blank(u, sym))
		return below->node;
	uint32_t node = leaf ? leaves_node(u, below->node, leaf) : below->node;
	return names_node(u, node, sym);
}

/* The inlined call that calls from the frame on top; 0 if that is not the caller. */
static uint32_t caller_leaf(const struct tr_unwind *u, const struct thread *t,
			    uint64_t ret)
{
	return ret != NO_RETURN && t->top == u->call_sym ? u->call_leaf : 0;
}

void stack_push(struct tr_unwind *u, struct thread *t, uint32_t sym, uint64_t ret)
{
	struct frame *top = top_frame(t);
	if (t->depth >= TR_UNWIND_DEPTH) {
		top->hidden += top->hidden < UINT32_MAX;
		t->top = SYM_NONE;
		u->totals.depth_refused++;
		return;
	}
	uint32_t leaf = caller_leaf(u, t, ret);
	struct frame frame = {.ret = ret,
			      .node = node_on(u, top, leaf, sym),
			      .sym = sym,
			      .leaf = leaf,
			      .serial = guess_of(u)->serial++,
			      .kind = FRAME_FUNCTION};
	if (add_frame(u, t, &frame))
		t->top = sym;
}

void stack_twin(struct tr_unwind *u, struct thread *t, uint64_t ret)
{
	struct frame twin = *top_frame(t);
	twin.ret = ret;
	twin.serial = guess_of(u)->serial++;
	if (t->depth < TR_UNWIND_DEPTH)
		add_frame(u, t, &twin);
	else
		stack_push(u, t, twin.sym, ret);
}

void stack_trap(struct tr_unwind *u, struct thread *t, const struct frame *trap)
{
	/* Trap upon trap and never a return: the newest take each other's place. */
	if (t->depth >= FRAMES_MAX)
		stack_leave(t);
	struct frame frame = *trap;
	frame.node = node_on(u, top_frame(t), trap->leaf, trap->sym);
	frame.kind = FRAME_TRAP;
	frame.hidden = 0;
	frame.below = t->base;
	if (!add_frame(u, t, &frame))
		return;
	t->base = t->depth - 1;
	t->top = SYM_NONE;
}

void stack_rename(struct tr_unwind *u, struct thread *t, uint32_t sym)
{
	struct frame *top = top_frame(t);
	if (top->hidden)
		return;
	top->sym = sym;
	top->node = node_on(u, top - 1, top->leaf, sym);
	t->top = sym;
}

void stack_keep(struct thread *t, uint32_t depth)
{
	t->depth = depth;
	top_frame(t)->hidden = 0;
	set_top(t);
}

bool stack_unhide(struct thread *t)
{
	if (--top_frame(t)->hidden)
		return false;
	set_top(t);
	return true;
}

void stack_leave(struct thread *t)
{
	t->depth = t->base;
	t->base = t->frames[t->base].below;
	set_top(t);
}

void stack_name_root(struct tr_unwind *u, struct thread *t, uint32_t sym)
{
	t->frames[0].sym = sym;
	t->frames[0].node = names_node(u, 0, sym);
	for (uint32_t i = 1; i < t->depth; i++)
		t->frames[i].node =
		    node_on(u, &t->frames[i - 1], t->frames[i].leaf, t->frames[i].sym);
	t->id = guess_thread_id(u, t);
}

bool stack_is_overlay(const struct tr_unwind *u, const struct thread *t, uint32_t frame)
{
	const struct frame *f = &t->frames[frame];
	return frame > t->base + 1 && f->ret == NO_RETURN && sym_is_blank(u, f->sym);
}

uint32_t stack_find_return(const struct thread *t, uint64_t pc)
{
	for (uint32_t i = t->depth - 1; i > t->base; i--)
		if (t->frames[i].ret == pc)
			return i;
	return 0;
}

uint32_t stack_find_symbol(const struct thread *t, uint32_t sym)
{
	for (uint32_t i = t->depth - 1; i > t->base; i--)
		if (t->frames[i].sym == sym)
			return i;
	return 0;
}

static bool lives(const struct thread *t, const struct setjmp *s)
{
	return s->caller < t->depth && t->frames[s->caller].serial == s->serial;
}

void stack_note_setjmp(struct tr_unwind *u, struct thread *t)
{
	const struct frame *top = top_frame(t);
	uint32_t caller = t->depth - 2, kept = 0;
	if (top->hidden || top->ret == NO_RETURN || caller <= t->base)
		return;
	caller -= stack_is_overlay(u, t, caller);
	struct setjmp now = {.ret = top->ret};
	if (u->syms[t->frames[caller].sym].role == ROLE_SETJMP && caller - 1 > t->base) {
		now.outer = t->frames[caller].sym;
		now.outer_ret = t->frames[caller--].ret;
	}
	if (!t->setjmps)
		t->setjmps = malloc(TR_UNWIND_SETJMPS * sizeof(*t->setjmps));
	if (!t->setjmps) {
		unwind_fail(u, TR_E_NOMEM);
		return;
	}
	for (uint32_t i = 0; i < t->nsetjmps; i++) {
		const struct setjmp *s = &t->setjmps[i];
		if (lives(t, s) && (s->ret != top->ret || s->caller != caller))
			t->setjmps[kept++] = *s;
	}
	if (kept == TR_UNWIND_SETJMPS) {
		kept--;
		for (uint32_t i = 0; i < kept; i++)
			t->setjmps[i] = t->setjmps[i + 1];
	}
	now.caller = caller;
	now.serial = t->frames[caller].serial;
	t->setjmps[kept] = now;
	t->nsetjmps = kept + 1;
}

bool stack_longjmp(struct tr_unwind *u, struct thread *t, uint64_t pc)
{
	for (uint32_t i = t->nsetjmps; i-- > 0;) {
		const struct setjmp *s = &t->setjmps[i];
		if (s->ret != pc || s->caller <= t->base || !lives(t, s))
			continue;
		u->totals.longjmps++;
		stack_keep(t, s->caller + 1);
		if (s->outer)
			stack_push(u, t, s->outer, s->outer_ret);
		return true;
	}
	return false;
}
