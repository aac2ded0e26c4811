/* SPDX-License-Identifier: Apache-2.0 */
/* Roots of threads: the program, which may be known only later. */
#include "unwind/stacks.h"

static bool is_library(const struct tr_unwind *u, const struct place *place)
{
	return place->binary < options_of(u)->nprograms &&
	       tr_names_program(names_of(u), place->binary) == SYM_UNKNOWN;
}

uint32_t tr_root_program(const struct tr_unwind *u, const struct place *place)
{
	return place->binary < options_of(u)->nprograms
		   ? tr_names_program(names_of(u), place->binary)
		   : place->sym;
}

void tr_root_reset(struct stack *s)
{
	s->root = (struct root){.held = HOLD_NONE};
}

/* The root has been pushed, if there was memory: it is the first row of the thread. */
static void show_root(struct tr_unwind *u, struct hart *h)
{
	tr_stacks_show(u, h);
	tr_rows_begin_stack(u, h, frame_node(stack_frame(hart_stack(h), 0)));
}

/* Pushes the root of a thread that begins at `place`, from what is known of its
 * program. */
static void push_known_root(struct tr_unwind *u, struct hart *h,
			    const struct place *place)
{
	struct stack *s = hart_stack(h);
	const uint32_t root = tr_root_program(u, place);
	tr_thread_begin(u, h, place->sym);
	tr_thread_start_life(h);
	if (!tr_frames_set_root(u, s, root, tr_nodes_on(nodes_of(u), 0, root)))
		return;
	tr_thread_name(u, s);
	show_root(u, h);
}

void tr_root_hold(struct tr_unwind *u, struct hart *h, uint32_t program)
{
	struct stack *s = hart_stack(h);
	s->root.program = program;
	tr_thread_begin(u, h, program);
	if (tr_nodes_have_dead(nodes_of(u))) {
		tr_stacks_settle_nodes(u);
		tr_nodes_drop_dead(nodes_of(u));
	}
	s->root.held = tr_nodes_hold(nodes_of(u));
	if (!root_is_held(s))
		return;
	tr_thread_hold(s);
	if (tr_frames_set_root(u, s, SYM_UNKNOWN,
			       tr_nodes_held_node(nodes_of(u), s->root.held)))
		show_root(u, h);
}

void tr_root_resolve(struct tr_unwind *u, struct stack *s, const struct hold *known)
{
	tr_queue_resolve(queue_of(u), s->root.held, known);
	s->root.held = HOLD_NONE;
}

/* Returns the root of a thread of the same process that has run user code of a program,
 * or SYM_UNKNOWN: all that an address space runs until its end is of one program. */
static uint32_t program_of_process(struct tr_unwind *u, const struct stack *s)
{
	const struct stack *other;
	if (!thread_space(s))
		return SYM_UNKNOWN;
	for (uint32_t i = 0; (other = stacks_nth(u, i)); i++) {
		if (!stack_depth(other) || stack_below(other) || root_is_held(other) ||
		    !stack_is_user(other) || thread_space(other) != thread_space(s))
			continue;
		const uint32_t root = frame_sym(stack_frame(other, 0));
		if (tr_names_kind(names_of(u), root) == TR_FRAME_PROGRAM)
			return root;
	}
	return SYM_UNKNOWN;
}

void tr_root_release(struct tr_unwind *u, struct stack *s)
{
	const uint32_t held = s->root.held;
	uint32_t root = s->root.program;
	s->root.held = HOLD_NONE;
	if (s->root.in_library && root == SYM_UNKNOWN)
		root = program_of_process(u, s);
	if (stack_depth(s)) {
		tr_frames_rename_root(u, s, root);
		tr_thread_name(u, s);
	}
	const struct hold known = {.node = tr_nodes_on(nodes_of(u), 0, root),
				   .thread = thread_id(s),
				   .process = thread_space(s)};
	tr_queue_resolve(queue_of(u), held, &known);
}

static void name_root(struct tr_unwind *u, struct hart *h, uint32_t sym)
{
	struct stack *bottom = stack_bottom(hart_stack(h));
	tr_frames_rename_root(u, bottom, sym);
	tr_thread_name(u, bottom);
}

/* A new kernel task may be a forked child; its first return to user mode identifies the
 * parent. A process that begins in a library, the dynamic loader, is named after the
 * program that this starts. */
void tr_stacks_begin(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	bool in_library = is_library(u, place);
	if (in_library || (thread_is_task(hart_stack(h)) && tr_snapshots_nth(u, 0)))
		tr_root_hold(u, h, tr_root_program(u, place));
	else
		push_known_root(u, h, place);
	hart_stack(h)->root.in_library = in_library;
	tr_stacks_enter(u, h, place);
}

/* Names the held root of a thread whose first code outside of S-mode is at `place`: a
 * process, or a task that was interrupted before its first instruction. The held
 * rows precede the first instruction of the running function. */
static void name_held_root(struct tr_unwind *u, struct hart *h, uint32_t program)
{
	struct stack *s = hart_stack(h);
	uint32_t held = s->root.held;
	s->root.held = HOLD_NONE;
	name_root(u, h, program);
	tr_queue_resolve(queue_of(u), held,
			 &(struct hold){.node = frame_node(stack_top(s)),
					.thread = thread_id(s),
					.process = thread_space(s)});
}

/* Begins a thread whose first code outside of S-mode is in a library: its root remains
 * held, but not the function. */
static void begin_in_library(struct tr_unwind *u, struct hart *h,
			     const struct place *place)
{
	struct stack *s = hart_stack(h);
	uint32_t held = s->root.held;
	tr_root_hold(u, h, s->root.program);
	s->root.in_library = true;
	tr_stacks_enter(u, h, place);
	tr_queue_resolve(queue_of(u), held,
			 &(struct hold){.node = frame_node(stack_top(s)),
					.thread = thread_id(s),
					.process = thread_space(s)});
}

void tr_stacks_name_root(struct tr_unwind *u, struct hart *h, const struct place *place)
{
	struct stack *s = hart_stack(h);
	bool is_held = root_is_held(s);
	if (!stack_depth(s) || stack_below(s) || stack_trap_count(s) ||
	    !names_is_blank(names_of(u), frame_sym(stack_frame(s, 0))))
		return;
	if (is_held && (tr_mode_is_supervisor(tr_mode_of(hart_priv(h))) ||
			(stack_depth(s) != 2 && !s->root.in_library)))
		return;
	const uint32_t program = tr_names_program(names_of(u), place->binary);
	if (is_held && is_library(u, place)) {
		if (!s->root.in_library)
			begin_in_library(u, h, place);
	} else if (is_held && s->root.in_library) {
		s->root.program = program;
		tr_root_release(u, s);
	} else if (is_held) {
		thread_set_first(s, place->sym);
		name_held_root(u, h, program);
	} else if (!names_is_blank(names_of(u), program)) {
		name_root(u, h, program);
	}
}
