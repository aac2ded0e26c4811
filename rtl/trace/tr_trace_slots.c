/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the commit slots of each cycle, and keeps the lost ones for the next token or
 * trap. */
#include <inttypes.h>

#include "trace_internal.h"

/* Returns TR_TRACE_OK or TR_TRACE_FAILED. */
static int add_lost_run(struct tr_trace *t, struct trace_slots *s, unsigned why,
			uint64_t slots)
{
	return tr_runs_lose(&s->lost, why, slots)
		   ? TR_TRACE_OK
		   : tr_trace_fail(t, "an instruction waits for more slots than a stream "
				      "can tell");
}

/* Loses slots to class 0. With one slot in a cycle those without a class have it. */
static int lose_untold(struct tr_trace *t, struct trace_slots *s, uint64_t slots)
{
	return t->width > 1 ? add_lost_run(t, s, 0, slots) : TR_TRACE_OK;
}

/* Goes to the first slot of `cycle`, or the one after those that were told of it. Slots
 * before the cycle of the hart's first commit are not in the stream. */
static int reach_cycle(struct tr_trace *t, unsigned hart, uint64_t cycle)
{
	struct trace_slots *s = &t->lanes[hart]->slots;
	if (cycle == s->cycle)
		return TR_TRACE_OK;
	if (cycle < s->cycle)
		return tr_trace_fail(t,
				     "a slot of cycle %" PRIu64
				     " of hart %u behind one of cycle %" PRIu64,
				     cycle, hart, s->cycle);
	const uint64_t untold =
	    t->width - s->used + (cycle - s->cycle - 1) * (uint64_t)t->width;
	s->cycle = cycle;
	s->used = 0;
	if (t->lanes[hart]->begun)
		return untold ? lose_untold(t, s, untold) : TR_TRACE_OK;
	s->lost.count = 0;
	return TR_TRACE_OK;
}

static int refuse_slot(struct tr_trace *t, unsigned hart, uint64_t cycle)
{
	return tr_trace_fail(t,
			     "cycle %" PRIu64 " of hart %u has more than %" PRIu32
			     " slot%s, commits and lost ones together",
			     cycle, hart, t->width, t->width == 1 ? "" : "s");
}

static int check_class_number(struct tr_trace *t, unsigned hart, uint64_t cycle,
			      unsigned why)
{
	if (why <= t->classes.count)
		return TR_TRACE_OK;
	return tr_trace_fail(
	    t, "class %u of a slot of hart %u in cycle %" PRIu64 " has no name in \"%s\"",
	    why, hart, cycle, t->options.classes ? t->options.classes : "");
}

int tr_trace_take_slot(struct tr_trace *t, unsigned hart, uint64_t cycle,
		       const struct tr_trace_commit *c)
{
	struct trace_slots *s = &t->lanes[hart]->slots;
	if (reach_cycle(t, hart, cycle))
		return TR_TRACE_FAILED;
	if (s->used == t->width)
		return refuse_slot(t, hart, cycle);
	s->used++;
	if (t->state == TRACE_WAITS)
		s->lost.count = 0;
	if (t->options.lacks & TR_TRACE_NO_TRAPS || !commit_traps(c))
		return TR_TRACE_OK;
	if (!c->lost_to)
		return lose_untold(t, s, 1);
	if (check_class_number(t, hart, cycle, c->lost_to))
		return TR_TRACE_FAILED;
	return add_lost_run(t, s, c->lost_to, 1);
}

int tr_trace_lose_slots(struct tr_trace *t, unsigned hart, uint64_t cycle, unsigned why,
			uint64_t slots)
{
	if (t->state >= TRACE_ENDED)
		return t->state == TRACE_ENDED ? TR_TRACE_STOPPED : TR_TRACE_FAILED;
	struct trace_lane *lane = tr_trace_find_lane(t, hart);
	if (!lane || check_class_number(t, hart, cycle, why) ||
	    reach_cycle(t, hart, cycle))
		return TR_TRACE_FAILED;
	struct trace_slots *s = &lane->slots;
	const uint64_t last = s->used + slots;
	if (!slots)
		return TR_TRACE_OK;
	if (s->used == t->width)
		return refuse_slot(t, hart, cycle);
	if (last <= t->width) {
		s->used = (uint32_t)last;
	} else if (last < slots || (last - 1) / t->width >= TR_MAX_CYCLES) {
		return tr_trace_fail(t, "%" PRIu64 " slots lost in cycle %" PRIu64, slots,
				     cycle);
	} else {
		s->cycle += (last - 1) / t->width;
		s->used = (uint32_t)((last - 1) % t->width + 1);
		if (!lane->begun) {
			s->lost.count = 0;
			slots = s->used;
		}
	}
	return why ? add_lost_run(t, s, why, slots) : lose_untold(t, s, slots);
}
