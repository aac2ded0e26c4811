/* SPDX-License-Identifier: Apache-2.0 */
#include "sampled.h"

#include <inttypes.h>
#include <stdio.h>

/* Most difference of the interrupts per instruction, and most standard deviations of a
 * number of events that are independent. */
#define MOST_PART	0.05
#define MOST_DEVIATIONS 4.0

static void open_sampled_window(void *trace, unsigned hart,
				const struct machine_state *state)
{
	trace_open(trace, hart, state);
}

static void tell_tokens(void *trace, unsigned hart, const struct tr_batch *batch,
			uint64_t cycle)
{
	trace_tokens(trace, hart, batch, cycle);
}

static void tell_trap(void *trace, unsigned hart, const struct soc_trap *trap)
{
	trace_trap(trace, hart, trap);
}

static void tell_xret(void *trace, unsigned hart, unsigned priv)
{
	trace_xret(trace, hart, priv);
}

static void tell_satp(void *trace, unsigned hart, uint64_t satp)
{
	trace_satp(trace, hart, satp);
}

static void tell_reg(void *trace, unsigned hart, unsigned reg, uint64_t value)
{
	trace_reg(trace, hart, reg, value);
}

const char *sampled_tell(const struct machine *machine, struct trace *trace)
{
	const struct machine_hooks hooks = {.user = trace,
					    .tokens = tell_tokens,
					    .trap = tell_trap,
					    .xret = tell_xret,
					    .satp = tell_satp,
					    .reg = tell_reg};

	return machine->sample->ops->tell(machine->sample, machine->harts,
					  machine_now(machine).cycle, open_sampled_window,
					  &hooks);
}

void sampled_compare(const struct machine *machine, const struct trace *trace, char *text,
		     size_t size)
{
	uint64_t all, taken, instructions, interrupts;

	*text = '\0';
	trace_count(trace, 0, &all, &taken);
	trace_count(trace, machine->harts, &instructions, &interrupts);
	if (!all || !instructions)
		return;
	const double expected = (double)taken / (double)all * (double)instructions;
	const double difference = (double)interrupts - expected;
	const double square = difference * difference;

	if (square > MOST_PART * expected * (MOST_PART * expected) &&
	    square > MOST_DEVIATIONS * MOST_DEVIATIONS * (expected + 1))
		snprintf(text, size,
			 "warning: the windows have %" PRIu64 " interrupts in %" PRIu64
			 " instructions, where the model would have %.0f: the time of "
			 "the model is not that of the hardware",
			 interrupts, instructions, expected);
}
