/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the watched instructions of a trace: what a replay knows of the blocks and notes
 * of the generation, and a clock for each hart. Only watch.c uses what is in the states.
 */
#ifndef REPLAY_WATCHING_H
#define REPLAY_WATCHING_H

#include "base/map.h"
#include "clock.h"
#include "watch.h"

struct lane;

enum { REPLAY_RETURNS = 1 << 12 };

struct watching {
	const struct tr_reader *reader;
	struct replay_watch watch;
	bool clocks;	/* those of the harts are needed, for a watch or an index */
	uint8_t *known; /* of each block of the generation: in what way it is watched */
	size_t known_room;
	uint32_t nknown;
	/* Notes on watched code in the generation, by space and block. */
	struct tr_map noted;
	struct tr_note *notes;
	size_t nnotes, notes_room;
	uint64_t generation;
	uint32_t returns[REPLAY_RETURNS]; /* watched returns with this hash */
	unsigned nreturns;
	struct {
		bool on;
		unsigned hart;
		uint64_t cycle;
	} at; /* replay_watch_cycle() */
	struct {
		bool on;
		unsigned hart;
		uint64_t instret;
	} goal; /* replay_watch_instruction() */
};

/* Sets the state, which is all zero, to watch nothing. The reader remains the caller's.
 */
void watch_create(struct replay *r, const struct tr_reader *reader);
void watch_free(struct replay *r);
/* Takes the notes of a frame, which may begin another generation of blocks. Returns false
 * if memory runs out. */
bool watch_begin(struct replay *r, const struct tr_frame *frame);
/* Forgets what is known of the generation: other code is watched, or the replay continues
 * elsewhere. Notes of frames before are missing then. */
void watch_forget(struct replay *r);
/* The context of what the view leaves over is needed, for an index. Call before the first
 * frame. */
void watch_contexts(struct replay *r);
/* Returns whether anything may be watched. */
bool watch_is_on(const struct replay *r);

/* The view of the lane begins, or has a frame more. */
void watch_begin_lane(struct lane *l);
/* The view will begin at this row: gets the context there, and returns the first event
 * that is still needed. */
uint32_t watch_cut_lane(struct lane *l, uint32_t row, struct tr_context *context);
/* Returns the note on a row whose code is watched by notes, else NULL. */
const struct tr_note *watch_note(struct lane *l, uint32_t row);
/* Returns the number of the next watched token of a row from `from` on, or UINT16_MAX.
 * `before` counts the instructions of the hart before the row. */
unsigned watch_next(struct lane *l, uint32_t row, unsigned from, uint64_t before);
/* The model has written sp. */
void watch_sp(struct lane *l, uint64_t sp);
/* The model is before a watched token. */
void watch_reached(struct lane *l, uint32_t row, unsigned token);

#endif
