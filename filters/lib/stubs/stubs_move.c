/* SPDX-License-Identifier: Apache-2.0 */
/* Which instruction of a program one of a stub stands for, and the other way round. */
#include "stubs/stubs.h"

uint32_t tr_stubs_function_at(const struct tr_stubs *stubs, uint64_t address)
{
	uint32_t low = 0, high = stubs->function_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (stubs->functions[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return UINT32_MAX;
	const struct tr_stubs_function *f = &stubs->functions[low - 1];
	return address - f->start < f->size ? low - 1 : UINT32_MAX;
}

static bool is_in_stub(const struct tr_stubs_function *f, uint32_t offset)
{
	return offset >= f->stub && offset - f->stub < f->stub_size;
}

/* Without an order: a plan that was not decoded. */
static uint32_t scan_stubs(const struct tr_stubs *stubs, uint32_t offset)
{
	for (uint32_t i = 0; i < stubs->function_count; i++)
		if (is_in_stub(&stubs->functions[i], offset))
			return i;
	return UINT32_MAX;
}

/* Returns the number of the function whose stub has `offset`, or UINT32_MAX. */
static uint32_t find_stub(const struct tr_stubs *stubs, uint32_t offset)
{
	if (!stubs->by_stub)
		return scan_stubs(stubs, offset);
	uint32_t low = 0, high = stubs->function_count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (stubs->functions[stubs->by_stub[middle]].stub <= offset)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return UINT32_MAX;
	uint32_t number = stubs->by_stub[low - 1];
	return is_in_stub(&stubs->functions[number], offset) ? number : UINT32_MAX;
}

/* Returns the address for which `rel`, bytes from the stub, stands. */
static uint64_t origin_in(const struct tr_stubs_function *f, uint32_t rel)
{
	if (f->tail && rel >= f->tail)
		return f->resume;
	unsigned instruction = 0;
	for (unsigned i = 1; i < f->size / 2U; i++)
		if (f->moved[i] && f->moved[i] <= rel)
			instruction = i;
	return f->start + 2 * instruction;
}

bool tr_stubs_origin(const struct tr_stubs *stubs, uint32_t offset, uint64_t *address,
		     uint32_t *function)
{
	uint32_t number = find_stub(stubs, offset);
	if (number == UINT32_MAX)
		return false;
	const struct tr_stubs_function *f = &stubs->functions[number];
	*address = origin_in(f, offset - f->stub);
	*function = number;
	return true;
}

struct tr_stubs_move tr_stubs_move_in(const struct tr_stubs *stubs,
				      const struct tr_stubs_places *places, uint64_t pc)
{
	struct tr_stubs_move move = {0};
	uint64_t address = pc - places->bias;
	uint32_t number = tr_stubs_function_at(stubs, address);
	if (number == UINT32_MAX)
		return move;
	const struct tr_stubs_function *f = &stubs->functions[number];
	uint64_t behind = address - f->start;
	if (behind == 0 || behind % 2 || !f->moved[behind / 2])
		return move;
	move.moves = true;
	move.function = number;
	move.pc = places->areas[f->area] - stubs->areas[f->area].offset + f->stub +
		  f->moved[behind / 2];
	return move;
}

/* A moved branch is followed by a jump to its target: a process that is there has taken
 * the branch. Everything else that stands for an instruction is done again by it: the
 * registers that it changed are written before they are read. */
static uint64_t move_within(const struct tr_stubs *stubs, uint32_t number, uint32_t rel)
{
	const struct tr_stubs_function *f = &stubs->functions[number];
	uint64_t address = origin_in(f, rel);
	if (address == f->resume || rel == f->moved[(address - f->start) / 2])
		return address;
	uint32_t end =
	    number + 1 < stubs->function_count ? f[1].first_label : stubs->label_count;
	for (uint32_t i = f->first_label; i < end; i++) {
		const struct tr_stubs_label *label = &stubs->labels[i];
		uint32_t at = label->at - f->stub;
		if (rel == at && label->kind == TR_STUBS_JUMP)
			return label->target;
		if ((rel == at || rel == at + 4) && label->kind == TR_STUBS_FAR_JUMP)
			return label->target;
	}
	return address;
}

struct tr_stubs_move tr_stubs_move_out(const struct tr_stubs *stubs,
				       const struct tr_stubs_places *places, uint64_t pc)
{
	struct tr_stubs_move move = {0};
	uint32_t number = UINT32_MAX;
	uint32_t offset = 0;
	for (unsigned i = 0; i < TR_STUBS_AREAS && number == UINT32_MAX; i++) {
		if (pc - places->areas[i] >= stubs->areas[i].size)
			continue;
		offset = (uint32_t)(pc - places->areas[i]) + stubs->areas[i].offset;
		number = find_stub(stubs, offset);
	}
	if (number != UINT32_MAX) {
		const struct tr_stubs_function *f = &stubs->functions[number];
		uint32_t rel = offset - f->stub;
		move.counts = rel < f->moved[0];
		move.pc = places->bias + move_within(stubs, number, rel);
	} else {
		/* Between the two instructions of a far entry. */
		number = tr_stubs_function_at(stubs, pc - places->bias);
		if (number == UINT32_MAX ||
		    pc - places->bias != stubs->functions[number].start + 4 ||
		    stubs->functions[number].kind != TR_STUBS_FAR)
			return move;
		move.counts = true;
		move.pc = pc - 4;
	}
	move.moves = true;
	move.function = number;
	return move;
}
