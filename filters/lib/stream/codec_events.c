/* SPDX-License-Identifier: Apache-2.0 */
/* Encoding of events and of tr-match's notes. */
#include "stream/codec.h"

#include "base/little.h"

enum { PAYLOAD_MAX = (5 + 2 * TR_TOKEN_MAX_RUNS) * TR_VARINT_MAX };

/* A trap without runs has no field for them, as in streams written before runs
 * existed. */
static uint8_t *encode_trap_runs(uint8_t *p, const struct tr_run *runs, unsigned count)
{
	if (count)
		p = tr_varint_put(p, count);
	for (unsigned i = 0; i < count; i++) {
		p = tr_varint_put(p, runs[i].class);
		p = tr_varint_put(p, runs[i].slots);
	}
	return p;
}

static void encode_sample_event(struct tr_buffer *out, const struct tr_event *event,
				struct tr_event_state *state)
{
	struct tr_buffer body = {0};
	tr_encode_sample(&body, &event->u.counters, state->counters, &state->samples);
	tr_buffer_body(out, &body);
	tr_buffer_free(&body);
}

/* Returns the end of the fields at `p`; NULL: not an event of fields alone. */
static uint8_t *encode_event_fields(uint8_t *p, const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		p = tr_varint_put(p,
				  event->u.trap.cause << 1 | event->u.trap.cause >> 63);
		p = tr_varint_put(p, event->u.trap.priv);
		p = tr_varint_put(p, event->u.trap.epc);
		p = tr_varint_put(p, event->u.trap.tval);
		return encode_trap_runs(p, event->u.trap.runs, event->u.trap.nruns);
	case TR_EV_XRET:
		return tr_varint_put(p, event->u.xret.priv);
	case TR_EV_SATP:
		p = tr_varint_put(p, event->u.satp.satp);
		return tr_varint_put(p, event->u.satp.space);
	case TR_EV_PRIV:
		return tr_varint_put(p, event->u.priv.priv);
	case TR_EV_REG:
		p = tr_varint_put(p, event->u.reg.reg);
		return tr_varint_put(p, event->u.reg.value);
	case TR_EV_TRIGGER:
		return tr_varint_put(p, event->u.trigger.start);
	case TR_EV_GAP:
		p = tr_varint_put(p, event->u.gap.reason);
		return tr_varint_put(p, event->u.gap.tokens);
	case TR_EV_SPACE:
		return tr_varint_put(p, event->u.space.space);
	case TR_EV_HGATP:
		return tr_varint_put(p, event->u.hgatp.hgatp);
	case TR_EV_MMIO_LOAD:
	case TR_EV_ATOMIC:
		p = tr_varint_put(p, event->u.access.address);
		p = tr_varint_put(p, event->u.access.size);
		return tr_varint_put(p, event->u.access.value);
	case TR_EV_CSR_READ:
		p = tr_varint_put(p, event->u.csr.number);
		return tr_varint_put(p, event->u.csr.value);
	case TR_EV_TRANSLATION:
		p = tr_varint_put(p, event->u.translation.address);
		return tr_varint_put(p, event->u.translation.store);
	case TR_EV_BREAK:
		p = tr_varint_put(p, event->u.broken.from);
		p = tr_varint_put(p, event->u.broken.to);
		return tr_varint_put(p, event->u.broken.count);
	case TR_EV_REGISTERS:
		tr_store64(p, event->u.registers.hash);
		return p + sizeof(event->u.registers.hash);
	default:
		return NULL;
	}
}

static void encode_write_event(struct tr_buffer *out, const struct tr_event *event)
{
	uint8_t head[2 * TR_VARINT_MAX];
	uint8_t *end = tr_varint_put(head, event->u.write.address);
	end = tr_varint_put(end, event->u.write.size);
	tr_buffer_varint(out, (uint64_t)(end - head) + event->u.write.size);
	tr_buffer_add(out, head, (size_t)(end - head));
	tr_buffer_add(out, event->u.write.data, event->u.write.size);
}

static void encode_state_event(struct tr_buffer *out, const struct tr_event *event)
{
	tr_buffer_varint(out, UINT64_C(1) + event->u.state.size);
	tr_buffer_varint(out, event->u.state.back);
	tr_buffer_add(out, event->u.state.text, event->u.state.size);
}

static void encode_payload(struct tr_buffer *out, const struct tr_event *event,
			   struct tr_event_state *state)
{
	uint8_t bytes[PAYLOAD_MAX];
	const uint8_t *end = encode_event_fields(bytes, event);
	if (end) {
		tr_buffer_varint(out, (uint64_t)(end - bytes));
		tr_buffer_add(out, bytes, (size_t)(end - bytes));
	} else if (event->kind == TR_EV_COUNTERS) {
		encode_sample_event(out, event, state);
	} else if (event->kind == TR_EV_DEVICE_WRITE || event->kind == TR_EV_MEMORY) {
		encode_write_event(out, event);
	} else if (event->kind == TR_EV_STATE) {
		encode_state_event(out, event);
	} else if (event->kind == TR_EV_PROBE) {
		tr_encode_sized_hit(out, &event->u.probe);
	} else {
		tr_buffer_sized(out, event->u.raw.data, event->u.raw.size);
	}
}

static bool is_known_event(unsigned kind)
{
	return kind >= TR_EV_TRAP && kind <= TR_EV_LAST;
}

/* Events for replay, counters, probes and breaks may be skipped by readers that do not
 * know them. */
static bool must_understand(const struct tr_event *event)
{
	return is_known_event(event->kind)
		   ? event->kind <= TR_EV_SPACE || event->kind == TR_EV_HGATP
		   : event->must_understand;
}

void tr_encode_event(struct tr_buffer *out, const struct tr_event *event,
		     struct tr_event_state *state)
{
	tr_buffer_varint(out, (uint64_t)event->kind << 1 | must_understand(event));
	tr_buffer_varint(out, event->row - state->last_row);
	tr_buffer_varint(out, event->token);
	tr_buffer_varint(out, event->cycles);
	encode_payload(out, event, state);
	state->last_row = event->row;
}

/* Decodes the runs, which extend to the end of the payload and may be absent. Returns a
 * status. */
static int decode_trap_runs(struct tr_bytes *in, struct tr_event *event,
			    struct tr_arena *arena)
{
	if (in->at == in->end)
		return TR_OK;
	uint64_t count = tr_varint_below(in, TR_TOKEN_MAX_RUNS + 1);
	if (count == 0)
		in->bad = true;
	struct tr_run *runs = tr_arena_take(arena, count * sizeof(*runs));
	if (!runs)
		return TR_E_NOMEM;
	for (uint64_t i = 0; i < count; i++) {
		runs[i].class = (uint8_t)tr_varint_below(in, TR_MAX_CLASSES);
		runs[i].slots = (uint32_t)tr_varint_below(in, UINT32_MAX);
	}
	event->u.trap.runs = runs;
	event->u.trap.nruns = (uint8_t)count;
	return TR_OK;
}

static int decode_trap_event(struct tr_bytes *in, struct tr_event *event,
			     struct tr_arena *arena)
{
	uint64_t cause = tr_varint(in);
	event->u.trap.cause = cause >> 1 | cause << 63;
	event->u.trap.priv = (uint8_t)tr_varint_below(in, 16);
	event->u.trap.epc = tr_varint(in);
	event->u.trap.tval = tr_varint(in);
	return decode_trap_runs(in, event, arena);
}

/* The size of an access in bytes. */
static uint8_t get_size(struct tr_bytes *in)
{
	uint64_t size = tr_varint_below(in, 9);
	if (size == 0 || size & (size - 1))
		in->bad = true;
	return (uint8_t)size;
}

static uint64_t get_hash(struct tr_bytes *in)
{
	const uint8_t *p = tr_bytes_take(in, sizeof(uint64_t));
	return p ? tr_load64(p) : 0;
}

static int decode_payload(struct tr_bytes *in, struct tr_event *event,
			  struct tr_event_state *state, struct tr_arena *arena)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		return decode_trap_event(in, event, arena);
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
	case TR_EV_HGATP:
		event->u.hgatp.hgatp = tr_varint(in);
		break;
	case TR_EV_MMIO_LOAD:
	case TR_EV_ATOMIC:
		event->u.access.address = tr_varint(in);
		event->u.access.size = get_size(in);
		event->u.access.value = tr_varint(in);
		break;
	case TR_EV_CSR_READ:
		event->u.csr.number = (uint16_t)tr_varint_below(in, TR_CSRS);
		event->u.csr.value = tr_varint(in);
		break;
	case TR_EV_DEVICE_WRITE:
	case TR_EV_MEMORY:
		event->u.write.address = tr_varint(in);
		event->u.write.size =
		    (uint32_t)tr_varint_below(in, TR_EVENT_MAX_BYTES + 1);
		event->u.write.data = tr_bytes_take(in, event->u.write.size);
		break;
	case TR_EV_TRANSLATION:
		event->u.translation.address = tr_varint(in);
		event->u.translation.store = (uint8_t)tr_varint_below(in, 2);
		break;
	case TR_EV_BREAK:
		event->u.broken.from = tr_varint(in);
		event->u.broken.to = tr_varint(in);
		event->u.broken.count = tr_varint_below(in, INT64_MAX);
		in->bad |= !event->u.broken.count;
		break;
	case TR_EV_REGISTERS:
		event->u.registers.hash = get_hash(in);
		break;
	case TR_EV_STATE:
		event->u.state.back = (uint8_t)tr_varint_below(in, 2);
		event->u.state.size = (uint32_t)(in->end - in->at);
		event->u.state.text = tr_bytes_take(in, event->u.state.size);
		break;
	case TR_EV_PROBE:
		return tr_decode_hit(in, &event->u.probe, state->probes) ? TR_OK
									 : TR_E_CORRUPT;
	case TR_EV_COUNTERS:
		return tr_decode_sample(in, &event->u.counters, state->counters,
					&state->samples, arena);
	default:
		event->u.raw.size = (uint32_t)(in->end - in->at);
		event->u.raw.data = tr_bytes_take(in, event->u.raw.size);
	}
	return TR_OK;
}

int tr_decode_event(struct tr_bytes *in, struct tr_event *event,
		    struct tr_event_state *state, struct tr_arena *arena,
		    uint32_t commit_width)
{
	*event = (struct tr_event){0};
	uint64_t tag = tr_varint_below(in, 1 << 16);
	event->kind = (uint16_t)(tag >> 1);
	event->must_understand = tag & 1;
	event->row =
	    state->last_row + (uint32_t)tr_varint_below(in, UINT32_MAX - state->last_row);
	event->token = (uint16_t)tr_varint_below(in, TR_BLOCK_MAX_TOKENS);
	event->cycles = tr_varint_below(in, TR_MAX_CYCLES);
	state->last_row = event->row;
	uint64_t size = tr_varint(in);
	const uint8_t *p = tr_bytes_take(in, size);
	if (in->bad)
		return TR_E_CORRUPT;
	if (!is_known_event(event->kind) && event->must_understand)
		return TR_E_UNSUPPORTED;
	struct tr_bytes payload = {.at = p, .end = p + size};
	int status = decode_payload(&payload, event, state, arena);
	if (status)
		return status;
	if (event->kind == TR_EV_TRAP &&
	    !tr_runs_good(event->u.trap.runs, event->u.trap.nruns, event->cycles,
			  commit_width))
		return TR_E_CORRUPT;
	return payload.bad || payload.at != payload.end ? TR_E_CORRUPT : TR_OK;
}

void tr_encode_note(struct tr_buffer *out, const struct tr_note *note,
		    uint64_t *last_address)
{
	tr_buffer_varint(out, note->space);
	tr_buffer_varint(out, note->block);
	/* 0 is ambiguous, 1 unknown, then binaries */
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
