/* SPDX-License-Identifier: Apache-2.0 */
#include "block_marks.h"

#include <stdlib.h>
#include <string.h>

#include "stream/frame.h"

static bool add_block_mark(struct placed_program *placed, uint32_t entry, unsigned token,
			   bool is_replaced)
{
	if (placed->mark_count == placed->mark_room) {
		size_t room = placed->mark_room ? 2 * placed->mark_room : 1024;
		struct block_mark *more =
		    realloc(placed->marks, room * sizeof(*placed->marks));
		if (!more)
			return false;
		placed->marks = more;
		placed->mark_room = room;
	}
	placed->marks[placed->mark_count++] =
	    (struct block_mark){entry, (uint16_t)token, is_replaced};
	return true;
}

bool prepare_block_marks(struct placed_program *placed, const struct tr_frame *frame)
{
	size_t blocks = frame->view.nblocks;

	if (!placed->marks_of || placed->generation != frame->generation) {
		free(placed->marks_of);
		placed->marks_of = NULL;
		placed->blocks = 0;
		placed->mark_count = 0;
		placed->generation = frame->generation;
		/* 0 and 1 are no places. */
		if (!add_block_mark(placed, MARK_END, 0, false) ||
		    !add_block_mark(placed, MARK_END, 0, false))
			return false;
	}
	if (blocks <= placed->blocks)
		return true;
	uint32_t *more = realloc(placed->marks_of, blocks * sizeof(*placed->marks_of));
	if (!more)
		return false;
	memset(more + placed->blocks, 0, (blocks - placed->blocks) * sizeof(*more));
	placed->marks_of = more;
	placed->blocks = blocks;
	return true;
}

/* Returns where the marks of a block begin, 1 if it has none, or 0. */
static uint32_t mark_block_entries(struct placed_program *placed,
				   const struct tr_block *block)
{
	static const struct tr_timing even;
	struct tr_token tokens[TR_BLOCK_MAX_TOKENS];
	const struct watched_program *program = placed->program;
	uint32_t start = (uint32_t)placed->mark_count;
	bool good = !block->no_bits;

	if (good)
		tr_tokens(block, &even, tokens);
	for (unsigned t = 0; good && t < block->tokens; t++) {
		uint64_t address = tokens[t].pc - placed->bias;
		size_t entry = find_next_entry(program, address);
		if (entry < program->count && program->entries[entry].address == address)
			good = add_block_mark(placed, (uint32_t)entry, t,
					      tokens[t].insn !=
						  program->entries[entry].bits);
		else if (tokens[t].insn == STUB_COUNTS)
			good = add_block_mark(placed, MARK_COUNTS, t, false);
	}
	if (good && start == placed->mark_count)
		return 1;
	return good && add_block_mark(placed, MARK_END, 0, false) ? start : 0;
}

const struct block_mark *find_block_marks(struct placed_program *placed,
					  const struct tr_frame *frame, uint32_t id,
					  bool *failed)
{
	uint32_t *marks = &placed->marks_of[id];

	if (!*marks)
		*marks = mark_block_entries(placed, tr_frame_block(frame, id));
	*failed = !*marks;
	return *marks > 1 ? placed->marks + *marks : NULL;
}
