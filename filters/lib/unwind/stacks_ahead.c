/* SPDX-License-Identifier: Apache-2.0 */
/* Looks ahead in the following rows for returns, which identify the stack among several
 * candidates: they lead down its frames. */
#include "stream/reader.h"
#include "unwind/stacks_ahead.h"
#include "unwind/stacks.h"

enum { AHEAD_ROWS = 1 << 16 };

/* State of following control. */
struct walk {
	struct tr_context notes; /* as in struct hart */
	const struct pair *from;
	const struct pair *interrupted; /* by a trap whose handler is running */
	const struct pair *handler;	/* is_away: what ran last */
	uint64_t epc;			/* is_away: where it is left */
	uint32_t calls;			/* calls that have not returned */
	uint32_t binary;		/* of user code, if satp is not reported */
	bool loads_sp;			/* so a return may lead to another stack */
	bool is_away;			/* in the handler of a trap, or in other tasks */
	bool is_over;
};

/* Returns the program of user code that resumes at pc. */
static uint32_t find_resumed_binary(const struct tr_unwind *u, uint64_t pc,
				    uint32_t before)
{
	struct stack *s;
	for (uint32_t i = 0; (s = stacks_nth(u, i)); i++) {
		if (stack_trap_count(s) && trap_is_back(stack_newest_trap(s), pc) &&
		    tr_mode_is_user(tr_mode_of(trap_from(stack_newest_trap(s)))))
			return thread_binary(stack_bottom(s));
	}
	return before;
}

static void add_step(struct walk *w, struct ahead *a, uint64_t pc, bool is_xret)
{
	a->steps[a->count++] = (struct ahead_step){.pc = pc, .is_xret = is_xret};
	w->is_over = a->count == AHEAD_STEPS;
}

static void note_return(struct walk *w, struct ahead *a, uint64_t pc)
{
	if (w->loads_sp)
		w->is_over = true;
	else if (w->calls)
		w->calls--;
	else
		add_step(w, a, pc, false);
}

static void note_xret(const struct tr_unwind *u, struct walk *w, struct ahead *a,
		      uint64_t pc)
{
	if (w->calls) {
		w->is_over = true;
		return;
	}
	add_step(w, a, pc, true);
	w->binary = find_resumed_binary(u, pc, w->binary);
	w->loads_sp = false;
}

/* Returns true if an xret from `from` to `p` resumes the interrupted code. */
static bool resumes_interrupted(const struct pair *before, const struct pair *from,
				const struct pair *p)
{
	return from->flow == TR_FLOW_XRET && p->binary == before->binary &&
	       (before->flow != TR_FLOW_NEXT ||
		p->pc - pair_next_pc(before) <= TR_INSN_MAX_BYTES);
}

/* Returns true if the walk is still elsewhere, after an interrupt that has not led to
 * another privilege. It continues where an xret returns. */
static bool stays_away(struct walk *w, const struct pair *p)
{
	const bool is_xret = w->handler && w->handler->flow == TR_FLOW_XRET;
	w->handler = p;
	w->is_away = !is_xret || p->pc != w->epc;
	return w->is_away;
}

static bool is_user(const struct tr_unwind *u, const struct walk *w, const struct pair *p)
{
	return tr_program_is_user(u, w->notes.priv, p);
}

static void look_past_pair(const struct tr_unwind *u, struct walk *w, struct ahead *a,
			   const struct pair *p)
{
	if (w->is_away && stays_away(w, p))
		return;
	const struct pair *from = w->from;
	w->from = p;
	if (!from)
		return;
	if (w->interrupted && resumes_interrupted(w->interrupted, from, p))
		from = w->interrupted;
	else if (w->interrupted && !(from->flow == TR_FLOW_XRET && is_user(u, w, p)))
		return;
	w->interrupted = NULL;
	if (from->flow != TR_FLOW_XRET && tr_unreported_is_vector(u, p)) {
		w->interrupted = from;
		return;
	}
	w->loads_sp |= from->sp_write == TR_SP_LOADS;
	switch (from->flow) {
	case TR_FLOW_NEXT:
		w->is_over = p->pc - pair_next_pc(from) > TR_INSN_MAX_BYTES;
		break;
	case TR_FLOW_CALL:
		w->calls++;
		break;
	case TR_FLOW_RETURN:
		note_return(w, a, p->pc);
		break;
	case TR_FLOW_XRET:
		note_xret(u, w, a, p->pc);
		break;
	default:
		break;
	}
}

/* A trap that does not lead to another privilege may lead to other tasks. Several of them
 * can wait in one function, so what comes back to a call of the kernel may be any. */
static void pass_trap(struct walk *w, const struct tr_event *event)
{
	if (w->is_away)
		return;
	w->is_over |= !(event->u.trap.cause & TR_CAUSE_INTERRUPT);
	w->is_away = true;
	w->handler = NULL;
	w->epc = event->u.trap.epc;
}

/* Applies the events before row `i`, from number *next on. */
static void pass_events_ahead(struct walk *w, const struct tr_hart_frame *part,
			      uint32_t *next, uint32_t i)
{
	for (; *next < part->nevents && part->events[*next].row <= i; ++*next) {
		const struct tr_event *event = &part->events[*next];
		w->is_over |= event->kind == TR_EV_GAP;
		if (event->kind == TR_EV_TRAP && event->u.trap.priv == w->notes.priv)
			pass_trap(w, event);
		tr_context_apply(&w->notes, event);
	}
}

void tr_ahead_scan(struct tr_unwind *u, const struct hart *h, struct ahead *a)
{
	const struct tr_hart_frame *part = hart_part(h);
	uint32_t i = hart_next_row(h), last = part->nrows, event = hart_next_event(h);
	struct walk w = {.notes = *hart_notes(h), .binary = hart_binary(h)};
	if (last - i > AHEAD_ROWS)
		last = i + AHEAD_ROWS;
	a->count = 0;
	for (; i < last; i++) {
		pass_events_ahead(&w, part, &event, i);
		if (w.is_over)
			return;
		const struct pair *match = tr_pairs_find(
		    pairs_of(u), tr_note_space(&w.notes), part->rows[i].block);
		look_past_pair(u, &w, a,
			       tr_program_pair(u, w.binary, w.notes.priv, match));
	}
}

/* ------------------------------------------------------------ stacks */

/* Returns all that was left on a stack. */
static struct left left_of(const struct stack *s)
{
	return (struct left){.frames = stack_frames_left(s),
			     .below = stack_below(s),
			     .depth = stack_depth(s),
			     .ntraps = stack_trap_count(s)};
}

struct left tr_left_below_top(const struct stack *s)
{
	struct left left = left_of(s);
	left.depth--;
	return left;
}

struct left tr_left_by_trap(const struct stack *s, const struct trap *trap)
{
	struct left left = left_of(s);
	left.depth = trap_frame(trap);
	left.ntraps = (uint32_t)(trap - stack_trap(s, 0));
	return left;
}

struct left tr_left_all(const struct frames *frames)
{
	return (struct left){.frames = frames, .depth = frames_depth(frames)};
}

const struct frame *tr_left_top(const struct left *left)
{
	return left->depth ? frames_nth(left->frames, left->depth - 1) : NULL;
}

/* Goes down to where the newest trap came from. Returns false if there is none. */
static bool leave_trap(struct left *at, const struct trap **trap)
{
	uint32_t n = at->ntraps;
	while (n && trap_frame(frames_nth_trap(at->frames, n - 1)) >= at->depth)
		n--;
	if (!n && at->below) {
		*at = left_of(at->below);
		return leave_trap(at, trap);
	}
	if (!n)
		return false;
	*trap = frames_nth_trap(at->frames, n - 1);
	at->depth = trap_frame(*trap);
	at->ntraps = n - 1;
	if (!at->depth && at->below)
		*at = left_of(at->below);
	return true;
}

int tr_ahead_score(const struct ahead *a, const struct left *left)
{
	struct left at = *left;
	const struct trap *trap, *waits = NULL;
	bool has_left = false;
	int fits = 0;
	for (unsigned n = 0; n < a->count; n++) {
		const struct ahead_step *step = &a->steps[n];
		const struct frame *f = tr_left_top(&at);
		if (step->is_xret) {
			if (!waits && !leave_trap(&at, &trap))
				return fits;
			/* A signal handler runs before the interrupted system call is
			 * resumed. */
			waits = trap_is_back(trap, step->pc) ? NULL : trap;
			if (waits && !fits)
				return -1;
			has_left = true;
			fits += !waits;
		} else if (!waits && frame_return_address(f) != NO_RETURN) {
			if (frame_return_address(f) != step->pc)
				return has_left ? fits : -1;
			at.depth--;
			fits++;
		}
	}
	return fits;
}
