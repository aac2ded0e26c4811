/* SPDX-License-Identifier: Apache-2.0 */
/* Points of comparison: tokens of the run, with tr-unwind's results. */
#ifndef TRUTH_POINTS_H
#define TRUTH_POINTS_H

#include "machine.h"
#include "stream/reader.h"

/* Over the whole run; shortly before or after an event; the first instructions of a task
 * after the change of tp; those after a call of a function within itself; and those
 * around a trap to the supervisor, or its return. */
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
	uint64_t token; /* in the order of the machine */
	uint64_t own;	/* among those of its hart */
	unsigned hart;
	uint32_t node, thread, process; /* of tr-unwind */
	const char *name;		/* of the thread then; of the reader, or below */
	uint8_t priv;
	enum point_set set;
};

struct points {
	struct point *points; /* sorted by token */
	size_t count;
	uint64_t tokens; /* of the run */
	struct point_name *names;
};

/* Points of Linux, by set. */
#define POINTS_LINUX                                                                     \
	{                                                                                \
		10000, 4000, 3000, 3000, 40000, 40000, 10000                             \
	}
/* Instead of a number of points: every instruction, for SET_RUN only. */
#define POINTS_EVERY SIZE_MAX

/* Runs `m` to its end to find traps, switches and signals, then chooses so many points of
 * each set, or all of SET_FIRST and SET_INSIDE. Returns false, after a message, if memory
 * runs out, the run does not end by itself, or (`needs_all`) there are no such events. */
bool points_choose(struct points *p, struct machine *m, const size_t most[SETS],
		   bool needs_all);
void points_free(struct points *p);
/* Runs `m`, which has been reset, again to find the hart of each point. */
void points_locate(struct points *p, struct machine *m);
/* Sets node, thread, name, process and priv from a stream of stacks; the reader keeps its
 * definitions. Returns false after a message. */
bool points_read(struct points *p, struct tr_reader *reader);

#endif
