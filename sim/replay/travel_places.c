/* SPDX-License-Identifier: Apache-2.0 */
/* Continues at places: those of the given index and, from one of them on, those of a fine
 * one that is made on the way. */
#include <stdio.h>

#include "stream/saver.h"
#include "travel_state.h"

/* Instructions between places of a temporary index: replayed before going back is done.
 */
enum { EVERY = 1 << 20 };

enum travel_stop travel_fail(struct travel *t, const char *message)
{
	t->message = message;
	return TRAVEL_FAILED;
}

bool travel_is_at(const struct travel *t, uint64_t offset)
{
	struct tr_place place;

	return !t->in_frame && tr_reader_place_next(t->o.reader, &place) &&
	       place.offset >= offset;
}

void travel_free_fine(struct travel *t)
{
	replay_index_free(t->fine.index);
	if (t->fine.file)
		fclose(t->fine.file);
	t->fine = (struct fine){.index = NULL};
}

bool travel_begin_fine(struct travel *t, size_t place)
{
	const struct replay_index_source source = {.soc = t->o.soc,
						   .reader = t->o.reader,
						   .replay = t->o.replay,
						   .trace = t->o.trace,
						   .index = "temporary index",
						   .every = EVERY,
						   .returns = true};

	travel_free_fine(t);
	t->fine.place = place;
	t->fine.file = tmpfile();
	if (!t->fine.file) {
		travel_fail(t, "cannot create a temporary file");
		return false;
	}
	t->fine.index = replay_index_create(&source, t->fine.file);
	if (!t->fine.index)
		travel_fail(t, "out of memory");
	else if (replay_index_message(t->fine.index))
		travel_fail(t, replay_index_message(t->fine.index));
	return !t->message;
}

bool travel_add_fine(struct travel *t)
{
	if (!t->fine.index ||
	    (t->o.index &&
	     travel_is_at(t, replay_index_offset(t->o.index, t->fine.place + 1))))
		return true;
	return replay_index_frame(t->fine.index);
}

bool travel_go_to_place(struct travel *t, struct replay_index *ix, size_t place)
{
	t->in_frame = t->ended = false;
	if (replay_index_check(ix, place) && replay_index_go(ix, place))
		return true;
	t->reason = travel_fail(t, replay_index_message(ix));
	return false;
}

bool travel_go_to_coarse(struct travel *t, size_t place)
{
	if (!t->o.index || (t->fine.index && t->fine.place == place))
		return true;
	if (!travel_go_to_place(t, t->o.index, place))
		return false;
	if (travel_begin_fine(t, place))
		return true;
	t->reason = TRAVEL_FAILED;
	return false;
}

bool travel_go_before(struct travel *t, const struct where *goal)
{
	if (t->o.index &&
	    !travel_go_to_coarse(
		t, replay_index_find_instruction(t->o.index, goal->hart, goal->instret)))
		return false;
	return travel_go_to_place(
	    t, t->fine.index,
	    replay_index_find_instruction(t->fine.index, goal->hart, goal->instret));
}
