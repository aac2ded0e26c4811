/* SPDX-License-Identifier: Apache-2.0 */
/* Events and the notes of tr-match. */
#include "codec.h"

static void put_payload(struct tr_buffer *out, const struct tr_event *event)
{
	uint8_t bytes[4 * TR_VARINT_MAX], *p = bytes;
	switch (event->kind) {
	case TR_EV_TRAP:
		p = tr_varint_put(p,
				  event->u.trap.cause << 1 | event->u.trap.cause >> 63);
		p = tr_varint_put(p, event->u.trap.priv);
		p = tr_varint_put(p, event->u.trap.epc);
		p = tr_varint_put(p, event->u.trap.tval);
		break;
	case TR_EV_XRET:
		p = tr_varint_put(p, event->u.xret.priv);
		break;
	case TR_EV_SATP:
		p = tr_varint_put(p, event->u.satp.satp);
		p = tr_varint_put(p, event->u.satp.space);
		break;
	case TR_EV_PRIV:
		p = tr_varint_put(p, event->u.priv.priv);
		break;
	case TR_EV_REG:
		p = tr_varint_put(p, event->u.reg.reg);
		p = tr_varint_put(p, event->u.reg.value);
		break;
	case TR_EV_TRIGGER:
		p = tr_varint_put(p, event->u.trigger.start);
		break;
	case TR_EV_GAP:
		p = tr_varint_put(p, event->u.gap.reason);
		p = tr_varint_put(p, event->u.gap.tokens);
		break;
	case TR_EV_SPACE:
		p = tr_varint_put(p, event->u.space.space);
		break;
	default:
		tr_buffer_varint(out, event->u.raw.size);
		tr_buffer_add(out, event->u.raw.data, event->u.raw.size);
		return;
	}
	tr_buffer_varint(out, (uint64_t)(p - bytes));
	tr_buffer_add(out, bytes, (size_t)(p - bytes));
}

static bool is_known(unsigned kind)
{
	return kind >= TR_EV_TRAP && kind <= TR_EV_MARK;
}

/* Readers that do not know replay events or counters still read the rest. */
static bool must_understand(const struct tr_event *event)
{
	return is_known(event->kind) ? event->kind <= TR_EV_SPACE
				     : event->must_understand;
}

void tr_encode_event(struct tr_buffer *out, const struct tr_event *event,
		     uint32_t *last_row)
{
	tr_buffer_varint(out, (uint64_t)event->kind << 1 | must_understand(event));
	tr_buffer_varint(out, event->row - *last_row);
	tr_buffer_varint(out, event->token);
	tr_buffer_varint(out, event->cycles);
	put_payload(out, event);
	*last_row = event->row;
}

static void get_payload(struct tr_bytes *in, struct tr_event *event)
{
	uint64_t cause;
	switch (event->kind) {
	case TR_EV_TRAP:
		cause = tr_varint(in);
		event->u.trap.cause = cause >> 1 | cause << 63;
		event->u.trap.priv = (uint8_t)tr_varint_below(in, 16);
		event->u.trap.epc = tr_varint(in);
		event->u.trap.tval = tr_varint(in);
		break;
	case TR_EV_XRET:
		event->u.xret.priv = (uint8_t)tr_varint_below(in, 16);
		break;
	case TR_EV_SATP:
		event->u.satp.satp = tr_varint(in);
		event->u.satp.space = (uint32_t)tr_varint_below(in, UINT32_MAX);
		break;
	case TR_EV_PRIV:
		event->u.priv.priv = (uint8_t)tr_varint_below(in, 16);
		break;
	case TR_EV_REG:
		event->u.reg.reg = (uint8_t)tr_varint_below(in, 32);
		event->u.reg.value = tr_varint(in);
		break;
	case TR_EV_TRIGGER:
		event->u.trigger.start = (uint8_t)tr_varint_below(in, 2);
		break;
	case TR_EV_GAP:
		event->u.gap.reason = (uint8_t)tr_varint_below(in, TR_GAP_LIMIT + 1);
		event->u.gap.tokens = tr_varint_below(in, INT64_MAX);
		break;
	case TR_EV_SPACE:
		event->u.space.space = (uint32_t)tr_varint_below(in, UINT32_MAX);
		break;
	default:
		event->u.raw.size = (uint32_t)(in->end - in->at);
		event->u.raw.data = tr_bytes_take(in, event->u.raw.size);
	}
}

int tr_decode_event(struct tr_bytes *in, struct tr_event *event, uint32_t *last_row)
{
	*event = (struct tr_event){0};
	uint64_t tag = tr_varint_below(in, 1 << 16);
	event->kind = (uint16_t)(tag >> 1);
	event->must_understand = tag & 1;
	event->row = *last_row + (uint32_t)tr_varint_below(in, UINT32_MAX - *last_row);
	event->token = (uint16_t)tr_varint_below(in, TR_BLOCK_MAX_TOKENS);
	event->cycles = tr_varint_below(in, TR_MAX_CYCLES);
	*last_row = event->row;
	uint64_t size = tr_varint(in);
	const uint8_t *p = tr_bytes_take(in, size);
	if (in->bad)
		return TR_E_CORRUPT;
	if (!is_known(event->kind) && event->must_understand)
		return TR_E_UNSUPPORTED;
	struct tr_bytes payload = {.at = p, .end = p + size};
	get_payload(&payload, event);
	return payload.bad || payload.at != payload.end ? TR_E_CORRUPT : TR_OK;
}

void tr_encode_note(struct tr_buffer *out, const struct tr_note *note,
		    uint64_t *last_address)
{
	tr_buffer_varint(out, note->space);
	tr_buffer_varint(out, note->block);
	/* 0 ambiguous, 1 unknown, then binaries */
	tr_buffer_varint(out, (uint32_t)(note->binary + 2));
	tr_buffer_varint(out, tr_zigzag(note->address - *last_address));
	*last_address = note->address;
}

void tr_decode_note(struct tr_bytes *in, struct tr_note *note, uint64_t *last_address)
{
	note->space = (uint32_t)tr_varint_below(in, UINT32_MAX);
	note->block = (uint32_t)tr_varint_below(in, UINT32_MAX);
	note->binary = (uint32_t)tr_varint_below(in, UINT32_MAX) - 2;
	note->address = *last_address + tr_unzigzag(tr_varint(in));
	*last_address = note->address;
}
