/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by travel*.c. */
#ifndef REPLAY_TRAVEL_STATE_H
#define REPLAY_TRAVEL_STATE_H

#include "travel.h"

enum { BREAKS = 1000, WATCHES = 16 };

/* Where a hart is: about to execute the instruction after `instret` others. */
struct where {
	unsigned hart;
	uint64_t instret, cycle;
};

struct watched {
	size_t number;
	uint64_t address, size;
	bool used;
};

/* What a run stops at. */
enum mode {
	TO_GOAL, /* the cycle or instruction that the replay watches */
	TO_STOP, /* also the first breakpoint or access */
	TO_LAST, /* continues to the goal, and records the last stop before it */
};

/* An index that is made on the way, from a place on. */
struct fine {
	struct replay_index *index;
	FILE *file;
	size_t place; /* of the given index; 0 without one */
};

struct travel {
	struct travel_options o;
	struct fine fine;
	enum mode mode;
	struct where at, goal;
	bool has_goal;
	bool ended, in_frame;
	enum travel_stop reason; /* of the pause */
	struct where found;	 /* the stop that was found: */
	enum travel_stop found_reason;
	size_t found_watch;
	bool has_found;
	uint64_t breaks[BREAKS];
	size_t nbreaks;
	struct watched watches[WATCHES];
	const char *message;
};

/* Sets the message. Returns TRAVEL_FAILED. */
enum travel_stop travel_fail(struct travel *t, const char *message);

/* travel_places.c */
/* Returns whether the replay is between frames, at or behind this byte of the trace. */
bool travel_is_at(const struct travel *t, uint64_t offset);
/* Begins a fine index here, at a place of the given one. Returns false with the message
 * set. */
bool travel_begin_fine(struct travel *t, size_t place);
void travel_free_fine(struct travel *t);
/* Called after each frame: adds a place to it, up to the next one of the given index.
 * Returns false with its message set. */
bool travel_add_fine(struct travel *t);
/* Continue at a place: of an index; of the given one, where a fine one begins; at the
 * last one before an instruction. Return false with the reason and message set. */
bool travel_go_to_place(struct travel *t, struct replay_index *ix, size_t place);
bool travel_go_to_coarse(struct travel *t, size_t place);
bool travel_go_before(struct travel *t, const struct where *goal);

#endif
