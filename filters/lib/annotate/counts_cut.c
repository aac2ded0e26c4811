/* SPDX-License-Identifier: Apache-2.0 */
/* What is counted of a run, or of a trap, if only a window of cycles, or some stacks, are
 * wanted: an instruction counts as a whole, if it commits in the window. And which
 * context each is of. */
#include "annotate/counts_state.h"

static bool is_in_window(const struct tr_counts *c, uint64_t end)
{
	return end > c->from && end <= c->to;
}

/* Returns the sum of what is charged to a function but not wanted. */
static struct tr_count *outside_of(struct tr_counts *c, uint32_t func)
{
	return func < c->nfuncs ? &c->funcs[func].outside : &c->held;
}

uint64_t tr_counts_leave_out(struct tr_counts *c, const struct tr_unwind_run *run)
{
	struct tr_count *sum = outside_of(c, run->func);
	const struct tr_timing *timing = run->timing;
	uint64_t cycles = (uint64_t)(run->end - run->first);
	sum->executions += cycles;
	for (uint32_t i = 0; i < timing->nstalls; i++) {
		const struct tr_stall *stall = &timing->stalls[i];
		if (stall->token < run->first || stall->token >= run->end)
			continue;
		cycles += stall->cycles - 1;
		tr_counts_add_runs(c, sum->lost, &timing->runs[stall->first_run],
				   stall->nruns, run->hart);
	}
	sum->cycles += cycles;
	return cycles;
}

/* Where the instructions of a run are: the next one, and the next stall at or behind it.
 */
struct place {
	uint64_t cycle; /* of the commit before */
	uint32_t stall;
	uint16_t token;
};

/* Passes an instruction. Returns its cycles. */
static uint64_t pass_insn(struct place *at, const struct tr_timing *timing)
{
	uint64_t cycles = 1;
	if (at->stall < timing->nstalls && timing->stalls[at->stall].token == at->token)
		cycles = timing->stalls[at->stall++].cycles;
	at->token++;
	at->cycle += cycles;
	return cycles;
}

static bool passes_wanted(struct tr_counts *c, const struct tr_unwind_run *run,
			  struct place *at)
{
	const uint64_t cycles = pass_insn(at, run->timing);
	const bool is_selected =
	    !c->selection || tr_selection_takes_insn(c->selection, run->hart, cycles);
	return is_selected && is_in_window(c, at->cycle);
}

int tr_counts_cut_run(struct tr_counts *c, const struct tr_unwind_run *run,
		      int (*take)(struct tr_counts *, const struct tr_unwind_run *,
				  bool is_wanted))
{
	struct place at = {.cycle = run->cycle};
	struct tr_unwind_run part = *run;
	int status = TR_OK;
	while (at.token < run->first)
		pass_insn(&at, run->timing);
	bool is_wanted = passes_wanted(c, run, &at);
	while (at.token < run->end && !status) {
		const bool is_next = passes_wanted(c, run, &at);
		if (is_next == is_wanted)
			continue;
		part.end = (uint16_t)(at.token - 1);
		status = take(c, &part, is_wanted);
		part.first = part.end;
		is_wanted = is_next;
	}
	part.end = run->end;
	return status ? status : take(c, &part, is_wanted);
}

bool tr_counts_cut_trap(struct tr_counts *c, const struct tr_unwind_trap *trap)
{
	const struct tr_event *event = trap->event;
	const bool is_selected =
	    !c->selection ||
	    tr_selection_takes_trap(c->selection, trap->hart, event->cycles);
	if (is_selected && is_in_window(c, trap->cycle))
		return false;
	struct tr_count *sum = outside_of(c, trap->func);
	sum->cycles += event->cycles;
	tr_counts_add_runs(c, sum->lost, event->u.trap.runs, event->u.trap.nruns,
			   trap->hart);
	return true;
}

/* Returns the cycles of a run. */
static uint64_t cycles_of(const struct tr_unwind_run *run)
{
	const struct tr_timing *timing = run->timing;
	uint64_t cycles = (uint64_t)(run->end - run->first);
	for (uint32_t i = 0; i < timing->nstalls; i++)
		if (timing->stalls[i].token >= run->first &&
		    timing->stalls[i].token < run->end)
			cycles += timing->stalls[i].cycles - 1;
	return cycles;
}

int tr_counts_run_by_context(struct tr_counts *c, const struct tr_unwind_run *run,
			     int (*take)(struct tr_counts *, const struct tr_unwind_run *,
					 bool is_wanted))
{
	struct tr_unwind_run part = *run;
	int status = TR_OK;
	for (; part.first < run->end && !status; part.first = part.end) {
		uint32_t count = (uint32_t)(run->end - part.first);
		c->context = tr_selection_key_of_insns(c->contexts, run->hart, &count);
		part.end = (uint16_t)(part.first + count);
		tr_selection_take_cycles(c->contexts, run->hart, cycles_of(&part));
		status = take(c, &part, true);
	}
	return status;
}
