/* SPDX-License-Identifier: Apache-2.0 */
/* The tasks of a Linux kernel over time, from the hits of the probes in linux.probes: who
 * is whose child, which task each hart runs, what woke it and how long it then waited,
 * and its system calls; and the goroutines of programs in Go, from those in go.probes. Of
 * other kernels, which task each hart runs.
 *
 * A probe is known by its name and the fields that are needed; it may have more. The
 * parent of a process is the real parent that the probe "fork" reports, never a guess.
 *
 * Hits of a hart come in order of time; those of other harts may lag behind by part of a
 * frame. Memory grows with the number of tasks, and of distinct durations in tallies. */
#ifndef TR_TASKS_H
#define TR_TASKS_H

#include <stdbool.h>
#include <stdint.h>

#include "profile/profile_durations.h"
#include "stream/probes.h"
#include "stream/stream.h"
#include "timeline/tallies.h"

#define TR_TASK_NONE UINT32_MAX

/* TR_TASK_UNKNOWN stands for what a hart runs before its first switch if no probe reports
 * it, TR_TASK_NOBODY for what it runs while it has no task. The numbers of tasks that the
 * kernel does not number follow. */
#define TR_TASK_UNKNOWN INT32_C(1000000000)
#define TR_TASK_NOBODY	(TR_TASK_UNKNOWN + 1)

enum { TR_TASK_COMM = 32, TR_TASK_LABEL = TR_TASK_COMM + 16, TR_TASK_ARGS = 6 };

/* A name of a task from `cycle` on. */
struct tr_task_name {
	uint64_t cycle;
	const char *comm;
	const char *program;   /* file that an exec began to run, or NULL: no exec */
	const char *arguments; /* of the exec, separated by spaces; or NULL */
	uint32_t next;	       /* for tr_tasks_name(), TR_TASK_NONE after the last */
};

struct tr_task {
	int32_t pid;	  /* unless is_numbered: from TR_TASK_UNKNOWN on */
	bool is_numbered; /* by the kernel */
	uint32_t process; /* number of the task that leads its thread group */
	uint32_t parent;  /* of a leader: that of its real parent's, or TR_TASK_NONE */
	uint64_t start;	  /* cycle of its fork; 0: none was seen, it is older */
	uint64_t end;	  /* cycle of its exit, of a leader that of the last exit of its
			   * group; UINT64_MAX: not seen */
	uint64_t ran;	  /* cycles that harts ran it in the window */
	uint64_t code;	  /* of its exit, as wait() gives it */
	char comm[TR_TASK_COMM];   /* its last name */
	uint32_t first_name;	   /* for tr_tasks_name() */
	struct tr_durations waits; /* cycles from each wake-up until it ran */
};

enum tr_task_event_kind {
	TR_TASK_FORK,	/* `other` made `task` */
	TR_TASK_RENAME, /* from the name `text` */
	TR_TASK_EXIT,
	TR_TASK_GONE,	  /* a hart left it for the last time */
	TR_TASK_SWITCH,	  /* a hart goes from `task` to `other`; either may be
			   * TR_TASK_NONE, where the window begins and ends */
	TR_TASK_WAKING,	  /* `other` wakes `task`, which a hart left at `start` */
	TR_TASK_WAITED,	  /* from a wake-up by `other` at `start` until it ran */
	TR_TASK_SYSCALL,  /* from `start`; may have no result */
	TR_TASK_GOROUTINE /* of process `task`, has been in state `text` from `start`, on
			   * thread `other` or TR_TASK_NONE; its goid is `state`, and
			   * `number` one of the goroutines that are there at a time */
};
struct tr_task_event {
	enum tr_task_event_kind kind;
	uint64_t cycle, start;
	uint32_t hart, task, other;
	/* SYSCALL: its name, "" if unknown. Valid during the call */
	const char *text;
	uint64_t state;	 /* SWITCH: the kernel's of `task` */
	uint64_t number; /* SYSCALL */
	const uint64_t *args;
	int64_t result;
	bool has_result;
};

struct tr_tasks_sums {
	uint64_t hits;	     /* of these probes */
	uint64_t incomplete; /* of them without a number that it needs, or with one that
			      * cannot be */
	uint64_t left_out;   /* the same, of probes that tell of no task */
	const char *left_out_probe; /* the first of these, or NULL */
	bool are_several;	    /* and it is not the only one */
	uint64_t unseen;	    /* switches that must have been, but had no hit */
	uint64_t unseen_states;	    /* changes of goroutines' states from another one than
				     * the last, or at addresses that cannot be */
};

/* What is counted, and what a key has. */
enum tr_tally_kind {
	TR_TALLY_SYSCALLS,   /* by a process; number, and name of what serves it */
	TR_TALLY_WAKEUPS,    /* of a task by another one, until it ran */
	TR_TALLY_RUNQUEUE,   /* waits for a hart of a task; why it had to: "woken", or
			      * "preempted" if it was left when it could have run on */
	TR_TALLY_INTERRUPTS, /* number and name */
	TR_TALLY_SOFTIRQS,   /* number and name */
	TR_TALLY_FAULTS,     /* of pages, by a process; name of the file or region */
	TR_TALLY_LOCKS, /* waits of a task for what another one holds; address, kind and
			 * name */
	TR_TALLY_ACTIVATIONS, /* of a task: from when it could run until it slept */
	TR_TALLY_MASKED,      /* interrupts are masked: where that begins and ends */
	TR_TALLY_STACKS,      /* bytes of a task's stack that were never used, each time
			       * that a hart left it; bytes of the stack, 0: not known */
	TR_TALLY_BLOCK,	      /* requests of disks: operation and device */
	TR_TALLY_KINDS
};

/* What a stream lacks for a kind of tallies: a probe, or a field of it unless NULL. */
struct tr_tasks_lack {
	const char *probe, *field;
	const char *absence; /* why the kernel has no such probe, NULL if not known */
};

struct tr_tasks;

/* Creates an empty table for the probes of a header, which are kept. Returns NULL when
 * out of memory; tr_tasks_free() accepts NULL. */
struct tr_tasks *tr_tasks_new(const struct tr_probe_names *probes);
void tr_tasks_free(struct tr_tasks *);
/* Passes each event in the window to `take`; a status that it returns is passed on. */
void tr_tasks_observe(struct tr_tasks *,
		      int (*take)(void *context, const struct tr_task_event *),
		      void *context);

/* Return true if the header has the probes of forks, and of switches. */
bool tr_tasks_has_forks(const struct tr_tasks *);
bool tr_tasks_has_switches(const struct tr_tasks *);

/* Sets the cycles of the window; `from` is UINT64_MAX before it has begun. */
void tr_tasks_window(struct tr_tasks *, uint64_t from, uint64_t to);
/* A hart runs in the window from `cycle` on. */
void tr_tasks_begin(struct tr_tasks *, uint32_t hart, uint64_t cycle);
/* Takes a hit, which may be of another probe. Returns a status. */
int tr_tasks_take(struct tr_tasks *, uint32_t hart, const struct tr_hit *hit);
/* A hart runs in the window no longer. Returns a status. */
int tr_tasks_end(struct tr_tasks *, uint32_t hart, uint64_t cycle);
/* Ends the system calls that are open, after all harts have ended. Returns a status. */
int tr_tasks_finish(struct tr_tasks *, uint64_t cycle);

/* Return a task, valid until the next hit, and the number of tasks. */
const struct tr_task *tr_tasks_at(const struct tr_tasks *, uint32_t task);
uint32_t tr_tasks_count(const struct tr_tasks *);
const struct tr_task_name *tr_tasks_name(const struct tr_tasks *, uint32_t name);
/* Return the task that a hart runs, TR_TASK_NONE before its first switch, and the one
 * that it ran up to that. */
uint32_t tr_tasks_running(const struct tr_tasks *, uint32_t hart);
uint32_t tr_tasks_first(const struct tr_tasks *, uint32_t hart);
/* Formats "sort[19]", or "sort" without a number. Returns text. */
char *tr_task_label(const struct tr_task *, char text[TR_TASK_LABEL]);
struct tr_tasks_sums tr_tasks_sums(const struct tr_tasks *);
/* Counts what is of this kind from now on. */
void tr_tasks_tally(struct tr_tasks *, enum tr_tally_kind);
/* From now on the slowest of each tally of activations are kept. */
void tr_tasks_keep_slowest(struct tr_tasks *);
/* Returns the tallies of what ended in the window, with all of its cycles, and of what
 * was open at its end; none unless they were asked for. */
const struct tr_tallies *tr_tasks_tallies(const struct tr_tasks *);
/* Returns true if the header lacks something for this kind, which it sets. */
bool tr_tasks_lacks(const struct tr_tasks *, enum tr_tally_kind, struct tr_tasks_lack *);

/* Returns the numbers of the processes, parents before their children, those in order of
 * their start and pid: `*count` of them, for the caller to free; NULL when out of memory.
 * Sets (*depths)[i] to the number of ancestors of the i-th; the caller frees *depths. */
uint32_t *tr_tasks_tree(const struct tr_tasks *, uint32_t **depths, uint32_t *count);

#endif
