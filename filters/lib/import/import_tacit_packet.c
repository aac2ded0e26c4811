/* SPDX-License-Identifier: Apache-2.0 */
/* Parses packets of TACIT. */
#include "import/import_tacit.h"

enum { VARINT_BYTES = 10, HIGHEST_PRIV = 3 };

/* Bytes that are parsed. */
struct bytes {
	const uint8_t *data;
	size_t size, at;
	bool is_short, is_bad;
};

static uint8_t take_packet_byte(struct bytes *b)
{
	if (b->at == b->size) {
		b->is_short = true;
		return 0;
	}
	return b->data[b->at++];
}

static uint64_t take_varint(struct bytes *b)
{
	uint64_t value = 0;
	for (unsigned i = 0; i < VARINT_BYTES; i++) {
		const uint8_t part = take_packet_byte(b);
		value |= i < 9 ? (uint64_t)(part & 0x7f) << (7 * i)
			       : (uint64_t)(part & 1) << 63;
		if (part & 0x80 || b->is_short)
			return value;
	}
	b->is_bad = true;
	return 0;
}

static uint64_t take_halved_address(struct bytes *b)
{
	return take_varint(b) << 1;
}

static void take_privilege_pair(struct bytes *b, struct tacit_packet *p)
{
	const uint8_t both = take_packet_byte(b);
	p->from_priv = both & 7;
	p->to_priv = both >> 3 & 7;
	b->is_bad |= !b->is_short && (both >> 6 != 2 || p->from_priv > HIGHEST_PRIV ||
				      p->to_priv > HIGHEST_PRIV);
}

static void parse_transition(struct bytes *b, bool has_priv, struct tacit_packet *p)
{
	b->is_bad |= p->sub != TACIT_EXCEPTION && p->sub != TACIT_INTERRUPT &&
		     p->sub != TACIT_RETURN;
	if (has_priv)
		take_privilege_pair(b, p);
	if (has_priv && p->sub == TACIT_RETURN && p->to_priv == TR_PRIV_U)
		p->context = take_varint(b);
	p->from = take_halved_address(b);
	p->target = take_halved_address(b);
	p->time = take_varint(b);
}

static void parse_tacit_sync(struct bytes *b, bool has_priv, struct tacit_packet *p)
{
	if (has_priv) {
		b->is_bad |= p->sub < TACIT_START || p->sub > TACIT_END;
		take_privilege_pair(b, p);
		p->context = take_varint(b);
		p->mode = take_packet_byte(b);
	}
	p->target = take_halved_address(b);
	p->time = take_varint(b);
	b->is_bad |= p->time >> 62;
}

int tr_tacit_parse(const uint8_t *data, size_t size, bool has_priv,
		   struct tacit_packet *p)
{
	struct bytes b = {.data = data, .size = size};
	const uint8_t first = take_packet_byte(&b);
	*p = (struct tacit_packet){.kind = first & 3, .time = first >> 2};
	if ((first & 3) != 2)
		return 1;
	p->kind = first >> 2 & 7;
	p->sub = first >> 5;
	if (p->kind == TACIT_TRANSITION) {
		parse_transition(&b, has_priv, p);
	} else if (p->kind == TACIT_SYNC) {
		parse_tacit_sync(&b, has_priv, p);
	} else if (p->kind > TACIT_SYNC || p->sub) {
		return -1;
	} else {
		if (p->kind == TACIT_INDIRECT)
			p->target = take_halved_address(&b);
		p->time = take_varint(&b);
	}
	return b.is_bad ? -1 : b.is_short ? 0 : (int)b.at;
}
