/* SPDX-License-Identifier: Apache-2.0 */
/* Counters and privileges of a hart: sums over intervals of at least the minimum. */
#include <string.h>

#include "timeline/timeline_internal.h"

void tr_timeline_release_samples(struct hart *hart)
{
	tr_samples_release(&hart->samples.passed);
	tr_samples_release(&hart->samples.newest);
}

/* Passes on what the counters of a set rose since the last time. Returns a status. */
static int pass_on(struct tr_timeline *t, const struct hart *hart, uint32_t set,
		   uint32_t count)
{
	const struct hart_samples *s = &hart->samples;
	int status = TR_OK;
	for (uint32_t i = 0; i < count && !status; i++)
		status = t->writer->rise(
		    t->state,
		    &(struct tr_timeline_rise){.from = s->passed_at[set],
					       .to = s->newest_at[set],
					       .rise = (int64_t)(s->newest.last[set][i] -
								 s->passed.last[set][i]),
					       .hart = hart->number,
					       .set = set,
					       .counter = i});
	return status;
}

static int pass_due_sample(struct tr_timeline *t, struct hart *hart,
			   const struct tr_sample *sample)
{
	const struct tr_counters *counters = t->counters;
	struct hart_samples *s = &hart->samples;
	const uint32_t set = sample->set, count = counters->set[set].count;
	const size_t size = count * sizeof(*sample->values);
	uint64_t *passed = tr_samples_of(&s->passed, counters, set);
	uint64_t *newest = tr_samples_of(&s->newest, counters, set);
	if (!passed || !newest)
		return TR_E_NOMEM;
	memcpy(newest, sample->values, size);
	s->newest_at[set] = sample->cycle;
	if (s->sampled >> set & 1) {
		uint64_t since = sample->cycle - s->passed_at[set];
		if (since < tr_timeline_minimum(t, sample->cycle))
			return TR_OK;
		int status = pass_on(t, hart, set, count);
		if (status)
			return status;
	}
	s->sampled |= UINT32_C(1) << set;
	s->passed_at[set] = sample->cycle;
	memcpy(passed, newest, size);
	return TR_OK;
}

int tr_timeline_samples(struct tr_timeline *t, const struct tr_sframe *frame)
{
	const struct tr_profile_window w = tr_profile_window(t->profile);
	int status = TR_OK;
	for (uint32_t h = 0; t->writer->rise && h < frame->nharts; h++) {
		const struct tr_shart *from = &frame->harts[h];
		for (uint32_t i = 0; i < from->nsamples && !status; i++) {
			const struct tr_sample *sample = &from->samples[i];
			if (sample->cycle >= w.from && sample->cycle <= w.to &&
			    t->counters->set[sample->set].count)
				status = pass_due_sample(
				    t, tr_timeline_hart(t, from->hart), sample);
		}
	}
	return status;
}

int tr_timeline_most(const uint64_t cycles[TR_TIMELINE_MODES])
{
	int most = -1;
	for (int i = 0; i < TR_TIMELINE_MODES; i++)
		if (cycles[i] && (most < 0 || cycles[i] > cycles[most]))
			most = i;
	return most;
}

static int pass_modes(struct tr_timeline *t, struct hart *hart)
{
	const struct tr_timeline_modes modes = hart->modes;
	hart->modes = (struct tr_timeline_modes){
	    .from = modes.to, .to = modes.to, .hart = hart->number};
	return t->writer->modes(t->state, &modes);
}

int tr_timeline_mode(struct tr_timeline *t, struct hart *hart,
		     const struct tr_profile_step *step)
{
	struct tr_timeline_modes *m = &hart->modes;
	if (!t->writer->modes || !step->cycles)
		return TR_OK;
	if (m->from == m->to)
		*m =
		    (struct tr_timeline_modes){.from = step->cycle, .hart = hart->number};
	m->to = step->cycle + step->cycles;
	if (step->has_context && !step->is_gap)
		m->cycles[step->priv < TR_PRIV_D ? step->priv : TR_PRIV_D] +=
		    step->cycles;
	return m->to - m->from < tr_timeline_minimum(t, m->to) ? TR_OK
							       : pass_modes(t, hart);
}

int tr_timeline_flush(struct tr_timeline *t, struct hart *hart)
{
	int status = TR_OK;
	if (hart->modes.from != hart->modes.to)
		status = pass_modes(t, hart);
	for (uint32_t set = 0; set < TR_MAX_COUNTER_SETS && !status; set++)
		if (hart->samples.sampled >> set & 1 &&
		    hart->samples.newest_at[set] > hart->samples.passed_at[set])
			status = pass_on(t, hart, set, t->counters->set[set].count);
	return status;
}
