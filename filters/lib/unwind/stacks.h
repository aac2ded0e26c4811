/* SPDX-License-Identifier: Apache-2.0 */
/* Tracking of stacks. A stack is a range of addresses, and a return is right when sp has
 * its value at the call.
 *
 * Arithmetic on sp stays on its stack. Any other write of sp is pending until control
 * leaves the function by a jump, call, return or xret, or until a write of tp. Then sp is
 * either within the same stack (unwinding) or on another. A return or xret leads to the
 * stack that was left at its target with one of the values written, or begins a thread at
 * a function's entry; else the write leads to the stack that was left with exactly that
 * sp, or to the one whose range contains it, or to a new one. A stack may stand on
 * another, as the kernel's on the user's after a trap. A stack that stands on no other is
 * a thread. */
#ifndef TR_UNWIND_STACKS_H
#define TR_UNWIND_STACKS_H

#include "stream/xlen.h"
#include "unwind/stacks_hart.h"
#include "unwind/stacks_inferred.h"
#include "unwind/stacks_stack.h"
#include "unwind/unwind_internal.h"

/* What is counted; see struct tr_unwind_totals. */
enum stacks_count {
	COUNT_CALLS,
	COUNT_RETURNS,
	COUNT_TAILCALLS,
	COUNT_LONGJMPS,
	COUNT_TRAPS,
	COUNT_UNMATCHED,
	COUNT_BEYOND,
	COUNT_RESYNCS,
	COUNT_BREAKS,
	COUNT_DOUBTED_CYCLES,
	COUNT_SWITCHES,
	COUNT_TOO_DEEP,
	COUNT_VIRTUAL_LOST,
	COUNT_FORGOTTEN,
	STACKS_COUNTS
};

/* A virtual frame that has begun, and may go on elsewhere. */
struct virtual_begun {
	uint64_t caller;
	uint32_t sym;
};

/* Only stacks.c and the functions below use the members, but for those of
 * stacks_virtual.c. */
struct stacks {
	struct stack **all;
	struct stack spare;    /* used when out of memory */
	struct stack **listed; /* sorted by (key, high), without overlap */
	struct stack *used;    /* those that a hart has entered or left since a gap */
	uint32_t count, capacity, nlisted, listed_capacity;
	uint32_t collect_at; /* collect when there are this many */
	uint64_t nframes;    /* allocated frames and traps of all stacks */
	uint64_t inferred;   /* number of stacks with made-up addresses */
	uint64_t clock;	     /* counts uses of stacks and snapshots */
	uint32_t ordinals;
	uint32_t call_sym, call_leaf; /* of the instruction before a landing */
	struct snapshots *snapshots;  /* stacks_snapshots.c */
	struct tr_map vectors;	      /* trap handlers, if traps are not reported */
	/* Of stacks_virtual.c: the frames that have begun, by space and identity. */
	struct tr_map begun_ids;
	struct virtual_begun *begun;
	uint32_t nbegun, begun_capacity;
	uint64_t counts[STACKS_COUNTS];
};

static inline struct snapshots *snapshots_of(const struct tr_unwind *u)
{
	return stacks_of(u)->snapshots;
}

/* Returns the nth stack, NULL beyond the last. Forgetting stacks changes their order. */
static inline struct stack *stacks_nth(const struct tr_unwind *u, uint32_t nth)
{
	const struct stacks *all = stacks_of(u);
	return nth < all->count ? all->all[nth] : NULL;
}

/* Adds to a count, modulo 2^64. */
static inline void stacks_count(struct tr_unwind *u, enum stacks_count what, uint64_t by)
{
	stacks_of(u)->counts[what] += by;
}
static inline uint64_t stacks_counted(const struct tr_unwind *u, enum stacks_count what)
{
	return stacks_of(u)->counts[what];
}

/* Returns a time of use, later than all before. */
static inline uint64_t stacks_tick(struct tr_unwind *u)
{
	return ++stacks_of(u)->clock;
}

/* Returns an ordinal that no thread has. */
static inline uint32_t stacks_new_ordinal(struct tr_unwind *u)
{
	return ++stacks_of(u)->ordinals;
}

/* Memory for frames was allocated. */
static inline void stacks_add_frames(struct tr_unwind *u, uint64_t count)
{
	stacks_of(u)->nframes += count;
}

/* Notes the call site of a call by the function `sym`; SYM_NONE: none. */
static inline void stacks_note_call(struct tr_unwind *u, uint32_t sym, uint32_t leaf)
{
	stacks_of(u)->call_sym = sym;
	stacks_of(u)->call_leaf = leaf;
}
/* Returns the call site that was noted if it is in the function `sym`, else 0. */
static inline uint32_t stacks_call_leaf(const struct tr_unwind *u, uint32_t sym)
{
	return sym == stacks_of(u)->call_sym ? stacks_of(u)->call_leaf : 0;
}

/* Trap handlers, by key. stacks_add_vector() returns false when out of memory. */
static inline bool stacks_add_vector(struct tr_unwind *u, uint64_t key)
{
	return tr_map_set(&stacks_of(u)->vectors, key, 0);
}
static inline bool stacks_has_vector(const struct tr_unwind *u, uint64_t key)
{
	return tr_map_get(&stacks_of(u)->vectors, key) != TR_MAP_NONE;
}

/* stacks.c: the set of stacks, and the one that a hart is on. */
/* After a gap of the hart: forgets all frames except those that other harts run, and
 * keeps the stacks' identities. */
void tr_stacks_forget_frames(struct tr_unwind *u, struct hart *h);
/* Replaces references to nodes of held roots that have become known. */
void tr_stacks_settle_nodes(struct tr_unwind *u);
/* Returns the key of the address space that a context uses. */
uint64_t tr_stack_key(const struct tr_context *context);
/* Returns true if `s` is `other` or stands on it. */
bool tr_stack_stands_on(const struct stack *s, const struct stack *other);
/* Returns the stack of this key that contains sp, NULL if none is known. */
struct stack *tr_stack_find(const struct tr_unwind *u, uint64_t key, uint64_t sp);
/* Creates a stack without frames that contains sp. Never returns NULL, but after
 * unwind_fail() it may return the spare stack. */
struct stack *tr_stack_new(struct tr_unwind *u, const struct tr_context *context,
			   uint64_t sp);
/* Makes a stack one that is found by sp, or not. */
void tr_stack_list(struct tr_unwind *u, struct stack *s);
void tr_stack_unlist(struct tr_unwind *u, struct stack *s);
/* Adds sp to the stack's addresses; stacks that it overlaps are no longer found by sp. */
void tr_stack_widen(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* Adds sp to the stack's addresses if it is just below them: the function that has it may
 * have called nothing. */
void tr_stack_reach(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* Adds `bytes` to all addresses of a stack, modulo 2^64. */
void tr_stack_move(struct tr_unwind *u, struct stack *s, uint64_t bytes);
/* Gives addresses to a stack without any, once sp is known. */
void tr_stack_place(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* The hart leaves its stack at `sp` for `to`. */
void tr_stack_go(struct tr_unwind *u, struct hart *h, struct stack *to, uint64_t sp);
/* Puts an empty stack on the hart's, together with the newest trap if sp has not changed
 * since. */
void tr_stack_put_above(struct tr_unwind *u, struct hart *h, struct stack *to);

/* stacks_switch.c */
/* How control leaves the code that wrote sp. */
struct leaving {
	const struct place *place; /* for where; NULL: unknown */
	uint8_t flow;		   /* enum tr_flow */
	bool is_task;  /* tp names another thread, so the new stack does not stand on the
			* old one */
	bool calls_on; /* it calls a function on the other stack, which then stands on
			* this one, whatever was there */
};
/* Settles the pending write of sp, which may move the hart to another stack. For a return
 * or an xret, that is the stack which continues at the place, whichever of the values it
 * was left with. Sets HAS_ARRIVED if that stack does not continue where it was left.
 */
void tr_stack_settle(struct tr_unwind *u, struct hart *h, const struct leaving *by);
/* Returns true if sp is still on the hart's stack after a pending write. */
bool tr_stack_stays(struct tr_unwind *u, struct hart *h, bool is_task);
/* Returns true if a stack continues at the place with the hart's sp: by a return to it,
 * or from a trap, *trap, which is NULL otherwise. */
bool tr_stack_goes_on(const struct hart *h, const struct stack *s,
		      const struct place *place, const struct trap **trap);
/* Forgets what is on a stack. */
void tr_stack_clear(struct tr_unwind *u, struct stack *s);

/* stacks_covers.c */
/* Returns a new, empty stack with the addresses of `other`. */
struct stack *tr_stack_cover(struct tr_unwind *u, const struct hart *h,
			     struct stack *other);
/* Ends the stacks that cover `other`, from `s` on. Returns `other`. */
struct stack *tr_stack_uncover_to(struct tr_unwind *u, struct stack *s,
				  const struct stack *other);
/* Ends the stacks, from `s` on, that sp has left for the one that they cover. `s` may be
 * NULL. Returns the stack that sp is on. */
struct stack *tr_stack_uncovered(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* The hart leaves stacks that sp is above of for those that they cover. */
void tr_stack_rise(struct tr_unwind *u, struct hart *h);
/* All that was called on the hart's stack has returned, and control leaves the caller
 * with an sp on the covered stack: the write of sp is pending again. */
void tr_stack_leave_cover(struct tr_unwind *u, struct hart *h);

/* stacks_copies.c: settles a return to `place` on a stack that has been copied to other
 * addresses since it was left. Returns false if there is none. */
bool tr_stack_follow_copy(struct tr_unwind *u, struct hart *h, const struct place *place);
/* stacks_threads.c */
/* Names a thread after tp, its root, and what tells it apart, if its root is known. */
void tr_thread_name(struct tr_unwind *u, struct stack *bottom);
/* The hart's thread, on the new stack `s`, runs when the trace begins, or a gap has
 * ended: takes its tp if that is known. */
void tr_thread_start(struct tr_unwind *u, const struct hart *h, struct stack *s);
/* The thread at the bottom has been left, or may have been: what comes later need not
 * tell of the thread that the trace began with. */
void tr_thread_settle(struct tr_unwind *u, struct stack *bottom);
/* The thread at the bottom has been left for another. If it is the one that the trace
 * began with, in the kernel, what it returns to is not known: its stack is emptied, so
 * that it goes on as a thread that has not run so far. */
void tr_thread_leave_first(struct tr_unwind *u, struct stack *bottom);
/* Returns true, with its key so far, if the thread with this tp was left so. */
bool tr_thread_was_first(const struct stack *bottom, uint64_t tp,
			 struct thread_name *key);
/* The thread at the bottom goes on in user code, on another stack. Returns true, with its
 * key so far, if it has only run in the kernel so far, without a switch. */
bool tr_thread_leaves_kernel(struct stack *bottom, struct thread_name *key);
/* The thread that begins on `s` has had this key, and keeps its id. */
void tr_thread_has_been(struct stack *s, const struct thread_name *key);
/* A thread begins on the hart's stack, in the function `first`: numbers it if it is to
 * be told apart from others. */
void tr_thread_begin(struct tr_unwind *u, struct hart *h, uint32_t first);
/* Its life begins now, for tr_thread_doubt_life(). */
void tr_thread_start_life(struct hart *h);
/* The kernel writes tp: keeps that of the thread that ran, for tr_stack_has_new_tp(),
 * until state_drop(h, WROTE_TP). */
void tr_thread_write_tp(struct hart *h);
/* The root of a thread is held, and its id with it. */
void tr_thread_hold(struct stack *s);
/* Gives the stack the identity of what runs in the hart's context: its address space,
 * guest and program, and this tp if it is not that of a kernel. */
void tr_thread_identify(struct tr_unwind *u, struct hart *h, struct stack *s,
			uint64_t tp);
/* The thread of a new stack is in this context; its tp and its program are unknown. */
void tr_thread_reset(struct stack *s, const struct tr_context *context);
/* The hart's thread has become one of which neither process nor program is known. */
void tr_thread_forget_process(struct stack *s);
/* The thread turns out to have begun in this function. */
static inline void thread_set_first(struct stack *s, uint32_t sym)
{
	s->thread.first = sym;
}
/* A thread that was interrupted before its first instruction has been left, and another
 * one perhaps goes on: its cycles until then are in doubt, and a life begins now. */
void tr_thread_doubt_life(struct tr_unwind *u, const struct hart *h, struct stack *s);
/* Names the thread after tp, if this is a kernel. */
void tr_stack_name_thread(struct tr_unwind *u, struct hart *h);
/* Returns true if a thread that another hart has begun has the identity of `bottom`,
 * whose tp is unknown. A user thread that is not running may be this one. */
bool tr_stack_is_elsewhere(const struct tr_unwind *u, const struct stack *bottom);
/* Returns the ordinal of threads that a hart has begun and that share their names with
 * those of another hart. */
uint32_t tr_stack_apart(struct tr_unwind *u, uint32_t hart);
/* User code has gone to another stack, and is still in the thread of this tp. */
void tr_stack_keep_thread(struct tr_unwind *u, struct hart *h, uint64_t tp);
/* Returns true if tp was just written in the kernel and names another thread. */
bool tr_stack_has_new_tp(const struct tr_unwind *u, const struct hart *h);
/* Moves the hart to a new thread. */
void tr_stack_begin_thread(struct tr_unwind *u, struct hart *h);
/* Returns the stack of this key that was left with exactly this sp, or NULL. */
struct stack *tr_stack_find_parked(const struct tr_unwind *u, uint64_t key, uint64_t sp);
/* Returns true if the process of a user context has run. */
bool tr_stack_has_process(const struct tr_unwind *u, const struct tr_context *context);
/* Drops the frames that were called at sp or below. */
void tr_stack_drop_below(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* Returns the tp of the thread that runs on the stack, 0 if unknown. The user stack below
 * a kernel's may have moved to another thread since, as Go's goroutines do. */
uint64_t tr_stack_tp(struct stack *s);
/* Returns true if the thread of the stack is not that at the bottom: on a user stack the
 * kernel's, on a guest's stack the hypervisor's. */
bool tr_stack_has_own_tp(struct stack *s);
/* Returns true if the current thread is not that of the stack. */
bool tr_stack_is_of_another(const struct tr_unwind *u, const struct hart *h,
			    struct stack *s);
/* Returns tp if it names a kernel thread, else 0. */
uint64_t tr_stack_kernel_tp(const struct tr_unwind *u, const struct tr_context *context);

/* Returns the address that stands for a written sp, from 1 to 2^XLEN: with XLEN 32 a
 * stack that ends at the top of the address space begins with an sp of 0, and additions
 * must not take it below the others. */
static inline uint64_t stack_address(const struct tr_unwind *u, uint64_t sp)
{
	return tr_xlen_wrap(options_of(u)->xlen, sp - 1) + 1;
}

/* stacks_breaks.c: doubt about what runs. */
/* Marks the hart's thread as doubtful, or not, from now on. */
void tr_stack_doubt(struct tr_unwind *u, struct hart *h, bool is_doubtful);
/* Marks a thread as doubtful, which need not be that of a hart. */
void tr_thread_doubt(struct stack *bottom);
/* Takes note of a break of continuity; the thread is in doubt until tr_breaks_mend(),
 * after a return that certainly is one, finds the hart below it. */
void tr_breaks_take(struct tr_unwind *u, struct hart *h);
/* The same doubt, without a break. */
void tr_breaks_doubt(struct tr_unwind *u, struct hart *h);
void tr_breaks_mend(struct tr_unwind *u, struct hart *h);
/* The frames that were open at a thread's break are forgotten, and the doubt with them.
 */
void tr_breaks_forget(struct stack *bottom);
/* Counts the doubtful cycles up to now. A cycle counts once: the stack's clock goes
 * without it. */
void tr_stack_count_doubt(struct tr_unwind *u, struct hart *h);
/* Counts the cycles since the hart last went to its stack, or was last in doubt there. */
void tr_stack_doubt_recent(struct tr_unwind *u, struct hart *h);

/* stacks_flow.c */
/* Returns to code of which only the pc is known. */
void tr_stacks_give_back_blank(struct tr_unwind *u, struct hart *h,
			       const struct place *place);
/* stacks_roots.c */
/* Returns the symbol of the program at a place. */
uint32_t tr_root_program(const struct tr_unwind *u, const struct place *place);
/* Pushes the root of a thread whose program is determined later; if it never is, the root
 * is `program`. */
void tr_root_hold(struct tr_unwind *u, struct hart *h, uint32_t program);
/* The stack below is still unknown: makes the stack a thread of its own program. */
void tr_root_release(struct tr_unwind *u, struct stack *s);
/* What waits for the root of this stack has turned out to be this. */
void tr_root_resolve(struct tr_unwind *u, struct stack *s, const struct hold *known);
/* A new stack has no root that is unknown. */
void tr_root_reset(struct stack *s);
/* Begins a thread at `place`. */
void tr_stacks_begin(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Names the root of a thread that has run nothing so far, or only library code. */
void tr_stacks_name_root(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Enters a function that was not called. */
void tr_stacks_enter(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Makes the top frame an activation of the function at `place`. */
void tr_stacks_correct(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Updates the target of the hart's charges: its thread and the frame on top. */
void tr_stacks_show(struct tr_unwind *u, struct hart *h);

/* stacks_leaving.c */
/* Control goes to `place` by `flow` (enum tr_flow) with a pending write of sp, or from a
 * stack that covers another. Returns true if the landing is complete. hart_from()
 * may change. */
bool tr_leaving_land(struct tr_unwind *u, struct hart *h, uint8_t flow,
		     const struct place *place);
/* A trap comes next: settles the write of sp if control was transferred since. */
void tr_leaving_trap(struct tr_unwind *u, struct hart *h);
/* Begins a thread on the hart's empty stack, or continues one that has only set up its
 * stack so far. */
void tr_leaving_begin_thread(struct tr_unwind *u, struct hart *h);
/* Returns true if control leaves a function that has written sp, and for which the hart's
 * stack is empty, other than by a call. */
bool tr_leaves_caller(const struct hart *h, uint8_t flow, const struct place *place);

/* stacks_signals.c: signals, which a kernel makes a process handle. tr_signals_begin():
 * the kernel has returned to a handler, at `place`. tr_signals_end() resumes user code at
 * pc that a signal interrupted; tr_signals_end_in_call() does so in a function that the
 * handler has made it call, as that of Go's runtime does to preempt it. They return false
 * if there is no such signal. */
void tr_signals_begin(struct tr_unwind *u, struct hart *h, const struct place *place);
bool tr_signals_end(struct tr_unwind *u, struct hart *h, uint64_t pc);
/* A process is trapped at epc. tr_signals_are_injected() returns true if it was made to
 * execute a system call there by the run-time profiler: the kernel had returned to it
 * although the process had not been trapped there, nor returns from a signal.
 * tr_signals_inject() begins such calls; after the last one the process continues where
 * it was. */
bool tr_signals_are_injected(const struct tr_unwind *u, const struct hart *h,
			     uint64_t epc);
void tr_signals_inject(struct tr_unwind *u, struct hart *h);
bool tr_signals_end_in_call(struct tr_unwind *u, struct hart *h,
			    const struct place *place);

/* stacks_tasks.c: tasks in U-mode that share one address space, as those of a kernel
 * without virtual memory. */
/* Returns true if the hart is in U-mode, where several tasks share the address space:
 * they are distinguished by their stacks, as tasks in one privilege are. */
bool tr_task_is_bare(const struct tr_unwind *u, const struct hart *h);
/* Returns true if sp is where the thread on a stack began, or above it. */
bool tr_task_begins_at(const struct stack *s, uint64_t sp);
/* Returns true if a trap has left the task's stack with this sp, and can return to pc. */
bool tr_task_was_left_at(struct stack *s, uint64_t sp, uint64_t pc);
/* Begins a task at `place`. */
void tr_task_begin(struct tr_unwind *u, struct hart *h, const struct place *place);
/* The handler of a trap of the hart's stack begins on `to`. If it has handled another
 * task's there, that one has the trap again. What ran on it before as a thread of its own
 * may have been the task in the kernel, before it began: its cycles are in doubt. */
void tr_task_hands_over(struct tr_unwind *u, struct hart *h, struct stack *to);
/* Lands after an xret to a task other than the one that the kernel's stack stands on: one
 * that a trap left with this sp, or a new one. Returns true if the landing is complete.
 */
bool tr_task_land(struct tr_unwind *u, struct hart *h, const struct place *place);

/* stacks_events.c */
void tr_events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* Finds the hart's stack by sp after a gap. */
void tr_events_find_stack(struct tr_unwind *u, struct hart *h);

#endif
