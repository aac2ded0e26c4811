/* SPDX-License-Identifier: Apache-2.0 */
/* Event lines of the text form. */
#include <string.h>

#include "base/number.h"
#include "text/text_encode.h"
#include "text/text_names.h"

static const char *require_event_value(struct tr_text_source *source, const char *key)
{
	const char *value = tr_line_value(source, key);
	if (!value)
		tr_line_fail(source, "%s= is missing", key);
	return value ? value : "0";
}

static uint32_t take_space_number(struct tr_text_source *source, const char *word)
{
	return (uint32_t)tr_line_number(source, word, "", UINT32_MAX - 1);
}

/* Parses "cycles=CYCLES/CLASS*SLOTS/…". */
static void take_trap_cycles(struct tr_text_source *source, struct tr_arena *arena,
			     struct tr_event *event)
{
	const char *text = tr_line_value(source, "cycles");
	size_t room = TR_TOKEN_MAX_RUNS * sizeof(struct tr_run);
	struct tr_run *runs = text ? tr_arena_take(arena, room) : NULL;
	unsigned count;
	if (text && !runs)
		tr_line_status(source, TR_E_NOMEM);
	if (!runs)
		return;
	event->cycles = tr_line_cycles(source, text, runs, &count);
	event->u.trap.runs = runs;
	event->u.trap.nruns = (uint8_t)count;
}

static void take_trap_event(struct tr_text_source *source, struct tr_arena *arena,
			    struct tr_event *event)
{
	const uint64_t limit = TR_CAUSE_INTERRUPT - 1;
	const char *interrupt = tr_line_value(source, "interrupt");
	if (interrupt)
		event->u.trap.cause =
		    TR_CAUSE_INTERRUPT | tr_line_number(source, interrupt, "", limit);
	else
		event->u.trap.cause = tr_line_number(
		    source, require_event_value(source, "cause"), "", limit);
	event->u.trap.priv = tr_text_priv(source, require_event_value(source, "priv"));
	const char *epc = tr_line_value(source, "epc");
	event->u.trap.epc = epc ? tr_line_address(source, epc) : TR_EPC_UNKNOWN;
	event->u.trap.tval = tr_line_address(source, tr_line_value(source, "tval"));
	take_trap_cycles(source, arena, event);
}

static void take_satp_event(struct tr_text_source *source, struct tr_event *event)
{
	const char *space = tr_line_value(source, "space");
	event->u.satp.satp =
	    tr_line_number(source, tr_line_want(source, "the value"), "", UINT64_MAX);
	event->u.satp.space = space ? take_space_number(source, space) : 0;
}

static void take_reg_event(struct tr_text_source *source, struct tr_event *event)
{
	const char *reg = tr_line_want(source, "the register");
	const char *value = tr_line_want(source, "the value");
	event->u.reg.reg = (uint8_t)tr_line_number(source, reg, "x", 31);
	event->u.reg.value = tr_line_number(source, value, "", UINT64_MAX);
}

static void take_trigger_event(struct tr_text_source *source, struct tr_event *event)
{
	const char *word = tr_line_want(source, "start or stop");
	event->u.trigger.start = strcmp(word, "start") == 0;
	if (!event->u.trigger.start && strcmp(word, "stop") != 0)
		tr_line_fail(source, "neither start nor stop: \"%.60s\"", word);
}

static void take_gap_event(struct tr_text_source *source, struct tr_event *event)
{
	const char *reason = require_event_value(source, "reason");
	event->u.gap.tokens = tr_line_u64(source, "tokens", INT64_MAX - 1, 0);
	if (!tr_gap_from_name(reason, &event->u.gap.reason))
		tr_line_fail(source, "no such reason: \"%.60s\"", reason);
}

uint8_t *tr_text_bytes(struct tr_text_source *source, struct tr_arena *arena,
		       const char *hex, uint32_t *size)
{
	*size = 0;
	size_t digits = strlen(hex);
	if (digits % 2 || hex[strspn(hex, "0123456789abcdefABCDEF")]) {
		tr_line_fail(source, "not bytes of two digits each: \"%.60s\"", hex);
		return NULL;
	}
	if (digits / 2 > TR_EVENT_MAX_BYTES) {
		tr_line_fail(source, "more than %d bytes", TR_EVENT_MAX_BYTES);
		return NULL;
	}
	uint8_t *data = tr_arena_take(arena, digits / 2);
	if (!data)
		tr_line_status(source, TR_E_NOMEM);
	for (size_t i = 0; data && i < digits / 2; i++)
		data[i] = (uint8_t)(tr_hex_digit(hex[2 * i]) << 4 |
				    tr_hex_digit(hex[2 * i + 1]));
	*size = data ? (uint32_t)(digits / 2) : 0;
	return data;
}

/* Takes KEY=NUMBER, which must be there. */
static uint64_t want_number(struct tr_text_source *source, const char *key,
			    uint64_t limit)
{
	return tr_line_number(source, require_event_value(source, key), "", limit);
}

static void take_access_event(struct tr_text_source *source, struct tr_event *event)
{
	event->u.access.address = want_number(source, "address", UINT64_MAX);
	event->u.access.size = (uint8_t)want_number(source, "size", 8);
	event->u.access.value = want_number(source, "value", UINT64_MAX);
	if (!event->u.access.size || event->u.access.size & (event->u.access.size - 1))
		tr_line_fail(source, "size is 1, 2, 4 or 8");
}

static void take_csr_event(struct tr_text_source *source, struct tr_event *event)
{
	event->u.csr.number = (uint16_t)want_number(source, "csr", TR_CSRS - 1);
	event->u.csr.value = want_number(source, "value", UINT64_MAX);
}

static uint8_t *take_data_bytes(struct tr_text_source *source, struct tr_arena *arena,
				uint32_t *size)
{
	return tr_text_bytes(source, arena, require_event_value(source, "data"), size);
}

static void take_write_event(struct tr_text_source *source, struct tr_arena *arena,
			     struct tr_event *event)
{
	event->u.write.address = want_number(source, "address", UINT64_MAX);
	event->u.write.data = take_data_bytes(source, arena, &event->u.write.size);
}

static void take_raw_event(struct tr_text_source *source, struct tr_arena *arena,
			   struct tr_event *event)
{
	event->u.raw.data = take_data_bytes(source, arena, &event->u.raw.size);
}

/* Unknown events are named by their numbers. Returns false if there is no such event. */
static bool event_kind(struct tr_text_source *source, struct tr_event *event)
{
	const char *record = tr_line_record(source);
	if (strcmp(record, "event") != 0)
		return tr_event_from_name(record, &event->kind);
	const char *kind = require_event_value(source, "kind");
	event->kind = (uint16_t)tr_line_number(source, kind, "", INT16_MAX);
	if (event->kind <= TR_EV_LAST)
		tr_line_fail(source, "kind %u has a name: use it", event->kind);
	return true;
}

static void take_payload(struct tr_text_source *source, struct tr_arena *arena,
			 struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_TRAP:
		take_trap_event(source, arena, event);
		break;
	case TR_EV_XRET:
		event->u.xret.priv =
		    tr_text_priv(source, require_event_value(source, "priv"));
		break;
	case TR_EV_SATP:
		take_satp_event(source, event);
		break;
	case TR_EV_HGATP:
		event->u.hgatp.hgatp = tr_line_number(
		    source, tr_line_want(source, "the value"), "", UINT64_MAX);
		break;
	case TR_EV_PRIV:
		event->u.priv.priv =
		    tr_text_priv(source, tr_line_want(source, "the privilege"));
		break;
	case TR_EV_REG:
		take_reg_event(source, event);
		break;
	case TR_EV_TRIGGER:
		take_trigger_event(source, event);
		break;
	case TR_EV_GAP:
		take_gap_event(source, event);
		break;
	case TR_EV_SPACE:
		event->u.space.space =
		    take_space_number(source, tr_line_want(source, "the number"));
		break;
	case TR_EV_COUNTERS:
		tr_text_take_sample(source, arena, &event->u.counters);
		break;
	case TR_EV_MMIO_LOAD:
	case TR_EV_ATOMIC:
		take_access_event(source, event);
		break;
	case TR_EV_CSR_READ:
		take_csr_event(source, event);
		break;
	case TR_EV_DEVICE_WRITE:
	case TR_EV_MEMORY:
		take_write_event(source, arena, event);
		break;
	case TR_EV_STATE:
		event->u.state.back = (uint8_t)want_number(source, "back", 1);
		event->u.state.text =
		    take_data_bytes(source, arena, &event->u.state.size);
		break;
	case TR_EV_PROBE:
		tr_text_take_hit(source, arena, &event->u.probe);
		break;
	case TR_EV_TRANSLATION:
		event->u.translation.address = want_number(source, "address", UINT64_MAX);
		event->u.translation.store = (uint8_t)want_number(source, "store", 1);
		break;
	case TR_EV_BREAK:
		event->u.broken.from = want_number(source, "from", UINT64_MAX);
		event->u.broken.to = want_number(source, "to", UINT64_MAX);
		event->u.broken.count = tr_line_u64(source, "count", INT64_MAX - 1, 1);
		if (!event->u.broken.count)
			tr_line_fail(source, "count is at least 1");
		break;
	case TR_EV_REGISTERS:
		event->u.registers.hash = want_number(source, "hash", UINT64_MAX);
		break;
	default:
		take_raw_event(source, arena, event);
	}
}

/* Parses the place inside the next row. */
static void take_token_place(struct tr_text_source *source, struct tr_event *event)
{
	uint64_t token = tr_line_u64(source, "token", TR_BLOCK_MAX_TOKENS - 1, 0);
	if (token && !tr_event_is_of_token(event->kind))
		tr_line_fail(source, "an event of this kind cannot be inside a row");
	event->token = (uint16_t)token;
}

bool tr_text_event(struct tr_text_source *source, struct tr_arena *arena,
		   struct tr_event *event)
{
	*event = (struct tr_event){0};
	if (!event_kind(source, event))
		return false;
	take_payload(source, arena, event);
	if (event->kind != TR_EV_TRAP)
		event->cycles = tr_line_u64(source, "cycles", TR_MAX_CYCLES - 1, 0);
	take_token_place(source, event);
	tr_line_done(source);
	return true;
}
