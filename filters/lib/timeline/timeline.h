/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks over time, for writers of timelines.
 *
 * A frame of a stack is a slice of a track: it opens when it is entered, and closes when
 * it leaves its stack. A track belongs to a thread in a process, or to a hart. Slices
 * nest; a slice opens after all that closed before it on its track, and after those
 * around it. Times are in cycles.
 *
 * A slice is passed on when it has lasted for the minimum, together with those around it,
 * so that memory is that of the open stacks. Of threads that do not run, about a thousand
 * keep their stacks: the slices of others close where the thread ran last, and open again
 * when it continues. A shorter one is left out: its cycles remain
 * in the slice around it, and in the sums. */
#ifndef TR_TIMELINE_H
#define TR_TIMELINE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/profile.h"
#include "stream/reader.h"
#include "timeline/marks.h"
#include "timeline/tasks.h"

#define TR_TIMELINE_NONE UINT32_MAX /* no track */
/* The minimum is a fixed part of the cycles since the beginning of the window: the
 * beginning is complete, and the size of the output grows with the logarithm of the
 * length of the run. */
#define TR_TIMELINE_AUTO UINT64_MAX

struct tr_timeline_options {
	uint64_t min_cycles; /* of a slice; 0 and 1: all that took any time */
	uint32_t max_depth;  /* deeper frames are left out; 0: none */
	bool by_hart;	     /* tracks of harts, not of threads */
};

struct tr_timeline_track {
	const char *name; /* "demo#7", or "hart 0": the profile's, valid until the thread
			   * gets another, or the timeline's */
	const char *process; /* "demo#3", "[kernel threads]", "-" for none; NULL: of a
			      * hart */
	uint32_t number;     /* of the thread or hart, in the stream */
	uint32_t group;	     /* of the process; tracks of one process have the same */
	bool is_process;     /* a numbered one: `group` is its number */
	bool again;	     /* the thread has an older track, in another process */
	bool overlaps;	     /* the thread is on another hart as well */
	uint32_t hart;	     /* on which it was first */
	uint32_t task;	     /* of the kernel, or TR_TASK_NONE, also if it is idle */
};

struct tr_timeline_slice {
	uint64_t start, end; /* cycles; `end` only when it closes */
	uint64_t cycles;     /* that the track ran in it, with the frames above it */
	uint64_t own;	     /* that it was the last frame; both only when it closes */
	uint32_t track;
	uint32_t depth; /* from 0 */
	uint32_t func;	/* for tr_profile_func() */
};

/* The increase of a counter of a hart from one cycle to another. */
struct tr_timeline_rise {
	uint64_t from, to;
	int64_t rise; /* negative if the counter fell */
	uint32_t hart, set, counter;
};

/* The cycles that a hart ran in each privilege, from one cycle to another, for at least
 * the minimum; untraced time has none. */
enum { TR_TIMELINE_MODES = 9 };
struct tr_timeline_modes {
	uint64_t from, to;
	uint64_t cycles[TR_TIMELINE_MODES]; /* by TR_PRIV_* */
	uint32_t hart;
};
/* Returns the privilege with the most cycles, or -1 if there are none. */
int tr_timeline_most(const uint64_t cycles[TR_TIMELINE_MODES]);

struct tr_timeline_sums {
	uint64_t from, to;		 /* cycles of the first and the last step */
	uint64_t cycles;		 /* of all harts */
	uint64_t slices;		 /* passed on */
	uint64_t short_calls, short_own; /* below the minimum */
	uint64_t deep_calls, deep_own;	 /* below the depth */
	uint64_t minimum;		 /* at the end */
	bool grows;			 /* the minimum is TR_TIMELINE_AUTO */
	uint32_t tracks;
};

/* A writer; one without open() has no slices. Its functions return a status, which ends
 * the timeline; those that are NULL are not called. Write errors may be left in ferror().
 */
struct tr_timeline_writer {
	uint64_t parts; /* the automatic minimum is the window divided by this */
	bool rests;	/* a thread's slices close while it does not run, and open again
			 * after that */
	int (*track)(void *state, uint32_t track, const struct tr_timeline_track *);
	int (*open)(void *state, const struct tr_timeline_slice *);
	int (*close)(void *state, const struct tr_timeline_slice *);
	/* A hart runs another track from `cycle` on; either may be TR_TIMELINE_NONE. By
	 * hart, these are tracks of threads without slices. */
	int (*run)(void *state, uint32_t hart, uint64_t cycle, uint32_t from,
		   uint32_t to);
	int (*modes)(void *state, const struct tr_timeline_modes *);
	/* A hart ran a stack, on the track of a thread. */
	int (*step)(void *state, const struct tr_profile_step *, uint32_t track);
	int (*rise)(void *state, const struct tr_timeline_rise *);
	int (*task)(void *state, const struct tr_task_event *);
	int (*mark)(void *state, const struct tr_mark_event *);
	int (*finish)(void *state, const struct tr_timeline_sums *);
	/* Describes what is left out, if it differs from the sums; "" if nothing is. */
	void (*left_out)(const void *state, char *text, size_t size);
};

struct tr_timeline;

/* Creates a timeline, which keeps all arguments but the options; `tasks` has taken no
 * hit, or is NULL. Returns NULL when out of memory; tr_timeline_free() accepts NULL. */
struct tr_timeline *tr_timeline_new(const struct tr_timeline_options *options,
				    const struct tr_profile *profile,
				    const struct tr_counters *counters,
				    struct tr_tasks *tasks,
				    const struct tr_timeline_writer *writer, void *state);
void tr_timeline_free(struct tr_timeline *);
/* Also takes marks, from the first frame on; `marks`, and the probes of the header, are
 * kept. */
void tr_timeline_take_marks(struct tr_timeline *, struct tr_marks *marks,
			    const struct tr_probe_names *probes);

/* Announces a frame whose steps follow: the hits of its probes are copied, and taken
 * between the steps. Returns a status. */
int tr_timeline_frame(struct tr_timeline *, const struct tr_sframe *frame);
/* Takes a step; `timeline` is a struct tr_timeline: for tr_profile_observe(). Returns a
 * status. */
int tr_timeline_step(void *timeline, const struct tr_profile_step *step);
/* Takes the samples of counters of a frame whose steps were taken, as far as they are in
 * the profile's window. Returns a status. */
int tr_timeline_frame_end(struct tr_timeline *, const struct tr_sframe *frame);
/* Closes all slices after the last step, each where its track ran last, and calls the
 * writer's finish(). Returns a status. */
int tr_timeline_finish(struct tr_timeline *);

/* Returns the sums so far. */
struct tr_timeline_sums tr_timeline_sums(const struct tr_timeline *);

#endif
