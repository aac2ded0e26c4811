/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that a stack belongs to: its identity, and the kernel's tp. */
#include "unwind/stacks.h"

/* ------------------------------------------------------------ identity */

void tr_thread_reset(struct stack *s, const struct tr_context *context)
{
	s->thread = (struct thread){.satp = context->satp,
				    .hgatp = tr_space_of(context).hgatp,
				    .binary = TR_NOTE_UNKNOWN};
}

void tr_thread_identify(struct tr_unwind *u, struct hart *h, struct stack *s, uint64_t tp)
{
	const struct tr_context *c = hart_context(h);
	const uint64_t kernel_tp = tr_stack_kernel_tp(u, c);
	struct thread *t = &s->thread;
	t->tp = kernel_tp ? kernel_tp : tp;
	t->satp = c->satp;
	t->hgatp = tr_space_of(c).hgatp;
	t->space = tr_mode_is_user(tr_mode_of(c->priv)) ? c->space : 0;
	t->binary = hart_binary(h);
}

void tr_thread_forget_process(struct stack *s)
{
	s->thread.space = 0;
	s->thread.binary = TR_NOTE_UNKNOWN;
}

void tr_thread_begin(struct tr_unwind *u, struct hart *h, uint32_t first)
{
	struct thread *t = &hart_stack(h)->thread;
	if (t->ordinal == ORDINAL_NEW)
		t->ordinal = stacks_new_ordinal(u);
	t->first = first;
	t->hart = hart_number(h);
}

void tr_thread_start_life(struct hart *h)
{
	hart_stack(h)->thread.begun = hart_cycle(h);
}

void tr_thread_doubt_life(struct tr_unwind *u, const struct hart *h, struct stack *s)
{
	struct thread *t = &s->thread;
	if (thread_was_left(s))
		stacks_count(u, COUNT_DOUBTED_CYCLES, t->left - t->begun);
	t->begun = hart_cycle(h);
}

void tr_thread_hold(struct stack *s)
{
	s->thread.id = TR_HELD | root_hold(s);
}

/* ------------------------------------------------------------ names */

static void name_thread_id(struct tr_unwind *u, struct thread *t,
			   const struct thread_name *name)
{
	bool is_new;
	t->id = tr_names_thread(names_of(u), name, &is_new);
	if (is_new)
		t->made = t->id;
	if (is_new && shells_of(u)) {
		tr_shells_thread(shells_of(u), t->id, name->sym);
		tr_queue_watch(queue_of(u));
	}
}

/* Returns true if the thread can keep its id under another key: threads with the same key
 * share an id, which may have been that of another one before a gap. */
static bool can_keep_id(const struct stack *bottom)
{
	const struct thread *t = &bottom->thread;
	return stack_depth(bottom) && !root_is_held(bottom) && t->made == t->id;
}

/* Returns the key of a thread whose root is known. Threads that share a tp are named
 * after the function that they begin with. The tp of one that begins in the kernel does
 * not count yet: it would tell of a kernel thread, but it may be that of a process. */
static struct thread_name thread_key(const struct stack *bottom)
{
	const struct thread *t = &bottom->thread;
	const uint64_t tp = t->start == START_KERNEL ? 0 : t->tp;
	return (struct thread_name){
	    .tp = tp,
	    .space = {.satp = t->satp, .hgatp = t->hgatp},
	    .ordinal = t->ordinal || tp ? t->ordinal : t->apart,
	    .sym = t->ordinal ? t->first : frame_sym(stack_frame(bottom, 0))};
}

void tr_thread_name(struct tr_unwind *u, struct stack *bottom)
{
	struct thread *t = &bottom->thread;
	if (!stack_depth(bottom) || root_is_held(bottom))
		return;
	struct thread_name name = thread_key(bottom);
	const bool is_apart = !t->ordinal && !name.tp;
	if (t->has_been)
		tr_names_move_thread(names_of(u), &t->been, &name);
	t->has_been = false;
	name_thread_id(u, t, &name);
	if (!is_apart || t->apart || !tr_stack_is_elsewhere(u, bottom))
		return;
	t->apart = tr_stack_apart(u, t->hart);
	name.ordinal = t->apart;
	name_thread_id(u, t, &name);
}

/* ------------------------------------------------------------ at the start */

void tr_thread_start(struct tr_unwind *u, const struct hart *h, struct stack *s)
{
	const struct tr_context *c = hart_context(h);
	struct thread *t = &s->thread;
	t->tp = tr_stack_kernel_tp(u, c);
	if (t->tp)
		t->start = START_KERNEL;
	else if (c->satp && tr_mode_is_user(tr_mode_of(c->priv)))
		t->start = START_USER;
}

void tr_thread_settle(struct tr_unwind *u, struct stack *bottom)
{
	const bool is_task = bottom->thread.start == START_KERNEL;
	bottom->thread.start = START_NONE;
	bottom->thread.has_been = false;
	if (is_task)
		tr_thread_name(u, bottom);
}

void tr_thread_leave_first(struct tr_unwind *u, struct stack *bottom)
{
	struct thread *t = &bottom->thread;
	if (t->start != START_KERNEL || !stack_depth(bottom) || root_is_held(bottom)) {
		tr_thread_settle(u, bottom);
		return;
	}
	t->been = thread_key(bottom);
	t->start = START_LEFT;
	tr_frames_drop(stack_frames(bottom), 0);
}

bool tr_thread_was_first(const struct stack *bottom, uint64_t tp, struct thread_name *key)
{
	const struct thread *t = &bottom->thread;
	*key = t->been;
	return t->start == START_LEFT && t->tp == tp && t->made == t->id;
}

bool tr_thread_leaves_kernel(struct stack *bottom, struct thread_name *key)
{
	const uint8_t start = bottom->thread.start;
	if (start == START_TASK && bottom->thread.has_been) {
		*key = bottom->thread.been;
		bottom->thread.has_been = false;
		bottom->thread.start = START_NONE;
		return true;
	}
	if ((start != START_KERNEL && start != START_TASK) || !can_keep_id(bottom))
		return false;
	*key = thread_key(bottom);
	bottom->thread.start = START_NONE;
	return true;
}

void tr_thread_has_been(struct stack *s, const struct thread_name *key)
{
	s->thread.been = *key;
	s->thread.has_been = true;
}

/* The kernel has told the tp of the thread at the bottom. It is that of a thread which
 * the trace began with in user code if the handler of the trap has not left the user's
 * stack, as Linux's has not: else the kernel may have gone to another thread. */
static void take_tp(struct tr_unwind *u, struct hart *h, struct stack *bottom,
		    uint64_t tp)
{
	struct thread *t = &bottom->thread;
	const bool is_same = t->start == START_USER && hart_stack(h) == bottom &&
			     !state_has(h, HAS_PENDING);
	if (is_same && can_keep_id(bottom)) {
		const struct thread_name key = thread_key(bottom);
		tr_thread_has_been(bottom, &key);
	}
	t->start = START_NONE;
	t->tp = tp;
	tr_thread_name(u, bottom);
}

/* ------------------------------------------------------------ tp */

uint64_t tr_stack_kernel_tp(const struct tr_unwind *u, const struct tr_context *c)
{
	bool is_kernel = tr_mode_is_supervisor(tr_mode_of(c->priv)) &&
			 options_of(u)->has_tp &&
			 tr_xlen_is_upper(options_of(u)->xlen, c->tp);
	return is_kernel ? c->tp : 0;
}

void tr_stack_name_thread(struct tr_unwind *u, struct hart *h)
{
	struct stack *bottom = stack_bottom(hart_stack(h));
	uint64_t tp = tr_stack_kernel_tp(u, hart_context(h));
	if (!tp || tp == thread_tp(bottom) ||
	    thread_hgatp(bottom) != tr_space_of(hart_context(h)).hgatp)
		return;
	take_tp(u, h, bottom, tp);
}

void tr_stack_keep_thread(struct tr_unwind *u, struct hart *h, uint64_t tp)
{
	struct stack *bottom = stack_bottom(hart_stack(h));
	if (!tp || thread_tp(bottom) == tp)
		return;
	thread_set_tp(bottom, tp);
	tr_thread_name(u, bottom);
}

/* Returns true if one of the harts runs on a stack of this thread. */
static bool thread_is_running(const struct tr_unwind *u, const struct stack *bottom)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
		const struct hart *h = unwind_hart(u, i);
		if (h && hart_stack(h) && !state_has(h, IS_ADRIFT) &&
		    stack_bottom(hart_stack(h)) == bottom)
			return true;
	}
	return false;
}

bool tr_stack_is_elsewhere(const struct tr_unwind *u, const struct stack *bottom)
{
	const struct stack *s;
	for (uint32_t i = 0; unwind_hart(u, 1) && (s = stacks_nth(u, i)); i++) {
		if (s != bottom && thread_id(s) == thread_id(bottom) &&
		    s->thread.hart != bottom->thread.hart && stack_depth(s) &&
		    !stack_below(s) && !root_is_held(s) &&
		    (!stack_is_user(s) || thread_is_running(u, s)))
			return true;
	}
	return false;
}

uint32_t tr_stack_apart(struct tr_unwind *u, uint32_t hart)
{
	unsigned i = 0;
	while (hart_number(unwind_hart(u, i)) != hart)
		i++;
	struct hart *h = unwind_hart(u, i);
	if (!h->stacks.threads.apart)
		h->stacks.threads.apart = stacks_new_ordinal(u);
	return h->stacks.threads.apart;
}

void tr_thread_write_tp(struct hart *h)
{
	if (state_has(h, WROTE_TP))
		return;
	h->stacks.threads.tp = tr_stack_tp(hart_stack(h));
	state_add(h, WROTE_TP);
}

bool tr_stack_has_new_tp(const struct tr_unwind *u, const struct hart *h)
{
	uint64_t tp = tr_stack_kernel_tp(u, hart_context(h));
	uint64_t previous = h->stacks.threads.tp;
	return state_has(h, WROTE_TP) && tp && previous && tp != previous;
}

/* The addresses of a program in an address space of its own are not those of stacks that
 * a kernel reports. */
struct tr_unwind_where tr_stacks_where(const struct tr_unwind *u, struct hart *h)
{
	const struct stack *s = hart_stack(h);
	const bool has_sp = options_of(u)->has_sp &&
			    (!stack_is_user(s) || !thread_satp(s)) &&
			    !state_has(h, HAS_PENDING);
	return (struct tr_unwind_where){.tp = options_of(u)->has_tp ? hart_context(h)->tp
								    : 0,
					.sp = has_sp ? hart_sp(h) : 0,
					.lowest = has_sp ? stack_low(s) : 0};
}

bool tr_stack_has_own_tp(struct stack *s)
{
	struct stack *bottom = stack_bottom(s);
	return stack_is_user(bottom) || thread_hgatp(s) != thread_hgatp(bottom);
}

uint64_t tr_stack_tp(struct stack *s)
{
	return tr_stack_has_own_tp(s) && thread_tp(s) ? thread_tp(s)
						      : thread_tp(stack_bottom(s));
}

bool tr_stack_is_of_another(const struct tr_unwind *u, const struct hart *h,
			    struct stack *s)
{
	uint64_t tp = tr_stack_kernel_tp(u, hart_context(h)), own = tr_stack_tp(s);
	return tp && own && tp != own;
}
