/* SPDX-License-Identifier: Apache-2.0 */
/* Stops the model before watched instructions. */
#include "watch.h"

#include <stdlib.h>
#include <string.h>

#include "lane.h"
#include "stream/codec.h"

enum { UNKNOWN, UNWATCHED, WATCHED };

void replay_watch(struct replay *r, const struct replay_watch *watch)
{
	r->watch = *watch;
}

void replay_watch_start(struct replay *r, uint64_t pc, bool on)
{
	uint32_t *count = &r->starts[replay_start_bit(pc)];

	*count = on ? *count + 1 : *count - 1;
	r->nstarts = on ? r->nstarts + 1 : r->nstarts - 1;
}

void replay_watch_cycle(struct replay *r, unsigned hart, uint64_t cycle)
{
	r->at.on = true;
	r->at.hart = hart;
	r->at.cycle = cycle;
}

/* Returns whether an instruction of the block is watched, which is looked up once. */
static bool has_watched(struct replay *r, const struct tr_block *block, uint32_t id)
{
	unsigned at = 0;

	if (id == UINT32_MAX || !tr_grow(&r->known, &r->known_room, id + 1, 1))
		return true;
	if (id >= r->nknown) {
		memset(r->known + r->nknown, UNKNOWN, id + 1 - r->nknown);
		r->nknown = id + 1;
	}
	if (r->known[id] != UNKNOWN)
		return r->known[id] == WATCHED;
	r->known[id] = UNWATCHED;
	for (unsigned i = 0; i < block->tokens; i++) {
		if (r->watch.wants(r->watch.user, block->pc + at))
			r->known[id] = WATCHED;
		at += (block->code[at] & 3) == 3 ? 4 : 2;
	}
	return r->known[id] == WATCHED;
}

/* Moves the clock to the beginning of a row. */
static uint64_t cycle_of_row(struct lane *l, uint32_t row)
{
	const struct tr_hart_frame *f = &l->view;

	for (;;) {
		for (; l->clock.event < f->nevents &&
		       f->events[l->clock.event].row <= l->clock.row;
		     l->clock.event++) {
			const struct tr_event *event = &f->events[l->clock.event];

			if (event->kind == TR_EV_TRAP || event->kind == TR_EV_GAP)
				l->clock.cycle += event->cycles;
		}
		if (l->clock.row >= row)
			return l->clock.cycle;
		l->clock.cycle += lane_row(l, l->clock.row++)->cycles;
	}
}

/* Returns the first token of the row from `from` on that commits in the watched cycle or
 * later, or UINT16_MAX. */
static unsigned at_cycle(struct lane *l, uint32_t row, unsigned from)
{
	const struct replay *r = l->replay;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t cycle;

	if (!r->at.on || r->at.hart != l->number || l->view.end_cycle < r->at.cycle)
		return UINT16_MAX;
	cycle = cycle_of_row(l, row);
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

/* Returns the next token whose address is watched. */
static unsigned at_address(struct lane *l, uint32_t row, unsigned from)
{
	struct replay *r = l->replay;
	const struct tr_block *block = lane_block(l, row);
	unsigned at = 0;
	bool start = from == 0 && r->nstarts && r->starts[replay_start_bit(block->pc)];

	if (!start && !has_watched(r, block, lane_row(l, row)->block))
		return UINT16_MAX;
	for (unsigned i = 0; i < block->tokens; i++) {
		if (i >= from &&
		    ((start && i == 0) || r->watch.wants(r->watch.user, block->pc + at)))
			return i;
		at += (block->code[at] & 3) == 3 ? 4 : 2;
	}
	return UINT16_MAX;
}

unsigned watch_next(struct lane *l, uint32_t row, unsigned from)
{
	unsigned address, cycle;

	if (!l->replay->watch.reached)
		return UINT16_MAX;
	address = at_address(l, row, from);
	cycle = at_cycle(l, row, from);
	return cycle < address ? cycle : address;
}

void watch_reached(struct lane *l)
{
	struct replay *r = l->replay;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	uint64_t cycle = cycle_of_row(l, l->run.row);

	tr_tokens(lane_block(l, l->run.row), lane_timing(l, l->run.row), tokens);
	for (unsigned i = 0; i <= l->run.token; i++)
		cycle += tokens[i].cycles;
	if (r->at.hart == l->number && cycle >= r->at.cycle)
		r->at.on = false;
	r->watch.reached(r->watch.user, l->number, tokens[l->run.token].pc, cycle);
}

void watch_forget(struct replay *r)
{
	r->nknown = 0;
}
