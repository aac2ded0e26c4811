/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding of frame heads and sections. */
#include "stream/codec.h"

/* Set in the number of the privilege if hgatp follows, which few streams have. */
enum { HAS_HGATP = 16 };

void tr_encode_context(struct tr_buffer *out, const struct tr_context *context)
{
	tr_buffer_varint(out, context->satp);
	tr_buffer_varint(out, context->tp);
	tr_buffer_varint(out, context->space);
	tr_buffer_varint(out, context->priv | (context->hgatp ? HAS_HGATP : 0U));
	if (context->hgatp)
		tr_buffer_varint(out, context->hgatp);
}

void tr_decode_context(struct tr_bytes *in, struct tr_context *context)
{
	context->satp = tr_varint(in);
	context->tp = tr_varint(in);
	context->space = (uint32_t)tr_varint_below(in, UINT32_MAX);
	const unsigned priv = (unsigned)tr_varint_below(in, 2 * HAS_HGATP);
	context->priv = (uint8_t)(priv % HAS_HGATP);
	context->hgatp = priv >= HAS_HGATP ? tr_varint(in) : 0;
	in->bad |= priv >= HAS_HGATP && !context->hgatp;
}

void tr_encode_frame_head(struct tr_buffer *out, const struct tr_frame_head *head)
{
	tr_buffer_varint(out, head->number);
	tr_buffer_varint(out, head->generation << 1 | head->begins_generation);
	tr_buffer_varint(out, head->nharts);
	for (uint32_t i = 0; i < head->nharts; i++) {
		const struct tr_hart_head *hart = &head->harts[i];
		tr_buffer_varint(out, hart->hart);
		tr_buffer_varint(out, hart->start_cycle);
		tr_buffer_varint(out, hart->cycles);
		tr_buffer_varint(out, hart->tokens);
		tr_buffer_varint(out, hart->nrows);
		tr_buffer_varint(out, hart->nevents);
		tr_encode_context(out, &hart->context);
	}
}

void tr_decode_frame_head(struct tr_bytes *in, struct tr_frame_head *head)
{
	head->number = tr_varint(in);
	uint64_t generation = tr_varint(in);
	head->generation = generation >> 1;
	head->begins_generation = generation & 1;
	head->nharts = (uint32_t)tr_varint_below(in, TR_MAX_HARTS + 1);
	for (uint32_t i = 0; i < head->nharts; i++) {
		struct tr_hart_head *hart = &head->harts[i];
		hart->hart = (uint32_t)tr_varint_below(in, UINT32_MAX);
		hart->start_cycle = tr_varint_below(in, INT64_MAX);
		hart->cycles = tr_varint_below(in, INT64_MAX);
		hart->tokens = tr_varint_below(in, INT64_MAX);
		hart->nrows = (uint32_t)tr_varint_below(in, UINT32_MAX);
		hart->nevents = (uint32_t)tr_varint_below(in, UINT32_MAX);
		tr_decode_context(in, &hart->context);
	}
}

void tr_encode_section(struct tr_buffer *out, enum tr_section kind,
		       const struct tr_buffer *body)
{
	if (body->failed)
		out->failed = true;
	if (body->size == 0)
		return;
	tr_buffer_varint(out, (uint64_t)kind << 1 | (kind < TR_SECTION_SCONTEXTS));
	tr_buffer_body(out, body);
}

bool tr_decode_section(struct tr_bytes *in, unsigned *kind, bool *must,
		       struct tr_bytes *body)
{
	if (in->bad || in->at == in->end)
		return false;
	uint64_t tag = tr_varint_below(in, 1 << 16);
	uint64_t size = tr_varint(in);
	const uint8_t *p = tr_bytes_take(in, size);
	if (in->bad)
		return false;
	*kind = (unsigned)(tag >> 1);
	*must = tag & 1;
	*body = (struct tr_bytes){.at = p, .end = p + size};
	return true;
}

bool tr_name_good(const char *name)
{
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == ';' || *name == '\x7f')
			return false;
	return true;
}

/* Columns: values of one kind are stored together, which compresses better. A body is,
 * for each column, its size as a varint and then that many bytes. */

static size_t varint_size(uint64_t value)
{
	size_t size = 1;
	for (; value >= 0x80; value >>= 7)
		size++;
	return size;
}

size_t tr_columns_size(const struct tr_buffer *columns, unsigned count)
{
	size_t size = 0;
	for (unsigned i = 0; i < count; i++)
		size += columns[i].size;
	return size;
}

void tr_columns_clear(struct tr_buffer *columns, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		columns[i].size = 0;
}

void tr_columns_free(struct tr_buffer *columns, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		tr_buffer_free(&columns[i]);
}

void tr_encode_columns(struct tr_buffer *out, enum tr_section kind,
		       const struct tr_buffer *columns, unsigned count)
{
	size_t size = tr_columns_size(columns, count);
	for (unsigned i = 0; i < count; i++)
		out->failed = out->failed || columns[i].failed;
	if (size == 0)
		return;
	for (unsigned i = 0; i < count; i++)
		size += varint_size(columns[i].size);
	tr_buffer_varint(out, (uint64_t)kind << 1 | 1);
	tr_buffer_varint(out, size);
	for (unsigned i = 0; i < count; i++)
		tr_buffer_body(out, &columns[i]);
}

static struct tr_bytes next_column(struct tr_bytes *in)
{
	uint64_t size = tr_varint(in);
	const uint8_t *p = tr_bytes_take(in, size);
	return in->bad ? *in : (struct tr_bytes){.at = p, .end = p + size};
}

bool tr_decode_columns(struct tr_bytes *in, struct tr_bytes *columns, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		columns[i] = next_column(in);
	return !in->bad && in->at == in->end;
}

bool tr_columns_done(const struct tr_bytes *columns, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		if (columns[i].bad || columns[i].at != columns[i].end)
			return false;
	return true;
}

static void add_cut(struct tr_cuts *cuts, const uint8_t *payload, const uint8_t *at)
{
	if (cuts->count < TR_MAX_CUTS)
		cuts->at[cuts->count++] = (size_t)(at - payload);
}

void tr_frame_cuts(const uint8_t *payload, size_t size, struct tr_cuts *cuts)
{
	static const unsigned COLUMNS[] = {[TR_SECTION_BLOCKS] = TR_BLOCK_COLUMNS,
					   [TR_SECTION_TIMINGS] = TR_TIMING_COLUMNS,
					   [TR_SECTION_ROWS] = TR_ROW_COLUMNS,
					   [TR_SECTION_WIDE_TIMINGS] =
					       TR_WIDE_TIMING_COLUMNS,
					   [TR_SECTION_ACCESSES] = TR_ACCESS_COLUMNS};
	struct tr_bytes in = {.at = payload, .end = payload + size}, body;
	struct tr_frame_head head;
	unsigned kind;
	bool must;
	cuts->count = 0;
	tr_decode_frame_head(&in, &head);
	while (tr_decode_section(&in, &kind, &must, &body)) {
		unsigned columns =
		    kind < sizeof(COLUMNS) / sizeof(COLUMNS[0]) ? COLUMNS[kind] : 0;
		for (unsigned i = 0; i < columns; i++)
			add_cut(cuts, payload, next_column(&body).at);
		if (!columns)
			add_cut(cuts, payload, body.at);
	}
}

/* Hits of probes, in rows and in stacks. */

void tr_encode_hit(struct tr_buffer *out, const struct tr_hit *hit)
{
	tr_buffer_varint(out, hit->probe);
	tr_buffer_varint(out, hit->count);
	tr_buffer_add(out, hit->values, hit->size);
}

void tr_encode_sized_hit(struct tr_buffer *out, const struct tr_hit *hit)
{
	struct tr_buffer body = {0};
	tr_encode_hit(&body, hit);
	tr_buffer_body(out, &body);
	tr_buffer_free(&body);
}

bool tr_decode_hit(struct tr_bytes *in, struct tr_hit *hit,
		   const struct tr_probe_names *probes)
{
	*hit = (struct tr_hit){0};
	hit->probe = (uint32_t)tr_varint_below(in, TR_PROBE_MARK + 1);
	hit->count = (uint32_t)tr_varint_below(in, TR_MAX_PROBE_FIELDS + 1);
	uint64_t size = (uint64_t)(in->end - in->at);
	if (in->bad || size > TR_EVENT_MAX_BYTES)
		return false;
	hit->size = (uint32_t)size;
	hit->values = tr_bytes_take(in, size);
	return tr_hit_good(hit, probes);
}

/* Counter samples, in rows and in stacks. */

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
