/* SPDX-License-Identifier: Apache-2.0 */
/* Moves the parts of a lane together: to the next frame, to another place, and to and
 * from an index. */
#include <stdlib.h>

#include "accesses.h"
#include "lane.h"

struct lane *lane_new(struct replay *r, unsigned hart, const struct tr_reader *reader)
{
	struct lane *l = calloc(1, sizeof(*l));

	if (!l)
		return NULL;
	l->replay = r;
	l->hart = hart;
	carry_create(&l->carry, reader);
	if (old_code_create(l))
		return l;
	lane_free(l);
	return NULL;
}

void lane_free(struct lane *l)
{
	if (!l)
		return;
	carry_clear(&l->carry);
	old_code_free(l);
	free(l);
}

/* Begins anew in the middle of a run. Returns false if memory runs out. */
static bool restart_lane(struct lane *l)
{
	carry_clear(&l->carry);
	old_code_free(l);
	*l = (struct lane){.replay = l->replay, .hart = l->hart, .carry = l->carry};
	if (!old_code_create(l))
		return false;
	old_code_begin_within(l);
	return true;
}

/* The cursor is in the first row, from which on the parts count. */
static void count_from_cursor(struct lane *l)
{
	const struct cursor_place at = cursor_place(l);

	carry_count(&l->carry, at.instret - at.token);
	inputs_start(l);
	old_code_start(l);
}

/* The view begins at the hart's first row. */
static void start_lane(struct lane *l, uint64_t generation)
{
	cursor_start(l);
	count_from_cursor(l);
	compare_start(l, generation);
	l->begun = true;
}

/* The view has a part of another frame. */
static void note_frame(struct lane *l)
{
	window_find_pc(l);
	watch_begin_lane(l);
	order_extend(l->replay, carry_view(&l->carry)->end_cycle);
}

void lane_add(struct lane *l, const struct tr_hart_frame *frame, uint64_t generation)
{
	if (!carry_add(&l->carry, frame)) {
		replay_fail(l, cursor_place(l).instret, "out of memory");
	} else if (!l->begun) {
		start_lane(l, generation);
		accesses_tell_begin(l, 0, 0);
	} else {
		compare_begin(l, generation);
	}
	lane_counts(l)->instructions += frame->tokens;
	note_frame(l);
}

bool lane_enter(struct lane *l, const struct tr_hart_frame *frame, uint64_t generation,
		uint32_t row, uint32_t event, unsigned token)
{
	uint64_t number = carry_number(&l->carry, row);

	if (!restart_lane(l) || !carry_enter(&l->carry, frame, row, event, number))
		return false;
	start_lane(l, generation);
	accesses_tell_begin(l, 0, token);
	if (token) {
		cursor_skip(l, token);
		compare_skip(l, token, carry_offset(carry_block(&l->carry, 0), token));
		count_from_cursor(l);
	}
	note_frame(l);
	return true;
}

void lane_skip(struct lane *l, uint32_t rows)
{
	carry_skip(&l->carry, rows);
}

/* ------------------------------------------------------------ the end of a frame */

static const struct tr_note *note_of_row(void *user, uint32_t row)
{
	return watch_note(user, row);
}

static uint32_t lower_event(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

void lane_retain(struct lane *l)
{
	const struct cursor_place at = cursor_place(l);
	struct carry_cut cut = {.row = at.row,
				.instret = at.instret - at.token,
				.cycle = cursor_row_start(l),
				.note = note_of_row,
				.user = l};

	if (!l->begun)
		return;
	/* The first event that has not been compared, used or acted on. */
	cut.event = watch_cut_lane(l, at.row, &cut.context);
	cut.event = lower_event(cut.event, inputs_next(l));
	cut.event = lower_event(cut.event, compare_next(l));
	cut.event = lower_event(cut.event, cursor_needed_event(l));
	if (!carry_retain(&l->carry, &cut))
		replay_fail(l, at.instret, "out of memory");
	cursor_drop(l, cut.event);
	compare_drop(l, at.row, cut.event);
	inputs_drop(l, cut.event);
	inputs_start(l);
	old_code_start(l);
	watch_begin_lane(l);
}

/* ------------------------------------------------------------ saving and loading */

int lane_put(const struct lane *l, struct tr_buffer *out)
{
	tr_buffer_varint(out, l->begun);
	if (!l->begun)
		return TR_OK;
	window_put(l, out);
	carry_put_bounds(&l->carry, out);
	cursor_put(l, out);
	compare_put_place(l, out);
	inputs_put(l, out);
	compare_put_late(l, out);
	return carry_put_rest(&l->carry, out);
}

/* Takes up the places of the parts, if they are consistent with the rows that are left.
 */
static bool restore_places(struct lane *l)
{
	if (!cursor_restore(l) || !inputs_are_good(l))
		return false;
	unsigned token = cursor_place(l).token;
	return compare_restore(
	    l, token, token ? carry_offset(carry_block(&l->carry, 0), token) : 0);
}

int lane_load(struct lane *l, struct tr_bytes *in)
{
	if (!restart_lane(l))
		return TR_E_NOMEM;
	compare_load_satp(l);
	l->begun = tr_varint_below(in, 2);
	if (!l->begun)
		return in->bad ? TR_E_CORRUPT : TR_OK;
	window_load(l, in);
	carry_load_bounds(&l->carry, in);
	cursor_load(l, in);
	compare_load_place(l, in);
	inputs_load(l, in);
	compare_load_late(l, in);
	int status = carry_load_rest(&l->carry, in);
	if (status || !restore_places(l))
		return status ? status : TR_E_CORRUPT;
	count_from_cursor(l);
	watch_begin_lane(l);
	return TR_OK;
}
