/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the replay: one hart's part of a frame, and how far the model
 * has come in it. */
#ifndef REPLAY_LANE_H
#define REPLAY_LANE_H

#include "replay.h"

enum { REPLAY_MESSAGE = 512, REPLAY_CARRIED = 16, REPLAY_LATE = 4 };

/* Events of the trace are of three kinds: those that the model repeats and `told` checks;
 * those that supply something to an instruction; and those on which the replay acts. */
struct lane {
	struct replay *replay;
	unsigned number; /* of the hart */
	const struct tr_hart_frame *frame;
	uint64_t instret; /* of the model, before the frame's first row */
	/* The model's instructions and changes up to here have been compared. */
	struct {
		uint32_t row, event;   /* the next ones */
		uint16_t token, bytes; /* of that row, before the next token */
		uint64_t instret;
	} told;
	/* The model has been run up to here. */
	struct {
		uint32_t row, event;
		uint64_t instret;
	} run;
	/* The next event for an instruction, and the instructions before its row. */
	struct {
		uint32_t row, event;
		uint64_t instret;
	} supply;
	/* What the frame's last instruction changed, if the events are in the next one.
	 */
	struct late {
		unsigned kind, number; /* enum tr_event_kind; a register or privilege */
		uint64_t value;
	} late[REPLAY_LATE];
	unsigned nlate;
	/* Events for the first instruction of the next frame. */
	struct tr_event carried[REPLAY_CARRIED];
	unsigned ncarried, carried_used;
	bool begun;
};

struct replay {
	struct soc *soc;
	struct tr_reader *reader;
	struct lane lanes[SOC_HARTS_MAX];
	unsigned harts;
	uint64_t stamp; /* of the model's row caches: that of the generation */
	struct replay_counts counts;
	bool interrupting; /* the trap in hand is an interrupt from the trace */
	bool failed;
	uint64_t failed_at; /* instructions of the hart before the difference */
	char message[REPLAY_MESSAGE];
};

/* Notes a difference at the instruction after `instret` others of the hart, unless one is
 * known that comes before it. */
void replay_fail(struct lane *l, uint64_t instret, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* told.c: the hooks of the model that compare. */
void told_set_hooks(struct replay *r);
/* Compares what the last frame has left. */
void told_begin(struct lane *l);
/* Checks that everything up to this place of the frame has been compared: the row, and
 * the events before `event`. */
void told_check(struct lane *l, uint32_t row, uint32_t event);
/* Returns whether a trap that the model must take is the next thing to compare before
 * `event`. */
bool told_awaits_trap(const struct lane *l, uint32_t event);

/* supply.c: values for the model's instructions. */
void supply_set_hooks(struct replay *r);
/* Checks that all events before this place, counted in instructions, have been used. */
void supply_check(struct lane *l, uint64_t instret);
/* Keeps what is for the first instruction of the next frame. */
void supply_carry(struct lane *l);

#endif
