/* SPDX-License-Identifier: Apache-2.0 */
/* The engine for sources that do not tell sp: a shadow stack for each thread follows
 * calls and returns by their addresses, and where these do not match, by the function
 * that is landed in and by the roles of some functions (setjmp, fork).
 *
 * A frame is one activation. A level is a frame of kind root or trap and the functions
 * above it, up to the next trap; calls and returns never leave the level they happen in.
 */
#ifndef TR_UNWIND_GUESS_H
#define TR_UNWIND_GUESS_H

#include "unwind/unwind_internal.h"

/* Odd, so that no return ever lands there. */
#define NO_RETURN UINT64_C(1)

/* The user part of a thread of which nothing has run. */
#define SPACE_NONE UINT32_MAX
/* The user part is a fork's; its space is known when it runs. */
#define SPACE_FORKED (UINT32_MAX - 1)

enum frame_kind { FRAME_ROOT, FRAME_FUNCTION, FRAME_TRAP };

struct frame {
	uint64_t ret; /* where it returns to; epc of a trap */
	/* Trap: hart.from->next_pc when it came. Signal: the pc that it interrupted.
	 * Function: whether it is a signal's trampoline. */
	uint64_t flow_next;
	uint32_t node;
	uint32_t sym;
	uint32_t leaf;	 /* of the frame below, which called or was trapped there */
	uint32_t serial; /* of the activation, for setjmp */
	uint32_t hidden; /* calls above it beyond the depth limit */
	uint32_t below;	 /* root and trap: base of the level underneath */
	uint8_t kind;
	uint8_t flow; /* trap: hart.from->flow when it came */
	uint8_t priv; /* root and trap: of the level */
	uint8_t from; /* trap: privilege that was interrupted */
};

struct setjmp {
	uint64_t ret, outer_ret;
	uint32_t caller, serial; /* frame that called setjmp */
	uint32_t outer; /* sigsetjmp, when that did so, its own frame gone since; or 0 */
};

struct thread {
	struct frame *frames;
	struct setjmp *setjmps;
	uint64_t key, tp, satp;
	uint32_t depth, capacity; /* of frames */
	uint32_t base;		  /* of the top level */
	uint32_t top;		  /* symbol that runs; SYM_NONE: ask */
	uint32_t space;		  /* of its user part, 0 if it has none */
	uint32_t id;		  /* as written out */
	uint32_t nsetjmps;
	uint32_t fork; /* that it began with: u->next_fork after it was noted; 0: none */
	uint64_t used; /* when, for forgetting */
};

/* User part of a stack at the time of a fork, and its trap on top of it. */
struct fork {
	struct frame *frames;
	uint32_t depth; /* of the user part */
	uint64_t epc;
	uint32_t sym;
	bool used; /* a child has it */
};
enum { FORKS = 64 };

struct guess {
	struct thread **threads;
	uint32_t nthreads, threads_capacity;
	uint64_t nframes; /* room for frames, all threads */
	struct tr_map by_key;
	struct fork forks[FORKS];
	uint32_t next_fork;
	uint32_t serial;
};

static inline struct guess *guess_of(const struct tr_unwind *u)
{
	return u->state;
}

struct guess_hart {
	struct hart hart; /* first */
	struct thread *thread;
	struct frame resumed; /* FLOW_RESUME: the trap that was returned from */
	bool switched;	      /* no return yet since the thread changed */
};

static inline struct guess_hart *guess_hart(struct hart *h)
{
	return (struct guess_hart *)h;
}

static inline struct thread *thread_of(const struct hart *h)
{
	return ((const struct guess_hart *)h)->thread;
}

/* guess_stack.c: one thread's frames. */
void stack_clear(struct thread *t);
void stack_root(struct tr_unwind *u, struct thread *t, uint32_t sym, uint8_t priv);
void stack_push(struct tr_unwind *u, struct thread *t, uint32_t sym, uint64_t ret);
/* The function on top again, one call deeper, at the same node. */
void stack_twin(struct tr_unwind *u, struct thread *t, uint64_t ret);
void stack_trap(struct tr_unwind *u, struct thread *t, const struct frame *trap);
void stack_rename(struct tr_unwind *u, struct thread *t, uint32_t sym);
/* Keeps `depth` frames, which must be within the top level. */
void stack_keep(struct thread *t, uint32_t depth);
/* A call beyond the depth limit returned; true when none is left. */
bool stack_unhide(struct thread *t);
/* Takes away the top level, trap frame and all; not the last. */
void stack_leave(struct thread *t);
/* Gives the root, which had no name, one. */
void stack_name_root(struct tr_unwind *u, struct thread *t, uint32_t sym);
/* Whether a frame of the top level is code without a name that was not called: the
 * function below runs it. */
bool stack_is_overlay(const struct tr_unwind *u, const struct thread *t, uint32_t frame);
/* Index of the frame of the top level that returns to `pc`, or that is an
 * activation of `sym`; 0 if none. */
uint32_t stack_find_return(const struct thread *t, uint64_t pc);
uint32_t stack_find_symbol(const struct thread *t, uint32_t sym);
/* The top frame is a setjmp: remembers it. / Back to the frame that called the
 * setjmp which returns to `pc`; false if there is none. */
void stack_note_setjmp(struct tr_unwind *u, struct thread *t);
bool stack_longjmp(struct tr_unwind *u, struct thread *t, uint64_t pc);

/* guess_threads.c */
uint32_t guess_thread_id(struct tr_unwind *u, const struct thread *t);
void threads_free(struct tr_unwind *u);
struct thread *threads_get(struct tr_unwind *u, uint64_t key, uint64_t tp, uint64_t satp);
/* The trace began in user code, on a thread that tp names only now, in its trap:
 * true if this is so. */
bool threads_name(struct tr_unwind *u, struct thread *t, uint64_t tp);
void threads_switch(struct tr_unwind *u, struct hart *h, struct thread *t);
/* Whether tp names a kernel thread. */
bool threads_has_tp(const struct tr_unwind *u, const struct tr_context *context);
/* Stretches of rows that a hart's thread will run in user mode, as far as the frame of
 * the stream goes, and 65,536 events: rows [first, last) of the part,
 * in `context`. */
struct ahead {
	const struct tr_hart_frame *part;
	struct tr_context context;
	uint64_t key, own;
	uint32_t event, end, row, first, last;
};
/* From the hart's next row on, and its event number `event`, not applied yet. */
struct ahead threads_ahead(const struct hart *h, uint32_t event);
bool threads_ahead_next(const struct tr_unwind *u, struct ahead *ahead);
/* Index of the trap frame on top of the user part, 0 if there is no user part or it
 * runs itself. */
uint32_t threads_user_trap(const struct thread *t);

/* guess_forks.c. Remembers the user part of the stack. */
void forks_note(struct tr_unwind *u, const struct thread *t);
/* A child begins in the kernel, on a fork that has no child yet, with its trap. /
 * It goes on at `pc`, which is not behind the system call at `epc` that it was
 * thought to come from: the stack is empty again. */
bool forks_begin(struct tr_unwind *u, struct hart *h);
bool forks_undo(struct tr_unwind *u, struct thread *t, uint64_t epc, uint64_t pc);
/* A child is first seen in user mode, at `pc`. */
bool forks_adopt(struct tr_unwind *u, struct hart *h, uint64_t pc, uint32_t sym);
/* A child returns to `pc`, which its stack does not have: was it made by another
 * fork? If so, it has that stack now. */
bool forks_exchange(struct tr_unwind *u, struct thread *t, uint64_t pc);

/* guess_flow.c: control is at `place`; what did the block before do? */
void flow_land(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Takes a trap at `epc`: settles what came before, as far as can be known. */
void flow_settle(struct tr_unwind *u, struct hart *h, uint64_t epc);
/* A trap at `epc` is the first that is known of the thread. */
void flow_begin(struct tr_unwind *u, struct hart *h, uint64_t epc);
/* A function begins that returns to `ret`. */
void flow_enter(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t ret);

/* guess_signals.c: "[signal]" stands on what was interrupted, the handler on that. */
void signals_begin(struct tr_unwind *u, struct hart *h, uint64_t pc, uint32_t handler);
/* The handler on top returns, to the trampoline `sym`. False: there is none. */
bool signals_end_handler(struct tr_unwind *u, struct hart *h, uint32_t sym);
/* A trap in the handler or its trampoline leads to `place`: back to where the signal
 * came, into the handler of another that waited, or where else the handler wants.
 * False: no signal ends. */
bool signals_return(struct tr_unwind *u, struct hart *h, const struct place *place);

/* guess_events.c */
void events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* Takes the thread that tp in S-mode names. */
void events_see_thread(struct tr_unwind *u, struct hart *h);
/* Makes thread and level agree with the context before rows run in it. */
void events_align(struct tr_unwind *u, struct hart *h);
/* Sets h->here to the top of the thread's stack. */
void guess_show(struct hart *h);

#endif
