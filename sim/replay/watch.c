/* SPDX-License-Identifier: Apache-2.0 */
/* Stops the model before watched instructions. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "base/little.h"
#include "stream/codec.h"
#include "stream/decode.h"

/* What is known of a block: it was asked for; it is watched by its address; some note on
 * it is watched, or retained. */
enum { ASKED = 1, BY_ADDRESS = 2, BY_NOTE = 4, HAS_NOTE = 8 };

void replay_watch(struct replay *r, const struct replay_watch *watch)
{
	r->watch = *watch;
	r->clocks = true;
}

void replay_watch_return(struct replay *r, uint64_t pc, bool on)
{
	uint32_t *count = &r->returns[replay_return_bit(pc)];

	*count = on ? *count + 1 : *count - 1;
	r->nreturns = on ? r->nreturns + 1 : r->nreturns - 1;
}

void replay_watch_cycle(struct replay *r, unsigned hart, uint64_t cycle)
{
	r->at.on = true;
	r->at.hart = hart;
	r->at.cycle = cycle;
}

void replay_watch_instruction(struct replay *r, unsigned hart, uint64_t instret)
{
	r->goal.on = true;
	r->goal.hart = hart;
	r->goal.instret = instret;
}

void replay_watch_nothing(struct replay *r)
{
	r->at.on = r->goal.on = false;
}

void replay_watch_others(struct replay *r)
{
	watch_forget(r);
}

/* Makes room for what is known of a block. */
static bool make_known(struct replay *r, uint32_t id)
{
	if (id < r->nknown)
		return true;
	if (id == UINT32_MAX || !tr_grow(&r->known, &r->known_room, id + 1UL, 1))
		return false;
	memset(r->known + r->nknown, 0, id + 1 - r->nknown);
	r->nknown = id + 1;
	return true;
}

static unsigned insn_length_at(const struct tr_block *block, unsigned at)
{
	return (block->code[at] & 3) == 3 ? 4 : 2;
}

/* Returns in what ways instructions of the block are watched, which is looked up once. */
static unsigned ways_of(struct replay *r, const struct tr_block *block, uint32_t id)
{
	unsigned at = 0;

	if (!make_known(r, id))
		return BY_ADDRESS | BY_NOTE;
	if (r->known[id] & ASKED)
		return r->known[id];
	r->known[id] |= ASKED;
	for (unsigned i = 0; i < block->tokens; i++) {
		if (r->watch.wants(r->watch.user, block->pc + at))
			r->known[id] |= BY_ADDRESS;
		at += insn_length_at(block, at);
	}
	return r->known[id];
}

void watch_clock(struct lane *l, uint32_t row)
{
	const struct tr_hart_frame *f = &l->view;

	for (;;) {
		for (; l->clock.event < f->nevents &&
		       f->events[l->clock.event].row <= l->clock.row;
		     l->clock.event++) {
			const struct tr_event *event = &f->events[l->clock.event];

			if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
				l->clock.cycle += event->cycles;
			tr_context_apply(&l->clock.context, event);
		}
		if (l->clock.row >= row)
			return;
		l->clock.cycle += lane_row(l, l->clock.row++)->cycles;
	}
}

/* Returns the token before a row whose events end before `event`; none behind a trap. */
static struct before before_row(const struct lane *l, uint32_t row, uint32_t event)
{
	const struct tr_event *events = l->view.events;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	for (; event && events[event - 1].row == row; event--)
		if (events[event - 1].kind == TR_EV_TRAP)
			return (struct before){0};
	if (row == 0)
		return l->last;
	tr_tokens(lane_block(l, row - 1), lane_timing(l, row - 1), tokens);
	const struct tr_token *token = &tokens[lane_row(l, row - 1)->tokens - 1U];
	return (struct before){token->pc, token->insn, token->bytes};
}

struct before watch_before(const struct lane *l, uint32_t row)
{
	return l->replay->clocks ? before_row(l, row, l->clock.event)
				 : (struct before){0};
}

/* ------------------------------------------------------------ notes of tr-match */

static bool record_note(struct replay *r, const struct tr_note *note)
{
	const struct tr_block *block = tr_reader_block(r->reader, note->block);
	uint64_t key = tr_pair_key(note->space, note->block);
	uint32_t before = tr_map_get(&r->noted, key);
	bool known = note->binary < TR_NOTE_AMBIGUOUS;
	bool wanted =
	    known && r->watch.wants_code &&
	    r->watch.wants_code(r->watch.user, note->binary, note->address, block->bytes);
	bool retained = wanted || (known && r->watch.tells_binaries);

	if (before != TR_MAP_NONE) {
		r->notes[before] = *note;
		if (!retained)
			r->notes[before].binary = TR_NOTE_UNKNOWN;
	} else if (retained) {
		if (!make_known(r, note->block) ||
		    !tr_grow(&r->notes, &r->notes_room, r->nnotes + 1, sizeof(*note)) ||
		    !tr_map_set(&r->noted, key, (uint32_t)r->nnotes))
			return false;
		r->notes[r->nnotes++] = *note;
	}
	if (retained)
		r->known[note->block] |= wanted ? BY_NOTE | HAS_NOTE : HAS_NOTE;
	return true;
}

void watch_forget(struct replay *r)
{
	r->nknown = 0;
	r->nnotes = 0;
	tr_map_clear(&r->noted);
}

bool watch_begin(struct replay *r, const struct tr_frame *frame)
{
	bool done = true, wanted = r->watch.wants_code || r->watch.tells_binaries;

	if (r->generation != frame->generation)
		watch_forget(r);
	for (uint32_t i = 0; i < frame->nnotes && wanted && done; i++)
		done = record_note(r, &frame->notes[i]);
	return done;
}

void watch_free(struct replay *r)
{
	free(r->known);
	free(r->notes);
	tr_map_free(&r->noted);
}

const struct tr_note *watch_note(struct lane *l, uint32_t row)
{
	struct replay *r = l->replay;
	uint32_t block = lane_row(l, row)->block;
	const struct tr_note *note = NULL;

	if (row < l->nretained) {
		note = &l->retained[row].note;
	} else if (block < r->nknown && r->known[block] & HAS_NOTE) {
		watch_clock(l, row);
		uint32_t i = tr_map_get(
		    &r->noted, tr_pair_key(tr_note_space(&l->clock.context), block));
		note = i == TR_MAP_NONE ? NULL : &r->notes[i];
	}
	return note && note->binary != TR_NOTE_UNKNOWN ? note : NULL;
}

void watch_external_write(struct lane *l, const struct tr_event *event)
{
	const struct replay_accesses *a = &l->replay->accesses;

	if (a->external_write)
		a->external_write(a->user, l->number, event->u.write.address,
				  event->u.write.data, event->u.write.size,
				  event->kind == TR_EV_MEMORY);
}

/* ------------------------------------------------------------ places */

/* Returns the first token of the row from `from` on that commits in the watched cycle or
 * later, or UINT16_MAX. A cycle is watched. */
static unsigned at_cycle(struct lane *l, uint32_t row, unsigned from)
{
	const struct replay *r = l->replay;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];

	if (r->at.hart != l->number || l->view.end_cycle < r->at.cycle)
		return UINT16_MAX;
	watch_clock(l, row);
	uint64_t cycle = l->clock.cycle;
	if (cycle + lane_row(l, row)->cycles < r->at.cycle)
		return UINT16_MAX;
	tr_tokens(lane_block(l, row), lane_timing(l, row), tokens);
	for (unsigned i = 0; i < lane_row(l, row)->tokens; i++) {
		cycle += tokens[i].cycles;
		if (i >= from && cycle >= r->at.cycle)
			return i;
	}
	return UINT16_MAX;
}

static enum tr_flow flow_of(const struct before *before)
{
	uint8_t code[8];

	tr_store64(code, before->insn);
	return before->bytes ? tr_decode_flow(code, before->bytes, 64) : TR_FLOW_NEXT;
}

/* Returns the instruction that has jumped to pc at the beginning of a row, or 0. If there
 * was a trap in between, that is the last one before the row which returns there. */
static uint64_t jumped_from(const struct lane *l, uint32_t row, uint64_t pc,
			    uint64_t *behind)
{
	const struct tr_event *events = l->view.events;
	uint32_t e = l->clock.event;
	struct before before = before_row(l, row, e);
	enum tr_flow flow;

	while ((flow = flow_of(&before)) == TR_FLOW_XRET) {
		while (e && !(events[e - 1].kind == TR_EV_TRAP &&
			      events[e - 1].u.trap.epc == pc))
			e--;
		if (e == 0)
			return 0;
		e--;
		before = before_row(l, events[e].row, e);
	}
	if (flow != TR_FLOW_BRANCH && flow != TR_FLOW_JUMP && flow != TR_FLOW_INDIRECT)
		return 0;
	*behind = before.pc + before.bytes;
	return before.pc;
}

/* Returns the next token that is watched by its address, its note, or as a call or jump
 * or the place to which it returns: these end their blocks. */
static unsigned at_address(struct lane *l, uint32_t row, unsigned from)
{
	struct replay *r = l->replay;
	const struct tr_block *block = lane_block(l, row);
	const struct tr_note *note = NULL;
	unsigned at = 0, ways = ways_of(r, block, lane_row(l, row)->block);
	bool start = false, end = false;

	if (r->nreturns) {
		start = from == 0 && r->returns[replay_return_bit(block->pc)];
		end = r->returns[replay_return_bit(block->pc + block->bytes)];
	}

	if (ways & BY_NOTE && r->watch.wants_code)
		note = watch_note(l, row);
	if (!start && !end && !(ways & BY_ADDRESS) && !note)
		return UINT16_MAX;
	for (unsigned i = 0; i < block->tokens; i++) {
		if (i >= from &&
		    ((start && i == 0) || (end && i == block->tokens - 1U) ||
		     (ways & BY_ADDRESS &&
		      r->watch.wants(r->watch.user, block->pc + at)) ||
		     (note && r->watch.wants_code(r->watch.user, note->binary,
						  note->address + at, 1))))
			return i;
		at += insn_length_at(block, at);
	}
	return UINT16_MAX;
}

/* Returns the first token after as many instructions of the hart as are watched: more, if
 * the trace has left out that one. Some number is watched. */
static unsigned at_goal(const struct lane *l, uint32_t row, unsigned from,
			uint64_t before)
{
	const struct replay *r = l->replay;
	uint64_t token = from;

	if (r->goal.hart != l->number)
		return UINT16_MAX;
	if (r->goal.instret > before + from)
		token = r->goal.instret - before;
	return token < lane_row(l, row)->tokens ? (unsigned)token : UINT16_MAX;
}

static unsigned lower_token(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned watch_next(struct lane *l, uint32_t row, unsigned from, uint64_t before)
{
	const struct replay *r = l->replay;

	if (!r->watch.reached)
		return UINT16_MAX;
	unsigned next = at_address(l, row, from);
	if (r->at.on)
		next = lower_token(next, at_cycle(l, row, from));
	if (r->goal.on)
		next = lower_token(next, at_goal(l, row, from, before));
	return next;
}

void watch_reached(struct lane *l)
{
	struct replay *r = l->replay;
	uint32_t row = l->run.row;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	const struct tr_note *note = watch_note(l, row);
	struct replay_reached reached = {.hart = l->number,
					 .row = l->rows_before + row,
					 .token = l->run.token,
					 .binary = TR_NOTE_UNKNOWN};

	watch_clock(l, row);
	reached.space = tr_note_space(&l->clock.context);
	reached.priv = l->clock.context.priv;
	reached.cycle = l->clock.cycle;
	tr_tokens(lane_block(l, row), lane_timing(l, row), tokens);
	for (unsigned i = 0; i <= l->run.token; i++)
		reached.cycle += tokens[i].cycles;
	reached.pc = tokens[l->run.token].pc;
	if (l->run.token == 0)
		reached.jumped_from =
		    jumped_from(l, row, reached.pc, &reached.behind_jump);
	reached.behind = reached.pc + tokens[l->run.token].bytes;
	if (note) {
		reached.binary = note->binary;
		reached.address = note->address + reached.pc - tokens[0].pc;
	}
	if (r->at.hart == l->number && reached.cycle >= r->at.cycle)
		r->at.on = false;
	r->watch.reached(r->watch.user, &reached);
	l->passed = r->paused;
}
