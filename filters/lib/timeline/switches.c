/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/switches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/status.h"
#include "timeline/tallies.h"

#define NO_FRAME      UINT32_MAX
#define UNKNOWN_START UINT64_MAX
enum { NO_PRIV = 255 };

/* A frame of the thread that a hart runs, since it does so. */
struct frame {
	uint64_t
	    start; /* cycle in which it was entered, or the hart came to the thread */
	uint64_t own, handler; /* cycles as the last one, and with one frame above it */
	uint32_t func;	       /* that was entered: a tail call may have left it */
	uint8_t from, priv;    /* privileges before it and in it, or NO_PRIV */
	bool is_trap;
};

/* The frame of a stack that the switch is, with all above it. */
struct boundary {
	uint32_t frame;
	bool is_trap;
};

struct thread {
	uint32_t number; /* the last one in the stream that is this thread */
	uint32_t node;	 /* when it was left */
	struct boundary at;
	bool is_left;  /* and no switch to it has ended since */
	bool was_left; /* once */
};

/* A switch that has not ended. */
struct begun {
	uint64_t start, called;
	uint32_t from, by;
};

struct hart {
	uint32_t number, thread, node, raw;
	struct frame *frames;
	size_t room;
	uint32_t depth, last; /* frames, and the last one but inlined calls and lines */
	uint64_t until;	      /* end of its last step */
	uint8_t priv;
	bool runs;	 /* it has a thread */
	bool is_entered; /* the thread went on with its first function from the beginning
			  */
	bool is_switching;
	struct begun begun; /* is_switching */
};

struct tr_switches {
	const struct tr_profile *profile;
	const struct tr_reader *reader;
	const char *const *names;
	size_t nnames;
	struct thread *threads;
	size_t room;
	uint32_t count;
	struct hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct tr_tallies tallies;
	uint64_t unknown;
};

struct tr_switches *tr_switches_new(const struct tr_profile *profile,
				    const struct tr_reader *reader,
				    const char *const *names, size_t count)
{
	struct tr_switches *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->profile = profile;
	s->reader = reader;
	s->names = names;
	s->nnames = count;
	return s;
}

void tr_switches_free(struct tr_switches *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->nharts; i++)
		free(s->harts[i].frames);
	tr_tallies_free(&s->tallies);
	free(s->threads);
	free(s);
}

/* Where the switch is in a stack */

static bool is_scheduler(const struct tr_switches *s, const char *name)
{
	bool is = strcmp(name, "__schedule") == 0;
	for (size_t i = 0; i < s->nnames && !is; i++)
		is = strcmp(name, s->names[i]) == 0;
	return is;
}

/* A signal, or a call that was injected, is the program's. */
static bool is_trap_frame(const struct tr_func *func)
{
	return func->kind == TR_FRAME_TRAP && strcmp(func->name, "[signal]") != 0 &&
	       strcmp(func->name, "[inject]") != 0;
}

static bool is_interrupt(const struct tr_func *trap)
{
	static const char end[] = "interrupt]";
	const size_t length = strlen(trap->name);
	return length >= strlen(end) &&
	       strcmp(trap->name + length - strlen(end), end) == 0;
}

/* Returns true if the trap is that of a switch, with so many functions above it. */
static bool is_switching_trap(const struct tr_func *trap, const struct frame *frame,
			      uint32_t functions)
{
	return functions <= 1 || is_interrupt(trap) ||
	       (frame->from != NO_PRIV && frame->from == frame[1].priv);
}

/* Finds the frame that the switch is. Inlined calls and lines are parts of the function
 * below them. */
static struct boundary find_boundary(const struct tr_switches *s, const struct hart *hart)
{
	struct boundary top = {.frame = NO_FRAME}, scheduler = top;
	uint32_t functions = 0, i = hart->depth;
	for (uint32_t node = hart->node, parent; node && i-- > 0; node = parent) {
		const struct tr_func *func = tr_profile_frame(s->profile, node, &parent);
		const struct boundary here = {i, is_trap_frame(func)};
		if (here.is_trap && scheduler.frame == NO_FRAME &&
		    is_switching_trap(func, &hart->frames[i], functions))
			return here;
		if (here.is_trap)
			break;
		if (func->kind == TR_FRAME_INLINED || func->kind == TR_FRAME_LINE)
			continue;
		functions++;
		if (top.frame == NO_FRAME)
			top = here;
		if (is_scheduler(s, func->name))
			scheduler = here;
	}
	return scheduler.frame != NO_FRAME ? scheduler : top;
}

/* Returns true if the function is called by none: then it is not known where the switch
 * begins, unless the thread is a scheduler, which is entered anew for each switch. */
static bool is_uncalled(const struct hart *hart, struct boundary at)
{
	return !at.is_trap && at.frame <= 1 && !hart->is_entered;
}

/* Returns the cycles of the switch's frame in functions that were called in it, beside
 * the handler of a trap. */
static uint64_t called_cycles(const struct frame *frame, bool is_trap, uint64_t all)
{
	const uint64_t own = frame->own + (is_trap ? frame->handler : 0);
	return all > own ? all - own : 0;
}

/* Frames */

/* Returns the index of the last frame of a stack but inlined calls and lines, 0 if there
 * is no other. */
static uint32_t last_function(const struct tr_switches *s, uint32_t node)
{
	uint32_t i = tr_profile_depth(s->profile, node), parent;
	for (; node && i-- > 0; node = parent) {
		const uint8_t kind = tr_profile_frame(s->profile, node, &parent)->kind;
		if (kind != TR_FRAME_INLINED && kind != TR_FRAME_LINE)
			return i;
	}
	return 0;
}

/* Returns the number of frames that a step continues: a function that it entered anew is
 * another one. */
static uint32_t kept_frames(const struct tr_switches *s,
			    const struct tr_profile_step *step)
{
	return step->fresh ? last_function(s, step->node)
			   : tr_profile_depth(s->profile, step->node);
}

/* Makes the frames above the first `kept` those of the step. The one that takes the place
 * of another of its kind, with nothing in between, continues that: a tail call, or an
 * interrupt that follows the return from another. Returns false when out of memory. */
static bool set_frames(const struct tr_switches *s, struct hart *hart,
		       const struct tr_profile_step *step, uint32_t kept, uint64_t start)
{
	const uint32_t depth = tr_profile_depth(s->profile, step->node);
	const uint32_t before = hart->depth;
	uint32_t node = step->node, parent;
	if (!tr_grow(&hart->frames, &hart->room, depth, sizeof(*hart->frames)))
		return false;
	for (uint32_t i = depth; i-- > kept; node = parent) {
		const struct tr_func *func = tr_profile_frame(s->profile, node, &parent);
		const bool is_trap = is_trap_frame(func);
		if (i == kept && i < before && hart->frames[i].is_trap == is_trap)
			continue;
		hart->frames[i] =
		    (struct frame){.start = start,
				   .func = tr_profile_func_of(s->profile, node),
				   .from = hart->priv,
				   .priv = step->has_context ? step->priv : NO_PRIV,
				   .is_trap = is_trap};
	}
	hart->depth = depth;
	hart->last = last_function(s, step->node);
	hart->node = step->node;
	hart->raw = step->raw;
	return true;
}

static bool change_frames(const struct tr_switches *s, struct hart *hart,
			  const struct tr_profile_step *step)
{
	const uint32_t depth = tr_profile_depth(s->profile, step->node);
	const bool is_inside = hart->node == step->node && hart->raw != step->raw;
	const uint32_t kept = is_inside ? depth : kept_frames(s, step);
	if (hart->node == step->node && kept == depth) {
		hart->raw = step->raw;
		return true;
	}
	const uint32_t common =
	    tr_profile_common_depth(s->profile, hart->node, step->node);
	return set_frames(s, hart, step, kept < common ? kept : common, step->cycle);
}

/* Switches */

static struct hart *find_hart(struct tr_switches *s, uint32_t number)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		if (s->harts[i].number == number)
			return &s->harts[i];
	s->harts[s->nharts] = (struct hart){.number = number, .priv = NO_PRIV};
	return &s->harts[s->nharts++];
}

/* The hart leaves its thread. If that has executed nothing of its own since the hart came
 * to it, the switch goes on. */
static void leave_thread(struct tr_switches *s, struct hart *hart)
{
	struct thread *thread = &s->threads[hart->thread];
	const struct boundary at = find_boundary(s, hart);
	thread->node = hart->node;
	thread->at = at;
	thread->is_left = at.frame != NO_FRAME;
	thread->was_left = true;
	if (hart->is_switching)
		return;
	if (!thread->is_left || is_uncalled(hart, at) ||
	    hart->frames[at.frame].start == UNKNOWN_START) {
		s->unknown++;
		return;
	}
	const struct frame *frame = &hart->frames[at.frame];
	hart->is_switching = true;
	hart->begun = (struct begun){
	    .start = frame->start,
	    .called = called_cycles(frame, at.is_trap, hart->until - frame->start),
	    .from = hart->thread,
	    .by = frame->func};
}

/* Returns true if the switch's frame is not on the thread's stack any more. */
static bool has_ended(const struct tr_switches *s, const struct thread *thread,
		      const struct tr_profile_step *step)
{
	return !thread->is_left || kept_frames(s, step) <= thread->at.frame ||
	       tr_profile_common_depth(s->profile, thread->node, step->node) <=
		   thread->at.frame;
}

static int end_switch(struct tr_switches *s, struct hart *hart, uint64_t cycle)
{
	const struct begun *begun = &hart->begun;
	const char *by = tr_profile_func(s->profile, begun->by)->name;
	hart->is_switching = false;
	s->threads[hart->thread].is_left = false;
	const uint32_t i =
	    tr_tallies_find(&s->tallies, &(struct tr_tally_key){.task = hart->thread,
								.other = begun->from,
								.number = INT64_MIN,
								.what = by,
								.name = ""});
	return i != UINT32_MAX && tr_tally_add(&s->tallies.tallies[i],
					       cycle - begun->start, begun->called)
		   ? TR_OK
		   : TR_E_NOMEM;
}

/* The cycles of a step before the switch has ended. */
static void charge_switch(struct hart *hart, struct thread *thread,
			  const struct tr_profile_step *step)
{
	const uint32_t own = thread->at.frame + (thread->at.is_trap ? 1 : 0);
	thread->node = step->node;
	hart->begun.called += hart->last > own ? step->cycles : 0;
}

static void charge_frames(struct hart *hart, uint64_t cycles)
{
	hart->frames[hart->last].own += cycles;
	if (hart->last)
		hart->frames[hart->last - 1].handler += cycles;
}

/* Nothing is known of what the hart does in this time. */
static void forget_thread(struct tr_switches *s, struct hart *hart)
{
	s->unknown += hart->is_switching;
	hart->runs = hart->is_switching = false;
	hart->priv = NO_PRIV;
}

/* Finds the thread of a track. Returns false when out of memory. */
static bool find_thread(struct tr_switches *s, uint32_t track)
{
	if (!tr_grow(&s->threads, &s->room, (size_t)track + 1, sizeof(*s->threads)))
		return false;
	while (s->count <= track)
		s->threads[s->count++] = (struct thread){.number = UINT32_MAX};
	return true;
}

/* Returns true if the hart goes on in the thread that it runs: the kernel's tp is that of
 * the same thread, which has begun another program, or was not known before. */
static bool continues_thread(const struct tr_switches *s, const struct hart *hart,
			     const struct tr_profile_step *step)
{
	const uint32_t number = s->threads[hart->thread].number;
	const uint64_t before = tr_reader_thread(s->reader, number)->tp;
	const uint64_t tp = tr_reader_thread(s->reader, step->thread)->tp;
	return tp && (!before || before == tp);
}

/* The hart has come to a thread that it was not seen to leave. One that goes on in the
 * scheduler was left there before the first row; of others that were perhaps, in a
 * window, it is not known where the switch ends. */
static void meet_thread(struct tr_switches *s, struct hart *hart)
{
	struct thread *thread = &s->threads[hart->thread];
	const struct boundary at = find_boundary(s, hart);
	const struct frame *frame = at.frame != NO_FRAME ? &hart->frames[at.frame] : NULL;
	if (frame && !at.is_trap &&
	    is_scheduler(s, tr_profile_func(s->profile, frame->func)->name)) {
		thread->node = hart->node;
		thread->at = at;
		thread->is_left = true;
	} else if (frame && at.is_trap && tr_profile_window(s->profile).from) {
		s->unknown++;
		hart->is_switching = false;
	}
}

/* Moves the hart to the stack of the step. Returns false when out of memory. */
static bool move_hart(struct tr_switches *s, struct hart *hart, uint32_t thread,
		      const struct tr_profile_step *step)
{
	const bool had_thread = hart->runs;
	if (had_thread && hart->thread == thread)
		return change_frames(s, hart, step);
	if (had_thread && !continues_thread(s, hart, step))
		leave_thread(s, hart);
	hart->runs = true;
	hart->thread = thread;
	hart->is_entered = s->threads[thread].was_left && kept_frames(s, step) <= 1;
	hart->depth = 0;
	hart->priv = NO_PRIV;
	if (!set_frames(s, hart, step, 0, had_thread ? step->cycle : UNKNOWN_START))
		return false;
	if (hart->is_switching && !s->threads[thread].was_left)
		meet_thread(s, hart);
	return true;
}

static int take_switch_step(void *state, const struct tr_profile_step *step,
			    uint32_t track)
{
	struct tr_switches *s = state;
	struct hart *hart = find_hart(s, step->hart);
	int status = TR_OK;
	if (step->is_gap || !tr_profile_depth(s->profile, step->node)) {
		forget_thread(s, hart);
		return TR_OK;
	}
	if (!find_thread(s, track) || !move_hart(s, hart, track, step))
		return TR_E_NOMEM;
	struct thread *thread = &s->threads[track];
	thread->number = step->thread;
	if (hart->is_switching && has_ended(s, thread, step))
		status = end_switch(s, hart, step->cycle);
	if (hart->is_switching)
		charge_switch(hart, thread, step);
	charge_frames(hart, step->cycles);
	hart->until = step->cycle + step->cycles;
	hart->priv = step->has_context ? step->priv : NO_PRIV;
	return status;
}

const struct tr_timeline_writer tr_switches_writer = {.parts = 1,
						      .step = take_switch_step};

/* The table */

static int thread_cell(const struct tr_switches *s, struct tr_table *table, uint32_t id)
{
	return tr_table_cell(table, "%s",
			     tr_profile_thread_label(s->profile, s->threads[id].number));
}

static int switch_row(const struct tr_switches *s, struct tr_table *table,
		      const struct tr_tally *tally)
{
	uint64_t median, p99;
	if (!tr_durations_quantile(&tally->cycles, 50, &median) ||
	    !tr_durations_quantile(&tally->cycles, 99, &p99))
		return TR_E_NOMEM;
	const uint64_t cells[] = {tally->cycles.count, tally->total, tally->away,
				  tally->cycles.min,   median,	     p99,
				  tally->cycles.max};
	int status = TR_OK;
	for (unsigned i = 0; i < sizeof(cells) / sizeof(cells[0]) && !status; i++)
		status = tr_table_cell(table, "%" PRIu64, cells[i]);
	if (!status)
		status = tr_table_cell(table, "%s", tally->key.what);
	if (!status)
		status = thread_cell(s, table, tally->key.other);
	return status ? status : thread_cell(s, table, tally->key.task);
}

int tr_switches_table(const struct tr_switches *s, struct tr_report *report)
{
	static const char *const headings[] = {"switches", "cycles", "called", "min",
					       "median",   "p99",    "max",    "<by",
					       "<from",	   "<to",    NULL};
	static const char *const keys[] = {"switches", "cycles", "called", "min",
					   "median",   "p99",	 "max",	   "by",
					   "from",     "to",	 NULL};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	uint32_t *order = tr_tallies_sorted(&s->tallies);
	int status = table && order ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < s->tallies.count && !status; i++)
		status = switch_row(s, table, &s->tallies.tallies[order[i]]);
	free(order);
	if (!status)
		return tr_report_table(report, "switches", table);
	tr_table_free(table);
	return status;
}

uint64_t tr_switches_unknown(const struct tr_switches *s)
{
	return s->unknown;
}
