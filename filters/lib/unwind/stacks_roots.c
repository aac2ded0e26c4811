/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of threads: the program, which may be known only later. */
#include "unwind/stacks.h"

static bool is_library(const struct tr_unwind *u, const struct place *place)
{
	return place->binary < options_of(u)->nprograms &&
	       tr_names_program(names_of(u), place->binary) == SYM_UNKNOWN;
}

/* A new kernel task may be a forked child; its first return to user mode identifies the
 * parent. A process that begins in a library, the dynamic loader, is named after the
 * program that this starts. */
void tr_stacks_begin(struct tr_unwind *u, struct stacks_hart *h,
		     const struct place *place)
{
	bool in_library = is_library(u, place);
	if (in_library || (h->stack->is_task && tr_snapshots_nth(u, 0)))
		tr_frames_hold_root(u, h, tr_frames_program(u, place));
	else
		tr_frames_root(u, h, place);
	h->stack->in_library = in_library;
	tr_stacks_enter(u, h, place);
}

/* Names the held root of a thread whose first code outside of S-mode is at `place`: a
 * process, or a task that was interrupted before its first instruction. The held
 * rows precede the first instruction of the running function. */
static void name_held_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t program)
{
	struct stack *s = h->stack;
	uint32_t held = s->root;
	s->root = HOLD_NONE;
	tr_frames_name_root(u, h, program);
	tr_queue_resolve(queue_of(u), held,
			 &(struct hold){.node = stack_top(s)->node,
					.thread = s->id,
					.process = s->space});
}

/* Begins a thread whose first code outside of S-mode is in a library: its root remains
 * held, but not the function. */
static void begin_in_library(struct tr_unwind *u, struct stacks_hart *h,
			     const struct place *place)
{
	struct stack *s = h->stack;
	uint32_t held = s->root;
	tr_frames_hold_root(u, h, s->program);
	s->in_library = true;
	tr_stacks_enter(u, h, place);
	tr_queue_resolve(queue_of(u), held,
			 &(struct hold){.node = stack_top(s)->node,
					.thread = s->id,
					.process = s->space});
}

void tr_stacks_name_root(struct tr_unwind *u, struct stacks_hart *h,
			 const struct place *place)
{
	struct stack *s = h->stack;
	bool is_held = s->root != HOLD_NONE;
	if (!s->depth || s->below || s->ntraps ||
	    !names_is_blank(names_of(u), s->frames[0].sym))
		return;
	if (is_held && (tr_mode_is_supervisor(tr_mode_of(h->hart.context.priv)) ||
			(s->depth != 2 && !s->in_library)))
		return;
	const uint32_t program = tr_names_program(names_of(u), place->binary);
	if (is_held && is_library(u, place)) {
		if (!s->in_library)
			begin_in_library(u, h, place);
	} else if (is_held && s->in_library) {
		s->program = program;
		tr_frames_release_root(u, s);
	} else if (is_held) {
		s->first = place->sym;
		name_held_root(u, h, program);
	} else if (!names_is_blank(names_of(u), program)) {
		tr_frames_name_root(u, h, program);
	}
}
