/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the first difference between two streams. */
#include "diff/compare.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/buffer.h"

/* Limit of items that the other stream has not reached yet; more than a frame of them are
 * a difference. */
enum { MAX_HELD = TR_FRAME_TOKENS };

/* A hart in one stream. */
struct lane {
	const struct tr_hart_frame *frame; /* NULL: not in this frame, or finished */
	struct tr_context context;
	uint64_t time, ordinal;
	uint32_t row, event;
	uint16_t token, tokens; /* of the row in `row_tokens` */
	struct tr_token row_tokens[TR_BLOCK_MAX_TOKENS];
	struct tr_item *held; /* from earlier frames */
	size_t held_room, held_count, held_first;
	struct tr_item item; /* the next item, if `ready` */
	bool ready;
};

struct hart {
	struct lane lanes[2];
	struct tr_item ring[TR_COMPARE_CONTEXT];
	uint64_t equal; /* items in common so far */
	uint32_t number;
};

struct compare {
	struct tr_reader *const *readers;
	struct tr_compared scope;
	struct hart *harts[TR_MAX_HARTS];
	uint32_t nharts;
	bool ended[2];
};

struct tr_compared tr_compare_scope(struct tr_reader *const readers[2])
{
	static const char *const words[] = {"insn", "satp", "priv", "traps", "classes"};
	const struct tr_header *a = tr_reader_header(readers[0]);
	const struct tr_header *b = tr_reader_header(readers[1]);
	bool same[5];
	for (unsigned i = 0; i < 5; i++)
		same[i] = tr_header_lacks(a, words[i]) == tr_header_lacks(b, words[i]);
	return (struct tr_compared){
	    .insn = same[0],
	    .satp = same[1],
	    .priv = same[2],
	    .traps = same[3],
	    /* a source without traps attributes the classes of their cycles elsewhere */
	    .classes = same[4] && same[3],
	    .registers = ~(tr_header_watched(a) ^ tr_header_watched(b)),
	};
}

static uint64_t hash_runs(const struct tr_run *runs, unsigned count)
{
	uint64_t hash = 0;
	for (unsigned i = 0; i < count; i++) {
		uint64_t run = (uint64_t)runs[i].slots << 8 | runs[i].class;
		hash = XXH64(&run, sizeof(run), hash + 1);
	}
	return hash;
}

static void set_item_runs(struct tr_item *item, const struct tr_run *runs, unsigned count)
{
	item->classes = hash_runs(runs, count);
	for (unsigned i = 0; i < count && i < 4; i++)
		item->runs[i] = runs[i];
}

static void event_values(const struct tr_event *event, uint64_t value[4])
{
	switch (event->kind) {
	case TR_EV_TRAP:
		value[0] = event->u.trap.cause;
		value[1] = event->u.trap.tval;
		value[2] = event->u.trap.epc;
		value[3] = event->u.trap.priv;
		break;
	case TR_EV_XRET:
		value[0] = event->u.xret.priv;
		break;
	case TR_EV_SATP:
		value[0] = event->u.satp.satp;
		break;
	case TR_EV_HGATP:
		value[0] = event->u.hgatp.hgatp;
		break;
	case TR_EV_PRIV:
		value[0] = event->u.priv.priv;
		break;
	case TR_EV_REG:
		value[0] = event->u.reg.value;
		value[1] = event->u.reg.reg;
		break;
	case TR_EV_TRIGGER:
		value[0] = event->u.trigger.start;
		break;
	case TR_EV_GAP:
		value[0] = event->u.gap.tokens;
		value[1] = event->u.gap.reason;
		break;
	case TR_EV_MARK:
		value[0] = event->u.raw.size;
		value[1] = XXH64(event->u.raw.data, event->u.raw.size, 0);
		break;
	default:
		break;
	}
}

/* Returns true if only one stream can contain such an event. */
static bool is_beyond_scope(const struct tr_compared *scope, const struct tr_event *event)
{
	switch (event->kind) {
	case TR_EV_SPACE:
	case TR_EV_COUNTERS:
	case TR_EV_MMIO_LOAD: /* these follow from the rows, or explain them */
	case TR_EV_CSR_READ:
	case TR_EV_ATOMIC:
	case TR_EV_DEVICE_WRITE:
	case TR_EV_REGISTERS:
	case TR_EV_PROBE:
	case TR_EV_MEMORY:
	case TR_EV_STATE:
	case TR_EV_TRANSLATION:
	case TR_EV_BREAK:
		return true;
	case TR_EV_TRAP:
	case TR_EV_XRET:
		return !scope->traps;
	case TR_EV_PRIV: /* sources without traps report privilege changes this way */
		return !scope->priv || !scope->traps;
	case TR_EV_SATP:
	case TR_EV_HGATP:
		return !scope->satp;
	case TR_EV_REG:
		return event->u.reg.reg < 32 &&
		       !(scope->registers >> event->u.reg.reg & 1);
	default:
		return false;
	}
}

static void decode_lane_event(struct lane *lane, const struct tr_event *event)
{
	lane->item = (struct tr_item){.ordinal = lane->ordinal,
				      .cycle = lane->time + event->cycles,
				      .space = tr_space_of(&lane->context),
				      .priv = lane->context.priv,
				      .kind = event->kind};
	event_values(event, lane->item.value);
	if (event->kind == TR_EV_TRAP)
		set_item_runs(&lane->item, event->u.trap.runs, event->u.trap.nruns);
	if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
		lane->time += event->cycles;
	tr_context_apply(&lane->context, event);
}

static void decode_lane_token(struct lane *lane)
{
	const struct tr_token *token = &lane->row_tokens[lane->token];
	lane->time += token->cycles;
	lane->item = (struct tr_item){.ordinal = lane->ordinal++,
				      .cycle = lane->time,
				      .pc = token->pc,
				      .insn = token->insn,
				      .space = tr_space_of(&lane->context),
				      .priv = lane->context.priv,
				      .bytes = token->bytes};
	set_item_runs(&lane->item, token->runs, token->nruns);
	if (++lane->token == lane->tokens) {
		lane->token = lane->tokens = 0;
		lane->row++;
	}
}

static void load_row(struct lane *lane, const struct tr_reader *reader)
{
	const struct tr_row *row = &lane->frame->rows[lane->row];
	const struct tr_block *block = tr_reader_block(reader, row->block);
	tr_tokens(block, tr_reader_timing(reader, row->timing), lane->row_tokens);
	lane->tokens = block->tokens;
}

/* Decodes the next item of the frame into lane->item. Returns false if there is none. */
static bool decode_lane_item(struct lane *lane, const struct tr_reader *reader,
			     const struct tr_compared *scope)
{
	const struct tr_hart_frame *frame = lane->frame;
	while (frame && lane->event < frame->nevents) {
		const struct tr_event *event = &frame->events[lane->event];
		if (event->row != lane->row || event->token != lane->token)
			break;
		lane->event++;
		decode_lane_event(lane, event);
		if (!is_beyond_scope(scope, event))
			return true;
	}
	if (!frame || lane->row == frame->nrows) {
		lane->frame = NULL;
		return false;
	}
	if (!lane->tokens)
		load_row(lane, reader);
	decode_lane_token(lane);
	return true;
}

static bool peek_lane_item(struct lane *lane, const struct tr_reader *reader,
			   const struct tr_compared *scope)
{
	if (lane->ready)
		return true;
	if (lane->held_first < lane->held_count) {
		lane->item = lane->held[lane->held_first++];
		if (lane->held_first == lane->held_count)
			lane->held_first = lane->held_count = 0;
		lane->ready = true;
	} else {
		lane->ready = decode_lane_item(lane, reader, scope);
	}
	return lane->ready;
}

static bool equal_values(const struct tr_item *a, const struct tr_item *b,
			 const struct tr_compared *scope)
{
	unsigned count = 4;
	if (!scope->priv && a->kind == TR_EV_TRAP)
		count = 3;
	if (!scope->priv && a->kind == TR_EV_XRET)
		count = 0;
	return memcmp(a->value, b->value, count * sizeof(a->value[0])) == 0;
}

static bool equal_items(const struct tr_item *a, const struct tr_item *b,
			const struct tr_compared *scope)
{
	return a->cycle == b->cycle && a->pc == b->pc && a->kind == b->kind &&
	       a->bytes == b->bytes && (a->insn == b->insn || !scope->insn) &&
	       (tr_space_equals(a->space, b->space) || !scope->satp) &&
	       (a->priv == b->priv || !scope->priv) &&
	       (a->classes == b->classes || !scope->classes) && equal_values(a, b, scope);
}

/* Compares as far as the frames of both streams reach. Returns false at a difference,
 * which stays in the lanes. An item that only one stream has is ready in its lane. */
static bool compare_hart(struct compare *c, struct hart *hart)
{
	struct lane *a = &hart->lanes[0], *b = &hart->lanes[1];
	for (;;) {
		bool has_a = peek_lane_item(a, c->readers[0], &c->scope);
		bool has_b = peek_lane_item(b, c->readers[1], &c->scope);
		if (!has_a || !has_b)
			return true;
		if (!equal_items(&a->item, &b->item, &c->scope))
			return false;
		hart->ring[hart->equal++ % TR_COMPARE_CONTEXT] = a->item;
		a->ready = b->ready = false;
	}
}

static struct hart *find_compared_hart(struct compare *c, uint32_t number)
{
	for (uint32_t i = 0; i < c->nharts; i++)
		if (c->harts[i]->number == number)
			return c->harts[i];
	if (c->nharts == TR_MAX_HARTS)
		return NULL;
	struct hart *hart = calloc(1, sizeof(*hart));
	if (!hart)
		return NULL;
	hart->number = number;
	c->harts[c->nharts++] = hart;
	return hart;
}

/* Saves the rest of a frame. Returns a status. */
static int hold_lane_rest(struct lane *lane, const struct tr_reader *reader,
			  const struct tr_compared *scope)
{
	if (!lane->frame)
		return TR_OK;
	struct tr_item first = lane->item;
	size_t left = lane->held_count - lane->held_first;
	if (lane->held_first)
		memmove(lane->held, lane->held + lane->held_first,
			left * sizeof(*lane->held));
	lane->held_first = 0;
	lane->held_count = left;
	while (decode_lane_item(lane, reader, scope)) {
		if (!tr_grow(&lane->held, &lane->held_room, lane->held_count + 1,
			     sizeof(*lane->held)))
			return TR_E_NOMEM;
		lane->held[lane->held_count++] = lane->item;
	}
	lane->item = first;
	return TR_OK;
}

static int advance_side(struct compare *c, unsigned side, const struct tr_reader **failed)
{
	const struct tr_frame *frame;
	for (uint32_t i = 0; i < c->nharts; i++)
		if (hold_lane_rest(&c->harts[i]->lanes[side], c->readers[side],
				   &c->scope))
			return TR_E_NOMEM;
	int status = tr_reader_next(c->readers[side], &frame);
	if (status == TR_END) {
		c->ended[side] = true;
		return TR_OK;
	}
	if (status)
		*failed = c->readers[side];
	for (uint32_t i = 0; !status && i < frame->nharts; i++) {
		const struct tr_hart_frame *part = &frame->harts[i];
		struct hart *hart = find_compared_hart(c, part->hart);
		if (!hart)
			return c->nharts == TR_MAX_HARTS ? TR_E_UNSUPPORTED : TR_E_NOMEM;
		struct lane *lane = &hart->lanes[side];
		lane->frame = part;
		lane->context = part->start;
		lane->time = part->start_cycle;
		lane->row = lane->event = 0;
		lane->token = lane->tokens = 0;
	}
	return status;
}

/* Returns the hart that differs first, NULL if none does so far. */
static struct hart *compare_harts(struct compare *c)
{
	struct hart *first = NULL;
	uint64_t when = 0;
	for (uint32_t i = 0; i < c->nharts; i++) {
		struct hart *hart = c->harts[i];
		struct lane *lanes = hart->lanes;
		bool same = compare_hart(c, hart);
		for (unsigned side = 0; side < 2; side++)
			if (lanes[side].ready && !lanes[!side].ready &&
			    (c->ended[!side] ||
			     lanes[side].held_count - lanes[side].held_first > MAX_HELD))
				same = false;
		uint64_t cycle = lanes[0].ready ? lanes[0].item.cycle : UINT64_MAX;
		if (lanes[1].ready && lanes[1].item.cycle < cycle)
			cycle = lanes[1].item.cycle;
		if (!same && (!first || cycle < when ||
			      (cycle == when && hart->number < first->number))) {
			first = hart;
			when = cycle;
		}
	}
	return first;
}

static void describe_difference(const struct hart *hart, struct tr_difference *difference)
{
	*difference = (struct tr_difference){.hart = hart->number};
	for (unsigned side = 0; side < 2; side++) {
		difference->item[side] = hart->lanes[side].item;
		difference->missing[side] = !hart->lanes[side].ready;
	}
	uint64_t first =
	    hart->equal < TR_COMPARE_CONTEXT ? 0 : hart->equal - TR_COMPARE_CONTEXT;
	for (uint64_t i = first; i < hart->equal; i++)
		difference->context[difference->ncontext++] =
		    hart->ring[i % TR_COMPARE_CONTEXT];
}

static bool has_items(const struct compare *c, unsigned side)
{
	for (uint32_t i = 0; i < c->nharts; i++)
		if (c->harts[i]->lanes[side].ready)
			return true;
	return false;
}

/* Reads the next frame of a stream without saved items; if both have some, because frames
 * are cut at different places, of both. Returns a status. */
static int read_on(struct compare *c, const struct tr_reader **failed)
{
	bool waits[2] = {has_items(c, 0), has_items(c, 1)};
	for (unsigned side = 0; side < 2; side++) {
		if (c->ended[side] || (waits[side] && !waits[!side]))
			continue;
		int status = advance_side(c, side, failed);
		if (status)
			return status;
	}
	return TR_OK;
}

int tr_compare(struct tr_reader *const readers[2], struct tr_difference *difference,
	       const struct tr_reader **failed)
{
	struct compare c = {.readers = readers, .scope = tr_compare_scope(readers)};
	int status = TR_OK;
	*failed = NULL;
	for (;;) {
		struct hart *hart = compare_harts(&c);
		if (hart) {
			describe_difference(hart, difference);
			break;
		}
		if (c.ended[0] && c.ended[1])
			status = TR_END;
		else
			status = read_on(&c, failed);
		if (status)
			break;
	}
	for (uint32_t i = 0; i < c.nharts; i++) {
		free(c.harts[i]->lanes[0].held);
		free(c.harts[i]->lanes[1].held);
		free(c.harts[i]);
	}
	return status;
}

/* Printing of tokens and events. */

static const char *priv_name(uint8_t priv)
{
	static const char *const names[16] = {
	    [TR_PRIV_U] = "U",
	    [TR_PRIV_S] = "S",
	    [TR_PRIV_M] = "M",
	    [TR_PRIV_V | TR_PRIV_U] = "VU",
	    [TR_PRIV_V | TR_PRIV_S] = "VS",
	    [TR_PRIV_D] = "D",
	    [TR_PRIV_D | TR_PRIV_M] = "D",
	};
	return priv < 16 && names[priv] ? names[priv] : "?";
}

static void print_event(FILE *file, const struct tr_item *item)
{
	const uint64_t *v = item->value;
	switch (item->kind) {
	case TR_EV_TRAP:
		fprintf(file,
			"trap to %s, cause 0x%" PRIx64 ", tval 0x%" PRIx64
			", epc 0x%" PRIx64,
			priv_name((uint8_t)v[3]), v[0], v[1], v[2]);
		break;
	case TR_EV_XRET:
		fprintf(file, "return to %s", priv_name((uint8_t)v[0]));
		break;
	case TR_EV_SATP:
		fprintf(file, "satp 0x%" PRIx64, v[0]);
		break;
	case TR_EV_HGATP:
		fprintf(file, "hgatp 0x%" PRIx64, v[0]);
		break;
	case TR_EV_PRIV:
		fprintf(file, "privilege %s", priv_name((uint8_t)v[0]));
		break;
	case TR_EV_REG:
		fprintf(file, "x%" PRIu64 " = 0x%" PRIx64, v[1], v[0]);
		break;
	case TR_EV_TRIGGER:
		fprintf(file, "trigger %s", v[0] ? "start" : "stop");
		break;
	case TR_EV_GAP:
		fprintf(file, "gap of %" PRIu64 " tokens, reason %" PRIu64, v[0], v[1]);
		break;
	default:
		fprintf(file, "event of kind %u, %" PRIu64 " bytes, XXH64 %016" PRIx64,
			item->kind, v[0], v[1]);
	}
}

void tr_item_print(FILE *file, const struct tr_item *item)
{
	fprintf(file, "token %" PRIu64 ", cycle %" PRIu64 ": ", item->ordinal,
		item->cycle);
	if (item->kind)
		print_event(file, item);
	else
		fprintf(file, "pc 0x%" PRIx64 ", insn 0x%0*" PRIx64, item->pc,
			2 * item->bytes, item->insn);
	fprintf(file, ", satp 0x%" PRIx64, item->space.satp);
	if (item->space.hgatp)
		fprintf(file, ", hgatp 0x%" PRIx64, item->space.hgatp);
	fprintf(file, ", priv %s", priv_name(item->priv));
	if (item->classes)
		fputs(", classes", file);
	for (unsigned i = 0; i < 4 && item->runs[i].slots; i++)
		fprintf(file, " %u*%" PRIu32, item->runs[i].class, item->runs[i].slots);
}
