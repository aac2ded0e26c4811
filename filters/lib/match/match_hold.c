/* SPDX-License-Identifier: Apache-2.0 */
/* Frames held for output, in order, until their blocks are decided. What is written is
 * the encoded payload, and events. It is copied when the reader goes on: tr_frame_hold()
 * would keep the rows, too, which take over ten times the memory and are only needed
 * again if frames are passed on instead. */
#include <stdlib.h>
#include <string.h>

#include "match/match_state.h"
#include "stream/frame.h"

static struct match_held *new_held(struct tr_match *match, const struct tr_frame *frame)
{
	struct match_held *held = calloc(1, sizeof(*held));
	if (!held)
		return NULL;
	if (match->passing.take)
		held->frame = tr_frame_hold(frame);
	else
		held->payload = tr_reader_payload(match->reader);
	held->nharts = frame->nharts;
	return held;
}

struct match_held *tr_match_hold(struct tr_match *match, const struct tr_frame *frame)
{
	struct match_held *held = new_held(match, frame);
	if (!held) {
		tr_match_fail(match, TR_E_NOMEM);
		return NULL;
	}
	if (match->newest)
		match->newest->next = held;
	else
		match->oldest = held;
	match->newest = held;
	match->nheld++;
	return held;
}

void tr_match_drop_held(struct match_held *held)
{
	tr_frame_release(held->frame);
	for (uint32_t i = 0; i < held->nharts; i++)
		free(held->events[i]);
	free(held->notes);
	free(held->copy);
	tr_arena_reset(&held->data);
	free(held);
}

void tr_match_add_note(struct tr_match *match, struct match_held *held,
		       const struct tr_note *note)
{
	if (!tr_grow(&held->notes, &held->note_room, held->nnotes + 1UL,
		     sizeof(*held->notes))) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	held->notes[held->nnotes++] = *note;
}

void tr_match_add_event(struct tr_match *match, struct match_held *held, uint32_t hart,
			uint32_t at, const struct tr_event *event)
{
	if (!tr_grow(&held->events[hart], &held->event_room[hart],
		     held->nevents[hart] + 1UL, sizeof(*held->events[hart]))) {
		tr_match_fail(match, TR_E_NOMEM);
		return;
	}
	struct tr_event *events = held->events[hart];
	memmove(&events[at + 1], &events[at],
		(held->nevents[hart] - at) * sizeof(*events));
	events[at] = *event;
	held->nevents[hart]++;
}

static int write_held_frame(struct tr_match *match, const struct match_held *held)
{
	const struct tr_event *events[TR_MAX_HARTS];
	for (uint32_t i = 0; i < held->nharts; i++)
		events[i] = held->events[i];
	struct tr_pass pass = {.payload = held->payload,
			       .events = events,
			       .nevents = held->nevents,
			       .notes = held->notes,
			       .nharts = held->nharts,
			       .nnotes = held->nnotes};
	return tr_writer_pass(match->writer, &pass);
}

static int keep_payload(struct match_held *held)
{
	if (held->copy || held->frame)
		return TR_OK;
	held->copy = malloc(held->payload.size + 1);
	if (!held->copy)
		return TR_E_NOMEM;
	memcpy(held->copy, held->payload.data, held->payload.size);
	int status = TR_OK;
	for (uint32_t i = 0; i < held->nharts; i++)
		for (uint32_t e = 0; e < held->nevents[i] && !status; e++)
			status = tr_event_copy_data(&held->events[i][e], &held->data);
	held->payload.data = held->copy;
	return status;
}

/* Makes everything that the oldest frame waits for ambiguous. */
static void unblock_oldest(struct tr_match *match)
{
	struct match_space *fixed[] = {&match->machine, &match->supervisor};
	for (size_t i = 0; i < 2; i++)
		tr_match_give_up(match, fixed[i]);
	for (size_t i = 0; i < match->nusers; i++)
		if (match->users[i])
			tr_match_give_up(match, match->users[i]);
}

int tr_match_release(struct tr_match *match)
{
	if (match->nheld > TR_MATCH_HELD)
		unblock_oldest(match);
	while (match->oldest && match->oldest->waiting == 0 && !match->status) {
		struct match_held *held = match->oldest;
		match->oldest = held->next;
		if (!match->oldest)
			match->newest = NULL;
		match->nheld--;
		if (match->passing.take) {
			tr_match_fail(match, tr_match_pass_on(match, held));
			continue;
		}
		tr_match_fail(match, write_held_frame(match, held));
		tr_match_drop_held(held);
	}
	for (struct match_held *held = match->oldest; held; held = held->next)
		tr_match_fail(match, keep_payload(held));
	return match->status;
}
