/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of the table of tasks, shared by tasks*.c. */
#ifndef TR_TASKS_INTERNAL_H
#define TR_TASKS_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "base/status.h"
#include "timeline/tasks.h"

/* What a task does. One that never slept, or that slept and ran again before the hit of
 * its wake-up, is not woken. */
enum task_state { ASLEEP, WOKEN, RUNNABLE, RUNNING };

enum { STATE_BYTES = 64 };

struct task {
	struct tr_task is;
	enum task_state state;
	bool was_forked, is_exiting, is_gone;
	bool is_named;		   /* as a leader or a parent, which it remains */
	bool ran_unwoken;	   /* it ran last without a wake-up that was seen */
	uint64_t woken, run, left; /* cycles of its last wake-up, since when it ran last,
				    * and in which a hart left it last */
	uint64_t away;		   /* cycles from when harts left it until it ran again */
	uint32_t waker;
	uint32_t last_name;
	/* Of a leader: tasks of its group, those that have exited, and those that are
	 * gone. */
	uint32_t members, exited, gone;
	uint64_t call_start, call_number, call_args[TR_TASK_ARGS];
	uint64_t call_away; /* `away` at its start */
	uint32_t call_tally;
	char call_name[STATE_BYTES]; /* of the system call; "": unknown */
	bool is_in_call;
	uint64_t lock_start;
	uint32_t lock_tally;
	uint64_t active_since, active_ran; /* of an activation: cycle, and cycles that
					    * harts ran it up to its last switch */
	bool is_active, was_active;
	bool is_unwoken;	/* the wake-up of its activation was not seen */
	uint64_t active_before; /* cycle of the activation before */
	bool has_before;	/* a period can begin with it */
	bool is_at_lock;	/* it waits for it */
	uint32_t goroutine;	/* that it runs, or TR_TASK_NONE */
};

/* A place of Go's runtime for a goroutine. */
struct goroutine {
	uint64_t since; /* cycle, of its state */
	int32_t goid;
	uint32_t process, thread;
	char state[STATE_BYTES]; /* "": unknown, or there is none */
	bool is_running, is_off; /* its thread has no hart */
};

/* A place of the kernel for a request of a disk. */
struct block_request {
	uint64_t began, bytes;
	uint32_t tally;
	bool is_open;
};

struct task_hart {
	uint32_t number;
	uint32_t running; /* TR_TASK_NONE: not known yet */
	uint64_t since;	  /* up to here its cycles were counted */
	uint64_t begin;
	uint32_t first; /* the task that it ran first; TR_TASK_NONE: not known yet */
	bool has_begun, has_opened; /* it runs in the window; its first switch was
				     * passed on */
	bool blocks;		    /* its task sleeps from the next switch on */
	bool is_told; /* before a switch, a hit was of the task that it runs: */
	int32_t told, told_tgid;
};

/* Probes, and the fields that they must have. */
enum probe_kind {
	FORK,
	EXEC,
	COMM,
	EXIT,
	SWITCH,
	START, /* a switch to the first task of a hart */
	IDLE,  /* a switch to no task */
	WAKEUP,
	CALL,
	RESULT,
	STATUS,
	PREEMPT,
	GOROUTINE,
	INTERRUPT,
	SOFTIRQ,
	FAULT,
	LOCK,
	LOCK_END,
	BLOCKS,
	MASKED,
	STACK,
	BLOCK,
	BLOCK_END,
	KINDS
};
enum { MOST_FIELDS = 10 };

struct tr_tasks {
	const struct tr_probe_names *probes;
	uint8_t *kind_of;		 /* of each probe; KINDS: another one */
	uint16_t (*fields)[MOST_FIELDS]; /* of each probe: numbers of its fields */
	bool has[KINDS];
	bool has_states; /* switches tell the state of the task that is left */
	int (*take)(void *context, const struct tr_task_event *);
	void *context;
	struct task *tasks;
	size_t task_room;
	uint32_t count;
	struct tr_map by_pid;	/* the newest task of each pid */
	struct tr_map by_place; /* the newest task without a number of each place */
	int32_t nunnumbered;
	struct tr_task_name *names;
	size_t name_room;
	uint32_t nnames;
	struct tr_arena text;
	struct goroutine *goroutines;
	size_t goroutine_room;
	uint32_t ngoroutines;
	struct tr_map by_address; /* goroutines, from process and address */
	struct block_request *requests;
	size_t request_room;
	uint32_t nrequests;
	struct tr_map by_request; /* their places */
	struct task_hart harts[TR_MAX_HARTS];
	uint32_t nharts;
	uint64_t from, to;
	struct tr_tallies tallies;
	enum tr_tally_kind tallied; /* the kind of them, TR_TALLY_KINDS: none */
	struct tr_tasks_sums sums;
};

enum { TEXT_BYTES = 256 }; /* kept of a path or of arguments */

/* A hit whose values were checked: only those of its kind are set. */
struct task_hit {
	uint64_t cycle;
	uint32_t hart;
	enum probe_kind kind;
	int32_t pid, other, ppid; /* FORK: the caller is `other`; SWITCH: next; those of
				   * go.probes: pid is the goid */
	int32_t tgid, other_tgid; /* 0: not reported */
	bool has_prev;		  /* SWITCH: pid and comm are reported */
	bool is_killed;		  /* RESULT: the task will not see it */
	bool is_by_running;	  /* WAKEUP: by the task that the hart runs */
	char comm[TR_TASK_COMM], other_comm[TR_TASK_COMM]; /* STATUS: old, new */
	char text[TEXT_BYTES]; /* STATUS: the reason; CALL: the function that serves it;
				* others: the name; "": none */
	char from[TEXT_BYTES]; /* MASKED: where it began; text: where it ended */
	uint64_t number;       /* address of a request, exit code, state, beginning of a
				* wake-up, system call, address       of a goroutine */
	uint64_t values[TR_TASK_ARGS];
	uint64_t size;			 /* STACK; BLOCK: bytes; BLOCK_END: error */
	const char *program, *arguments; /* EXEC: in the arena, or NULL */
};

/* tasks_hits.c: finds the probes in the header. Returns TR_OK or TR_E_NOMEM. */
int tr_tasks_find_probes(struct tr_tasks *);
/* Reads a hit. Returns TR_OK, TR_END if it is of another probe or lacks a number, or
 * TR_E_NOMEM. */
int tr_tasks_read(struct tr_tasks *, const struct tr_hit *hit, struct task_hit *to);

/* tasks.c: counts what ended in `cycle`, if that is in the window. Returns a status. */
int tr_tasks_count_ended(struct tr_tasks *, enum tr_tally_kind kind,
			 const struct tr_tally_key *key, uint64_t cycle, uint64_t cycles);

/* tasks.c: the window, and events in it. Return a status. */
bool tr_tasks_is_in(const struct tr_tasks *, uint64_t cycle);
int tr_tasks_pass(const struct tr_tasks *, const struct tr_task_event *);
/* Passes on the part in the window of what began at event->start. */
int tr_tasks_pass_part(const struct tr_tasks *, struct tr_task_event *);
/* Finds the task that has the number now, or adds it to the group of number `tgid`, or,
 * if that is 0, to its own. Returns a status. */
int tr_tasks_find(struct tr_tasks *, int32_t pid, int32_t tgid, uint64_t cycle,
		  const char *comm, uint32_t *id);
/* Sets *number to that of a task that the kernel does not number: of what is at `place`,
 * its address or stack, with this name. Returns a status. */
int tr_tasks_number(struct tr_tasks *, uint64_t cycle, uint64_t place, const char *comm,
		    int32_t *number);
/* Gives a task a name; "" is none, and Linux's task 0, which harts share, keeps its
 * own. Returns a status. */
int tr_tasks_rename(struct tr_tasks *, uint32_t hart, uint64_t cycle, uint32_t id,
		    const char *comm);
/* The task exits. */
void tr_tasks_exit(struct tr_tasks *, uint64_t cycle, uint32_t id);

/* tasks_harts.c: `by` wakes a task that sleeps. These return a status. */
int tr_tasks_wake(struct tr_tasks *, uint32_t hart, uint64_t cycle, uint32_t id,
		  uint32_t by);
/* A task execs: if the hart runs another thread of its group, this one takes its number,
 * and all others end. */
int tr_tasks_become(struct tr_tasks *, uint32_t hart, uint64_t cycle, uint32_t id);
int tr_tasks_take_switch(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_wakeup(struct tr_tasks *, const struct task_hit *);
/* Notes the task that the hart runs, which the hit is of, if no switch was seen yet. */
void tr_tasks_note_running(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_blocks(struct tr_tasks *, const struct task_hit *);

/* tasks_goroutines.c: a hart goes from one task to another; the trace ends. These return
 * a status. */
int tr_tasks_take_status(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_preempt(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_goroutine(struct tr_tasks *, const struct task_hit *);
int tr_goroutines_switch(struct tr_tasks *, uint32_t hart, uint64_t cycle, uint32_t from,
			 uint32_t to);
int tr_goroutines_finish(struct tr_tasks *, uint64_t cycle);

/* tasks_calls.c: ends the system call that a task is in, if it is in one; `result` is
 * NULL without one. These return a status. */
int tr_tasks_end_syscall(struct tr_tasks *, uint32_t hart, uint64_t cycle, uint32_t id,
			 const uint64_t *result);
int tr_tasks_take_call(struct tr_tasks *, const struct task_hit *);
/* A thread execs and takes the number of `leader`: its call, the last one of the group,
 * goes on as that of the leader. */
void tr_tasks_move_call(struct tr_tasks *, uint32_t leader);
int tr_tasks_take_result(struct tr_tasks *, const struct task_hit *);

/* tasks_spans.c: interrupts, page faults, waits for locks. These return a status. */
int tr_tasks_take_interrupt(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_masked(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_stack(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_fault(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_lock(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_lock_end(struct tr_tasks *, const struct task_hit *);
/* tasks_block.c */
int tr_tasks_take_block(struct tr_tasks *, const struct task_hit *);
int tr_tasks_take_block_end(struct tr_tasks *, const struct task_hit *);
/* Counts the requests that are open at the end of the window. */
void tr_tasks_finish_block(struct tr_tasks *, uint64_t cycle);
/* In `cycle` a hart begins to run a task that could run since `since`, after it had
 * slept; it leaves it, and the task sleeps. */
int tr_tasks_activate(struct tr_tasks *, uint32_t id, uint64_t cycle, uint64_t since,
		      bool is_woken);
/* Counts the period that ends with the beginning of the task's activation, at `cycle`. */
int tr_tasks_count_period(struct tr_tasks *, uint32_t id, uint64_t cycle);
int tr_tasks_deactivate(struct tr_tasks *, uint32_t id, uint64_t cycle);
/* Counts what is open at the end. */
int tr_tasks_finish_spans(struct tr_tasks *, uint64_t cycle);

#endif
