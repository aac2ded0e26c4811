/* SPDX-License-Identifier: Apache-2.0 */
/* Columns: numbers of one kind, that compress better beside their like. A body of
 * columns is, for each, a varint, its size, and that many bytes. */
#include "stream/codec.h"

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
	for (unsigned i = 0; i < count; i++) {
		tr_buffer_varint(out, columns[i].size);
		tr_buffer_add(out, columns[i].data, columns[i].size);
	}
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

static void cut(struct tr_cuts *cuts, const uint8_t *payload, const uint8_t *at)
{
	if (cuts->count < TR_MAX_CUTS)
		cuts->at[cuts->count++] = (size_t)(at - payload);
}

void tr_frame_cuts(const uint8_t *payload, size_t size, struct tr_cuts *cuts)
{
	static const unsigned COLUMNS[] = {[TR_SECTION_BLOCKS] = TR_BLOCK_COLUMNS,
					   [TR_SECTION_TIMINGS] = TR_TIMING_COLUMNS,
					   [TR_SECTION_ROWS] = TR_ROW_COLUMNS};
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
			cut(cuts, payload, next_column(&body).at);
		if (!columns)
			cut(cuts, payload, body.at);
	}
}
