/* SPDX-License-Identifier: Apache-2.0 */
/* What the model does next is compared with this place of a lane's view, which each
 * instruction and each change of the model's state moves. Only compare.c uses what is in
 * it; a lane contains it, and it owns no memory.
 *
 * Rows and events are indices in the lane's view, `instret` counts instructions of the
 * hart. A difference is noted with replay_fail(). */
#ifndef REPLAY_COMPARE_H
#define REPLAY_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

struct lane;
struct replay;
struct tr_buffer;
struct tr_bytes;
struct tr_event;

enum { COMPARE_LATE = 4 };

/* All up to here has been compared. */
struct compare {
	uint32_t row, event;   /* the next ones */
	uint16_t token, bytes; /* of that row, before the next token */
	uint64_t instret;
	/* What the view's last instruction changed, if the events are in the next one. */
	struct late {
		unsigned kind, number; /* enum tr_event_kind; a register or privilege */
		uint64_t value;
	} late[COMPARE_LATE];
	unsigned nlate;
	uint64_t satp;	   /* of the model, after the last change */
	uint64_t stamp;	   /* of the model's row caches: that of the generation */
	bool interrupting; /* the current trap is an interrupt from the trace */
};

/* Sets the hooks of the model that compare. */
void compare_set_hooks(struct replay *r);

/* The lane begins at its view's first row, where the trace may report registers before
 * the first instruction: they must be those of the machine. The rows of the frame are of
 * this generation. */
void compare_start(struct lane *l, uint64_t generation);
/* The model has been set to a place in the middle of the first row: before its token
 * `token`, `bytes` behind its beginning. */
void compare_skip(struct lane *l, unsigned token, unsigned bytes);
/* The view has another frame's rows, of this generation: compares what the last one has
 * left. */
void compare_begin(struct lane *l, uint64_t generation);
/* The view loses as many rows and events at its beginning. */
void compare_drop(struct lane *l, uint32_t rows, uint32_t events);

/* Checks that everything up to where the model was run has been compared: the tokens
 * before this one, and the events before `event`. */
void compare_check(struct lane *l, uint32_t row, unsigned token, uint32_t event);
/* Returns the index of the next event to compare, or of one before it that is not
 * compared. */
uint32_t compare_place(const struct lane *l);
/* Returns the row of the next instruction to compare, among all of the hart's in the
 * trace, and its token there. */
uint64_t compare_at(const struct lane *l, unsigned *token);
/* Moves to the next event to compare, and returns its index. */
uint32_t compare_next(struct lane *l);
/* Returns whether a trap that the model must take is the next thing to compare before
 * `event`. */
bool compare_awaits_trap(const struct lane *l, uint32_t event);
/* Returns whether changes by the last instruction wait for the next frame. */
bool compare_is_deferred(const struct lane *l);

/* Makes the model take an interrupt of the trace, and compares that with the event; and
 * compares the registers of the hart with their hash. `instret` instructions of the hart
 * are before. */
void compare_interrupt(struct lane *l, const struct tr_event *event, uint64_t instret);
void compare_registers(struct lane *l, const struct tr_event *event, uint64_t instret);

/* Saves and loads the place, in the first row of the view, and what is deferred, in two
 * parts. After both and the view have been loaded, compare_restore() takes up the
 * comparison at token `token` of the model; it returns false if the place is not that of
 * the token. */
void compare_put_place(const struct lane *l, struct tr_buffer *out);
void compare_put_late(const struct lane *l, struct tr_buffer *out);
void compare_load_place(struct lane *l, struct tr_bytes *in);
void compare_load_late(struct lane *l, struct tr_bytes *in);
/* The machine has been loaded: takes its satp. */
void compare_load_satp(struct lane *l);
bool compare_restore(struct lane *l, unsigned token, unsigned bytes);

#endif
