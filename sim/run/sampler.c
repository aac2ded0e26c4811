/* SPDX-License-Identifier: Apache-2.0 */
/* Samples the chosen counters of a machine while a window of the trace is open. */
#include "sampler.h"

#include <stdlib.h>
#include <string.h>

struct sampler {
	struct sampler_options o;
	uint64_t *noted;   /* the machine's counts where a window may open */
	uint64_t *outside; /* counts outside windows */
	uint64_t *values;  /* counts in windows */
	uint64_t counted;  /* cycles in closed windows */
	uint64_t opened;   /* cycle at which this window opened */
	uint64_t last;	   /* cycle of the last sample */
};

struct sampler *sampler_new(const struct sampler_options *options)
{
	struct sampler *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->o = *options;
	s->noted = calloc(s->o.n, sizeof(*s->noted));
	s->outside = calloc(s->o.n, sizeof(*s->outside));
	s->values = calloc(s->o.n, sizeof(*s->values));
	if (s->noted && s->outside && s->values &&
	    s->o.machine->ops->choose(s->o.machine, options->chosen, options->n))
		return s;
	sampler_free(s);
	return NULL;
}

void sampler_free(struct sampler *s)
{
	if (!s)
		return;
	free(s->noted);
	free(s->outside);
	free(s->values);
	free(s);
}

void sampler_count(struct sampler *s, enum machine_count how)
{
	s->o.machine->ops->count(s->o.machine, how);
}

void sampler_note(struct sampler *s)
{
	s->o.machine->ops->counts(s->o.machine, s->noted);
}

/* Adds a sample of the counts in windows. */
static void put_counter_sample(struct sampler *s, uint64_t cycle)
{
	uint64_t counted = s->counted + cycle - s->opened;

	s->last = cycle;
	if (s->o.csv)
		csv_row(s->o.csv, cycle, counted, s->values);
	else
		trace_counters(s->o.trace, cycle, s->values);
}

void sampler_open(struct sampler *s, uint64_t cycle)
{
	for (size_t i = 0; i < s->o.n; i++)
		s->outside[i] = s->noted[i] - s->values[i];
	s->opened = cycle;
	put_counter_sample(s, cycle);
}

void sampler_take(struct sampler *s, uint64_t cycle)
{
	if (cycle == s->last)
		return;
	s->o.machine->ops->counts(s->o.machine, s->values);
	for (size_t i = 0; i < s->o.n; i++)
		s->values[i] -= s->outside[i];
	put_counter_sample(s, cycle);
}

void sampler_close(struct sampler *s, uint64_t cycle)
{
	sampler_take(s, cycle);
	s->counted += cycle - s->opened;
}

uint64_t sampler_next(const struct sampler *s, uint64_t cycle)
{
	/* Before a token (MACHINE_BREAK) the cycle is that of the previous token again,
	 * but samples within the token have been taken already. */
	uint64_t from = cycle > s->last ? cycle : s->last;
	uint64_t wait = s->o.every - from % s->o.every;

	return from > UINT64_MAX - wait ? UINT64_MAX : from + wait;
}

int sampler_error(const struct sampler *s)
{
	return s->o.csv ? csv_error(s->o.csv) : 0;
}
