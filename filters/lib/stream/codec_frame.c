/* SPDX-License-Identifier: Apache-2.0 */
/* Heads and sections of frames. */
#include "stream/codec.h"

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
		tr_buffer_varint(out, hart->context.satp);
		tr_buffer_varint(out, hart->context.tp);
		tr_buffer_varint(out, hart->context.space);
		tr_buffer_varint(out, hart->context.priv);
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
		hart->context.satp = tr_varint(in);
		hart->context.tp = tr_varint(in);
		hart->context.space = (uint32_t)tr_varint_below(in, UINT32_MAX);
		hart->context.priv = (uint8_t)tr_varint_below(in, 16);
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
	tr_buffer_varint(out, body->size);
	tr_buffer_add(out, body->data, body->size);
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
