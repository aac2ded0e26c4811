/* SPDX-License-Identifier: Apache-2.0 */
/* Samples of counters, of rows and of stacks. */
#include "stream/codec.h"

bool tr_sample_good(const struct tr_sample *sample, const struct tr_counters *counters)
{
	return sample->set < TR_MAX_COUNTER_SETS && sample->count &&
	       counters->set[sample->set].count == sample->count;
}

void tr_encode_sample(struct tr_buffer *out, const struct tr_sample *sample,
		      const struct tr_counters *counters, struct tr_samples *last)
{
	uint64_t *values = tr_samples_of(last, counters, sample->set);
	tr_buffer_varint(out, sample->set);
	tr_buffer_varint(out, sample->count);
	if (!values)
		out->failed = true;
	for (uint32_t i = 0; values && i < sample->count; i++) {
		tr_buffer_varint(out, tr_zigzag(sample->values[i] - values[i]));
		values[i] = sample->values[i];
	}
}

int tr_decode_sample(struct tr_bytes *in, struct tr_sample *sample,
		     const struct tr_counters *counters, struct tr_samples *last,
		     struct tr_arena *arena)
{
	sample->set = (uint32_t)tr_varint_below(in, TR_MAX_COUNTER_SETS);
	sample->count = (uint32_t)tr_varint_below(in, TR_MAX_COUNTERS + 1);
	if (in->bad || !tr_sample_good(sample, counters))
		return TR_E_CORRUPT;
	uint64_t *copy = tr_arena_take(arena, sample->count * sizeof(*copy));
	uint64_t *values = tr_samples_of(last, counters, sample->set);
	if (!copy || !values)
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < sample->count; i++)
		copy[i] = values[i] += tr_unzigzag(tr_varint(in));
	sample->values = copy;
	return in->bad ? TR_E_CORRUPT : TR_OK;
}
