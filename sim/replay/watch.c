/* SPDX-License-Identifier: Apache-2.0 */
/* Stops the model before watched instructions. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "lane.h"
#include "watching.h"

/* What is known of a block: it was asked for; it is watched by its address; some note on
 * it is watched, or retained; where it begins is watched by its address. */
enum { ASKED = 1, BY_ADDRESS = 2, BY_NOTE = 4, HAS_NOTE = 8, BY_START = 16 };

static unsigned return_hash(uint64_t pc)
{
	return (unsigned)(pc >> 1) & (REPLAY_RETURNS - 1);
}

void replay_watch(struct replay *r, const struct replay_watch *watch)
{
	r->watching.watch = *watch;
	r->watching.clocks = true;
}

void replay_watch_return(struct replay *r, uint64_t pc, bool on)
{
	struct watching *w = &r->watching;
	uint32_t *count = &w->returns[return_hash(pc)];

	*count = on ? *count + 1 : *count - 1;
	w->nreturns = on ? w->nreturns + 1 : w->nreturns - 1;
}

void replay_watch_cycle(struct replay *r, unsigned hart, uint64_t cycle)
{
	r->watching.at.on = true;
	r->watching.at.hart = hart;
	r->watching.at.cycle = cycle;
}

void replay_watch_instruction(struct replay *r, unsigned hart, uint64_t instret)
{
	r->watching.goal.on = true;
	r->watching.goal.hart = hart;
	r->watching.goal.instret = instret;
}

void replay_watch_nothing(struct replay *r)
{
	r->watching.at.on = r->watching.goal.on = false;
}

void replay_watch_others(struct replay *r)
{
	watch_forget(r);
}

void watch_create(struct replay *r, const struct tr_reader *reader)
{
	r->watching.reader = reader;
}

void watch_contexts(struct replay *r)
{
	r->watching.clocks = true;
}

bool watch_is_on(const struct replay *r)
{
	return r->watching.watch.reached;
}

/* ------------------------------------------------------------ what is known */

/* Makes room for what is known of a block. */
static bool make_known(struct watching *w, uint32_t id)
{
	if (id < w->nknown)
		return true;
	if (id == UINT32_MAX || !tr_grow(&w->known, &w->known_room, id + 1UL, 1))
		return false;
	memset(w->known + w->nknown, 0, id + 1 - w->nknown);
	w->nknown = id + 1;
	return true;
}

static unsigned insn_length_at(const struct tr_block *block, unsigned at)
{
	return (block->code[at] & 3) == 3 ? 4 : 2;
}

/* Returns whether an instruction is watched by its address or code. */
static bool wants_insn_at(const struct watching *w, const struct tr_block *block,
			  unsigned at)
{
	return w->watch.wants(w->watch.user, block->pc + at) ||
	       (w->watch.wants_insn &&
		w->watch.wants_insn(w->watch.user, block->code + at,
				    insn_length_at(block, at)));
}

static bool wants_start(const struct watching *w, uint32_t binary, uint64_t address)
{
	return w->watch.wants_block &&
	       w->watch.wants_block(w->watch.user, binary, address);
}

/* Returns in what ways instructions of the block are watched, which is looked up once. */
static unsigned ways_of(struct watching *w, const struct tr_block *block, uint32_t id)
{
	unsigned at = 0;

	if (!make_known(w, id))
		return BY_ADDRESS | BY_NOTE;
	if (w->known[id] & ASKED)
		return w->known[id];
	w->known[id] |= ASKED;
	if (wants_start(w, TR_NOTE_UNKNOWN, block->pc))
		w->known[id] |= BY_START;
	for (unsigned i = 0; i < block->tokens; i++) {
		if (wants_insn_at(w, block, at))
			w->known[id] |= BY_ADDRESS;
		at += insn_length_at(block, at);
	}
	return w->known[id];
}

/* ------------------------------------------------------------ notes of tr-match */

static bool record_note(struct watching *w, const struct tr_note *note)
{
	const struct tr_block *block = tr_reader_block(w->reader, note->block);
	uint64_t key = tr_pair_key(note->space, note->block);
	uint32_t before = tr_map_get(&w->noted, key);
	bool known = note->binary < TR_NOTE_AMBIGUOUS;
	bool wanted =
	    known && w->watch.wants_code &&
	    w->watch.wants_code(w->watch.user, note->binary, note->address, block->bytes);
	wanted |= known && wants_start(w, note->binary, note->address);
	bool retained = wanted || (known && w->watch.tells_binaries);

	if (before != TR_MAP_NONE) {
		w->notes[before] = *note;
		if (!retained)
			w->notes[before].binary = TR_NOTE_UNKNOWN;
	} else if (retained) {
		if (!make_known(w, note->block) ||
		    !tr_grow(&w->notes, &w->notes_room, w->nnotes + 1, sizeof(*note)) ||
		    !tr_map_set(&w->noted, key, (uint32_t)w->nnotes))
			return false;
		w->notes[w->nnotes++] = *note;
	}
	if (retained)
		w->known[note->block] |= wanted ? BY_NOTE | HAS_NOTE : HAS_NOTE;
	return true;
}

void watch_forget(struct replay *r)
{
	struct watching *w = &r->watching;

	w->nknown = 0;
	w->nnotes = 0;
	tr_map_clear(&w->noted);
}

bool watch_begin(struct replay *r, const struct tr_frame *frame)
{
	struct watching *w = &r->watching;
	bool done = true, wanted = w->watch.wants_code || w->watch.tells_binaries;

	if (w->generation != frame->generation)
		watch_forget(r);
	w->generation = frame->generation;
	for (uint32_t i = 0; i < frame->nnotes && wanted && done; i++)
		done = record_note(w, &frame->notes[i]);
	return done;
}

void watch_free(struct replay *r)
{
	free(r->watching.known);
	free(r->watching.notes);
	tr_map_free(&r->watching.noted);
}

const struct tr_note *watch_note(struct lane *l, uint32_t row)
{
	struct watching *w = &lane_replay(l)->watching;
	uint32_t block = lane_row(l, row)->block;
	const struct tr_note *note = carry_note(lane_carry(l), row);

	if (!note && block < w->nknown && w->known[block] & HAS_NOTE) {
		uint32_t space = clock_space(&l->clock, lane_carry(l), row);
		uint32_t i = tr_map_get(&w->noted, tr_pair_key(space, block));
		note = i == TR_MAP_NONE ? NULL : &w->notes[i];
	}
	return note && note->binary != TR_NOTE_UNKNOWN ? note : NULL;
}

/* ------------------------------------------------------------ harts */

void watch_begin_lane(struct lane *l)
{
	clock_begin(&l->clock, lane_carry(l));
}

uint32_t watch_cut_lane(struct lane *l, uint32_t row, struct tr_context *context)
{
	bool clocks = lane_replay(l)->watching.clocks;

	if (clocks)
		clock_cut(&l->clock, lane_carry(l), row);
	*context = clock_context(&l->clock);
	return clocks ? clock_event(&l->clock) : UINT32_MAX;
}

/* Returns the next token that commits in the watched cycle or later. A cycle is watched.
 */
static unsigned at_cycle(struct lane *l, uint32_t row, unsigned from)
{
	const struct watching *w = &lane_replay(l)->watching;

	if (w->at.hart != lane_hart(l) || lane_view(l)->end_cycle < w->at.cycle)
		return UINT16_MAX;
	return clock_find_cycle(&l->clock, lane_carry(l), row, from, w->at.cycle);
}

/* Returns the next token that is watched by its address, its note, or as a call or jump
 * or the place to which it returns: these end their blocks. */
static unsigned at_address(struct lane *l, uint32_t row, unsigned from)
{
	struct watching *w = &lane_replay(l)->watching;
	const struct tr_block *block = lane_block(l, row);
	const struct tr_note *note = NULL;
	unsigned at = 0, ways = ways_of(w, block, lane_row(l, row)->block);
	bool start = false, end = false;

	if (w->nreturns) {
		start = from == 0 && w->returns[return_hash(block->pc)];
		end = w->returns[return_hash(block->pc + block->bytes)];
	}

	if (ways & BY_NOTE && w->watch.wants_code)
		note = watch_note(l, row);
	if (from == 0 &&
	    (ways & BY_START || (note && wants_start(w, note->binary, note->address))))
		return 0;
	if (!start && !end && !(ways & BY_ADDRESS) && !note)
		return UINT16_MAX;
	for (unsigned i = 0; i < block->tokens; i++) {
		if (i >= from &&
		    ((start && i == 0) || (end && i == block->tokens - 1U) ||
		     (ways & BY_ADDRESS && wants_insn_at(w, block, at)) ||
		     (note && w->watch.wants_code(w->watch.user, note->binary,
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
	const struct watching *w = &lane_replay(l)->watching;
	uint64_t token = from;

	if (w->goal.hart != lane_hart(l))
		return UINT16_MAX;
	if (w->goal.instret > before + from)
		token = w->goal.instret - before;
	return token < lane_row(l, row)->tokens ? (unsigned)token : UINT16_MAX;
}

static unsigned lower_token(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned watch_next(struct lane *l, uint32_t row, unsigned from, uint64_t before)
{
	const struct watching *w = &lane_replay(l)->watching;

	if (!w->watch.reached)
		return UINT16_MAX;
	unsigned next = at_address(l, row, from);
	if (w->at.on)
		next = lower_token(next, at_cycle(l, row, from));
	if (w->goal.on)
		next = lower_token(next, at_goal(l, row, from, before));
	return next;
}

void watch_sp(struct lane *l, uint64_t sp)
{
	const struct replay_watch *watch = &lane_replay(l)->watching.watch;

	if (watch->wrote_sp)
		watch->wrote_sp(watch->user, sp);
}

void watch_reached(struct lane *l, uint32_t row, unsigned token)
{
	struct watching *w = &lane_replay(l)->watching;
	const struct tr_note *note = watch_note(l, row);
	struct replay_reached reached = {.hart = lane_hart(l),
					 .row = carry_number(lane_carry(l), row),
					 .token = token,
					 .binary = TR_NOTE_UNKNOWN};

	uint64_t start = clock_reach(&l->clock, lane_carry(l), row, token, &reached);
	if (note) {
		reached.binary = note->binary;
		reached.address = note->address + reached.pc - start;
	}
	if (w->at.hart == lane_hart(l) && reached.cycle >= w->at.cycle)
		w->at.on = false;
	w->watch.reached(w->watch.user, &reached);
}
