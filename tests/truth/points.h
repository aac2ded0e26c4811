/* SPDX-License-Identifier: Apache-2.0 */
/* Where to look: tokens of the run, and what tr-unwind says of them. */
#ifndef TRUTH_POINTS_H
#define TRUTH_POINTS_H

#include "machine.h"
#include "stream/reader.h"

/* Over the whole run; shortly before or after an event; the first instructions of a task,
 * behind the change of tp; those behind a call of a function within itself; and those
 * around a trap that the supervisor takes, or its return. */
enum point_set {
	SET_RUN,
	SET_TRAP,
	SET_SWITCH,
	SET_SIGNAL,
	SET_FIRST,
	SET_INSIDE,
	SET_ENTRY,
	SETS
};

struct point {
	uint64_t token;
	uint32_t node, thread, process; /* tr-unwind's */
	uint8_t priv;
	enum point_set set;
};

struct points {
	struct point *points; /* ascending by token */
	size_t count;
	uint64_t tokens; /* of the run */
};

/* In place of a number of points: every instruction, for SET_RUN alone. */
#define POINTS_EVERY SIZE_MAX

/* Runs `m` to its end to see where traps, switches and signals are, then chooses so
 * many of each set, or all there are of SET_FIRST and SET_INSIDE. False, after a message:
 * out of memory, a run that does not end by itself, or one without such events. */
bool points_choose(struct points *p, struct machine *m, const size_t most[SETS]);
void points_free(struct points *p);
/* Fills in all but token and set from a stream of stacks; its definitions stay with the
 * reader. False, after a message. */
bool points_read(struct points *p, struct tr_reader *reader);

#endif
