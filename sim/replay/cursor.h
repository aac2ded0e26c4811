/* SPDX-License-Identifier: Apache-2.0 */
/* The place in a lane's view up to which the model has been run, and what moves it: runs
 * of the model that stop where the replay acts on an event, and where an instruction is
 * watched. Of several harts each run has a limit, which order.h knows.
 *
 * A failure is noted with replay_fail(); callers look for it with lane_failed(). Only
 * cursor.c uses what is in a cursor; a lane contains it, and it owns no memory. */
#ifndef REPLAY_CURSOR_H
#define REPLAY_CURSOR_H

#include <stdbool.h>
#include <stdint.h>

struct lane;
struct tr_buffer;
struct tr_bytes;
struct tr_event;

struct cursor {
	uint32_t row, event; /* the next ones */
	uint32_t timed;	     /* of several harts: the next event that takes time */
	uint16_t token;	     /* the next one of the row */
	bool walks;	     /* the next token uses an old translation */
	bool passed;	     /* the next token is watched, and was reached */
	uint64_t instret, cycle;
};

/* Where the model is: before a token of a row, which may be that behind the last one. */
struct cursor_place {
	uint32_t row;
	unsigned token;
	uint64_t instret; /* instructions of the hart before it */
	uint64_t cycle;	  /* in which the instruction before it committed */
};
struct cursor_place cursor_place(const struct lane *l);
/* Returns the cycle in which its row began. */
uint64_t cursor_row_start(const struct lane *l);

/* The model is at the beginning of the view. */
void cursor_start(struct lane *l);
/* The model has been set to token `token` of the first row. */
void cursor_skip(struct lane *l, unsigned token);
/* Returns the first event that is still needed to tell the order of several harts. */
uint32_t cursor_needed_event(const struct lane *l);
/* The view begins at the cursor's row now, and has lost as many events. */
void cursor_drop(struct lane *l, uint32_t events);

/* Without other harts: runs the model to the end of the view, or until the replay stops.
 */
void cursor_follow(struct lane *l);

/* A place in the order in which harts access memory: tokens by their commits, those of
 * the lower hart first, and writes of devices before them. */
struct moment {
	uint64_t cycle;
	int hart; /* -1: a device */
};
static inline bool moment_is_before(struct moment a, struct moment b)
{
	return a.cycle < b.cycle || (a.cycle == b.cycle && a.hart < b.hart);
}

/* What a hart does next that matters to other harts. */
struct cursor_next {
	struct moment when;
	bool known; /* false: the view has nothing; it is no earlier than that */
	const struct tr_event *event; /* it is this event; NULL: a token */
	/* The hart has used page-table entries that memory may no longer have. */
	bool walked;
};
void cursor_find_next(struct lane *l, struct cursor_next *next);
/* Takes the event that comes next. */
void cursor_take_event(struct lane *l);
/* Runs tokens whose moment is before `limit`. Returns whether one of them is watched:
 * then the model is before it, and the moment of the token is set. */
bool cursor_run(struct lane *l, struct moment limit, struct moment *watched);
/* Tells of the watched token before which the model is. */
void cursor_reach(struct lane *l);

/* Save and load the place, in the first row. After the view and the registers of the hart
 * have been loaded, cursor_restore() returns whether the place is in the view. */
void cursor_put(const struct lane *l, struct tr_buffer *out);
void cursor_load(struct lane *l, struct tr_bytes *in);
bool cursor_restore(struct lane *l);

#endif
