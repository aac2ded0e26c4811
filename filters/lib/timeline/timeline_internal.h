/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of a timeline, shared by timeline*.c. */
#ifndef TR_TIMELINE_INTERNAL_H
#define TR_TIMELINE_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "stream/counters.h"
#include "timeline/timeline.h"

struct slice {
	uint64_t start;
	uint64_t ran; /* `ran` of its stack at the start */
	uint64_t own;
};

/* The open slices of a track that has run lately. */
struct stack {
	struct slice *slices;
	size_t capacity;
	uint32_t depth, written; /* slices, and how many of them were passed on */
	uint32_t node, raw;	 /* of the last step; 0: none */
	uint32_t track;
	uint64_t ran; /* cycles */
};

/* Small, since there is one for each thread. */
struct track {
	struct stack *stack; /* NULL: no slices are open */
	uint64_t until;	     /* end of the last step */
};

/* The samples of a hart: what was passed on last, and the newest one. */
struct hart_samples {
	struct tr_samples passed, newest;
	uint64_t passed_at[TR_MAX_COUNTER_SETS], newest_at[TR_MAX_COUNTER_SETS];
	uint32_t sampled; /* sets, as bits */
};

struct hart {
	uint32_t number;
	uint32_t running; /* track of its thread, or TR_TIMELINE_NONE */
	uint32_t own;	  /* track of its own, or TR_TIMELINE_NONE */
	uint32_t thread;  /* of its last step, if there are tasks */
	uint32_t runs;	  /* thread of its last step, or UINT32_MAX */
	bool has_begun;
	uint64_t until;
	char name[16];
	struct hart_samples samples;
	struct tr_timeline_modes modes; /* not passed on yet */
};

/* What is known of a thread. */
struct current {
	uint32_t track;		 /* or TR_TIMELINE_NONE */
	uint32_t task;		 /* or TR_TASK_NONE */
	uint32_t hart;		 /* of its last step */
	uint64_t ran, ran_until; /* cycles of all steps, and the end of the last one */
};

/* Hits of a hart's probes that were not taken yet, from number `at` on. */
struct queued {
	struct tr_hit hit;
	size_t place; /* of its values */
};
struct pending {
	struct queued *hits;
	size_t room;
	uint32_t at, count;
	struct tr_buffer values;
	uint32_t hart;
	uint64_t limit; /* cycle up to which they are taken */
};

/* A mark where the window begins. */
struct early_mark {
	uint64_t cycle;
	struct tr_mark mark;
	uint32_t hart;
	char name[TR_MARK_NAME];
};

struct tr_timeline {
	struct tr_timeline_options options;
	const struct tr_profile *profile;
	const struct tr_counters *counters;
	const struct tr_timeline_writer *writer;
	void *state;
	struct track *tracks;
	struct stack **stacks;	/* of tracks; the oldest ones are forgotten */
	uint32_t *paths;	/* functions of a stack, root first */
	struct tr_tasks *tasks; /* or NULL */
	struct tr_marks *marks; /* or NULL */
	const struct tr_probe_names *probes; /* with marks */
	struct early_mark *early;	     /* of harts whose thread is not known yet */
	size_t early_room;
	uint32_t nearly;
	struct current *current; /* of each thread */
	uint32_t *task_tracks;	 /* of each task its newest track, or TR_TIMELINE_NONE */
	size_t track_capacity, stack_capacity, path_capacity, current_capacity,
	    task_capacity;
	size_t slices; /* of all stacks, with their room for more */
	uint32_t nstacks, ncurrent, ntask_tracks;
	struct tr_map track_map; /* from (group, thread) */
	struct tr_map task_map;	 /* from (group, task), if the task is known */
	struct pending pending[TR_MAX_HARTS];
	uint32_t npending;
	uint64_t next_hit; /* its cycle, UINT64_MAX for none */
	struct hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	bool has_begun;
	struct tr_timeline_sums sums;
};

/* Returns the minimum duration of a slice that is open at `cycle`, at least 1. */
uint64_t tr_timeline_minimum(const struct tr_timeline *t, uint64_t cycle);
/* Returns the hart, which may be new: readers allow at most TR_MAX_HARTS. */
struct hart *tr_timeline_hart(struct tr_timeline *t, uint32_t number);
/* timeline_slices.c: moves the slices of a track to the stack of a step. Returns a
 * status.
 */
int tr_timeline_change(struct tr_timeline *t, uint32_t track,
		       const struct tr_profile_step *step);
/* Passes on the slices that have lasted for the minimum. Returns a status. */
int tr_timeline_ripen(struct tr_timeline *t, uint32_t track);
/* Closes the slices above `depth` at `cycle`. Returns a status. */
int tr_timeline_close(struct tr_timeline *t, uint32_t track, uint32_t depth,
		      uint64_t cycle);
void tr_timeline_free_stacks(struct tr_timeline *t);
/* timeline_hits.c: takes the hits of probes up to the beginning of a hart's step. Returns
 * a status. */
int tr_timeline_hits(struct tr_timeline *t, const struct hart *hart, uint64_t cycle);
/* Takes the marks where the window began, after the first step of the hart. Returns a
 * status. */
int tr_timeline_early_marks(struct tr_timeline *t, const struct hart *hart);
void tr_timeline_release_hits(struct tr_timeline *t);
/* A hart has its first step. */
void tr_timeline_begin_hart(struct tr_timeline *t, struct hart *hart, uint64_t cycle);
/* Takes the last hits, and ends what is open. Returns a status. */
int tr_timeline_end_tasks(struct tr_timeline *t);
/* Returns the task of the step's thread, or TR_TASK_NONE. */
uint32_t tr_timeline_task(struct tr_timeline *t, struct hart *hart,
			  const struct tr_profile_step *step);
/* timeline_harts.c: takes the samples of a frame. Returns a status. */
int tr_timeline_samples(struct tr_timeline *t, const struct tr_sframe *frame);
/* Takes the privilege of a step. Returns a status. */
int tr_timeline_mode(struct tr_timeline *t, struct hart *hart,
		     const struct tr_profile_step *step);
/* Passes on the samples and privileges that the minimum held back. Returns a status. */
int tr_timeline_flush(struct tr_timeline *t, struct hart *hart);
void tr_timeline_release_samples(struct hart *hart);

#endif
