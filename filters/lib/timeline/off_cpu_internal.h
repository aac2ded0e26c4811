/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of waits, shared by off_cpu*.c. */
#ifndef TR_OFF_CPU_INTERNAL_H
#define TR_OFF_CPU_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "stream/probes.h"
#include "timeline/off_cpu.h"

/* TASK_DEAD of Linux. */
#define OFF_CPU_STATE_DEAD UINT64_C(0x80)
#define OFF_CPU_NONE	   UINT32_MAX

enum off_cpu_kind {
	OFF_CPU_SWITCH,
	OFF_CPU_BLOCKS, /* the task of the hart will sleep */
	OFF_CPU_WAKEUP,
	OFF_CPU_ARRIVAL, /* a switch has led the hart to the thread */
	OFF_CPU_RETURN
};

/* A hit of a probe, and then an event. */
struct off_cpu_hit {
	uint64_t cycle;
	uint64_t value; /* SWITCH: state of the task that leaves; WAKEUP: cycle in which
			 * the call began */
	uint64_t task;	/* that leaves, is woken or has arrived: its number, or its place
			 * if the kernel does not number tasks; 0: not told, or Linux's
			 * idle task */
	uint64_t next;	/* SWITCH: the task that the hart goes on with, 0: not told */
	enum off_cpu_kind kind;
};

struct off_cpu_event {
	struct off_cpu_hit is; /* RETURN: in the cycle in which the thread runs again */
	uint64_t left;	       /* RETURN: cycle */
	uint64_t from, to;     /* RETURN: the window */
	uint64_t number;       /* by which events of one cycle are ordered */
	uint32_t thread;
	uint32_t stack; /* WAKEUP: the waker's; RETURN: on which the thread left */
};

/* Hits of a hart that no row has reached. */
struct off_cpu_hart {
	uint32_t number;
	struct off_cpu_hit *hits;
	size_t room;
	uint32_t at, count;
	uint32_t thread; /* of the last row */
	uint64_t next; /* task that it goes to, 0 if it has arrived or that is not told */
	bool has_run;
};

/* A wait, or the part of one that is not divided yet. */
struct off_cpu_wait {
	uint64_t left, back; /* cycles */
	uint64_t from, to;   /* the window */
	uint32_t stack;
};

struct off_cpu_thread {
	/* Rows, which are ahead of events */
	bool has_run, is_gap; /* the last row is of untraced time */
	bool has_got_tp;      /* another thread goes on with its stack */
	uint64_t until;	      /* end of the last row */
	uint32_t node, raw, group;
	uint64_t last; /* number of its last row, of all threads */
	/* Events */
	bool has_left; /* by a switch, with `state` */
	bool is_idle;
	bool is_task;  /* a switch has led to it */
	uint64_t task; /* then: its number or place, 0: not told */
	uint64_t state, left;
	uint32_t waker;	 /* stack; OFF_CPU_NONE: not woken yet */
	uint64_t woken;	 /* cycle */
	bool is_pending; /* `pending` ended without a wake-up so far */
	struct off_cpu_wait pending;
};

/* A stack and a way to wait. */
struct off_cpu_cell {
	uint32_t stack, waker;
	uint64_t cycles, waits;
	uint8_t reason;
	bool at_end;
};

struct off_cpu_stack {
	uint32_t group, node;
};

struct tr_off_cpu {
	struct tr_profile *profile;
	/* Probes, UINT32_MAX if there are none, and their fields */
	uint32_t switch_probe, start_probe, blocks_probe, wakeup_probe;
	uint32_t prev, state, next, start, left, woken, began;
	bool is_numbered; /* tasks have numbers, or else places */
	bool has_forks;	  /* the kernel is Linux, where task 0 is idle */
	struct off_cpu_hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	struct off_cpu_event *events;
	size_t event_room, nevents;
	uint64_t numbers, rows;
	uint64_t latest; /* end of the last row of all harts */
	struct off_cpu_thread *threads;
	size_t thread_room;
	uint32_t nthreads;
	struct tr_map by_task; /* the thread that was the task last */
	struct off_cpu_stack *stacks;
	struct off_cpu_cell *cells;
	size_t stack_room, cell_room;
	uint32_t nstacks, ncells;
	struct tr_map stack_map; /* from (group, node) */
	struct tr_map way_map;	 /* from (reason and end, waker) to a number */
	struct tr_map cell_map;	 /* from (stack, way) */
	uint32_t nways;
	struct tr_off_cpu_sums sums;
};

/* off_cpu_hits.c: finds the probes. */
void tr_off_cpu_find_probes(struct tr_off_cpu *, const struct tr_probe_names *);
/* Reads a hit. Returns false if it is of another probe, or lacks a number, which is
 * counted. */
bool tr_off_cpu_read(struct tr_off_cpu *, const struct tr_hit *hit,
		     struct off_cpu_hit *to);

/* off_cpu.c: takes an event. Return a status. */
int tr_off_cpu_take(struct tr_off_cpu *, const struct off_cpu_event *);
/* Returns the cycles of a wait that are in the window. */
static inline uint64_t off_cpu_in_window(const struct off_cpu_wait *wait)
{
	const uint64_t from = wait->left > wait->from ? wait->left : wait->from;
	const uint64_t to = wait->back < wait->to ? wait->back : wait->to;
	return from < to ? to - from : 0;
}
/* off_cpu_waits.c: adds a wait of a thread that left with a state, or without. */
int tr_off_cpu_add(struct tr_off_cpu *, struct off_cpu_thread *,
		   const struct off_cpu_wait *, bool at_end);
/* Divides the wait that is pending, or adds it as it is if `waker` is OFF_CPU_NONE. */
int tr_off_cpu_settle(struct tr_off_cpu *, struct off_cpu_thread *, uint64_t woken,
		      uint32_t waker);

#endif
