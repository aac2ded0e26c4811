/* SPDX-License-Identifier: Apache-2.0 */
/* The thread that a stack belongs to: the kernel's tp. */
#include "unwind/stacks.h"

uint64_t tr_stack_kernel_tp(const struct tr_unwind *u, const struct tr_context *c)
{
	bool is_kernel = tr_mode_is_supervisor(tr_mode_of(c->priv)) &&
			 options_of(u)->has_tp &&
			 tr_xlen_is_upper(options_of(u)->xlen, c->tp);
	return is_kernel ? c->tp : 0;
}

void tr_stack_name_thread(struct tr_unwind *u, struct stacks_hart *h)
{
	struct stack *bottom = stack_bottom(h->stack);
	uint64_t tp = tr_stack_kernel_tp(u, &h->hart.context);
	if (!tp || tp == bottom->tp ||
	    bottom->hgatp != tr_space_of(&h->hart.context).hgatp)
		return;
	bottom->tp = tp;
	tr_frames_name_thread(u, bottom);
}

void tr_stack_keep_thread(struct tr_unwind *u, struct stacks_hart *h, uint64_t tp)
{
	struct stack *bottom = stack_bottom(h->stack);
	if (!tp || bottom->tp == tp)
		return;
	bottom->tp = tp;
	tr_frames_name_thread(u, bottom);
}

/* Returns true if one of the harts runs on a stack of this thread. */
static bool thread_is_running(const struct tr_unwind *u, const struct stack *bottom)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++) {
		const struct stacks_hart *h = stacks_hart(unwind_hart(u, i));
		if (h && h->stack && !(h->state & IS_ADRIFT) &&
		    stack_bottom(h->stack) == bottom)
			return true;
	}
	return false;
}

bool tr_stack_is_elsewhere(const struct tr_unwind *u, const struct stack *bottom)
{
	const struct stack *s;
	for (uint32_t i = 0; unwind_hart(u, 1) && (s = stacks_nth(u, i)); i++) {
		if (s != bottom && s->id == bottom->id && s->hart != bottom->hart &&
		    s->depth && !s->below && s->root == HOLD_NONE &&
		    (!stack_is_user(s) || thread_is_running(u, s)))
			return true;
	}
	return false;
}

uint32_t tr_stack_apart(struct tr_unwind *u, uint32_t hart)
{
	unsigned i = 0;
	while (unwind_hart(u, i)->number != hart)
		i++;
	struct stacks_hart *h = stacks_hart(unwind_hart(u, i));
	if (!h->apart)
		h->apart = stacks_new_ordinal(u);
	return h->apart;
}

bool tr_stack_has_new_tp(const struct tr_unwind *u, const struct stacks_hart *h)
{
	uint64_t tp = tr_stack_kernel_tp(u, &h->hart.context);
	return h->state & WROTE_TP && tp && h->thread_tp && tp != h->thread_tp;
}

/* The addresses of a program in an address space of its own are not those of stacks that
 * a kernel reports. */
struct tr_unwind_where tr_stacks_where(const struct tr_unwind *u, struct hart *h)
{
	const struct stack *s = stacks_hart(h)->stack;
	const bool has_sp = options_of(u)->has_sp && (!stack_is_user(s) || !s->satp) &&
			    !(stacks_hart(h)->state & HAS_PENDING);
	return (struct tr_unwind_where){.tp = options_of(u)->has_tp ? h->context.tp : 0,
					.sp = has_sp ? h->sp : 0,
					.lowest = has_sp ? s->low : 0};
}

bool tr_stack_has_own_tp(struct stack *s)
{
	struct stack *bottom = stack_bottom(s);
	return stack_is_user(bottom) || s->hgatp != bottom->hgatp;
}

uint64_t tr_stack_tp(struct stack *s)
{
	return tr_stack_has_own_tp(s) && s->tp ? s->tp : stack_bottom(s)->tp;
}

bool tr_stack_is_of_another(const struct tr_unwind *u, const struct stacks_hart *h,
			    struct stack *s)
{
	uint64_t tp = tr_stack_kernel_tp(u, &h->hart.context), own = tr_stack_tp(s);
	return tp && own && tp != own;
}
