/* SPDX-License-Identifier: Apache-2.0 */
/* A stack: a range of addresses with frames on it, and the thread that it is, if it
 * stands on no other. */
#ifndef TR_STACKS_STACK_H
#define TR_STACKS_STACK_H

#include "unwind/stacks_frames.h"
#include "unwind/unwind_names.h"
#include "unwind/unwind_nodes.h"

/* The thread that a stack is or belongs to. Only stacks_threads.c and the functions below
 * use the members. */
struct thread {
	uint64_t tp;	  /* 0 if that of the stack below applies, or unknown */
	uint64_t satp;	  /* its address space */
	uint64_t hgatp;	  /* of its guest, or 0 */
	uint64_t begun;	  /* the hart's cycle when it began */
	uint64_t left;	  /* and when it was last left */
	uint32_t space;	  /* life of the address space; 0: none or unknown */
	uint32_t binary;  /* of its user code, if satp is not reported; or
			   * TR_NOTE_UNKNOWN */
	uint32_t first;	  /* function that it began with */
	uint32_t id;	  /* in the output */
	uint32_t ordinal; /* tells threads with the same tp apart; 0: the first; or
			   * ORDINAL_NEW */
	uint32_t apart;	  /* tells threads with unknown tp apart; 0: none */
	uint32_t made;	  /* the last id that it was the first one to have */
	uint32_t hart;	  /* that began it */
	bool is_task;	  /* began with a write of tp */
	bool has_been;	  /* it is the thread of this key, to which its name will go: */
	struct thread_name been;
	uint8_t start; /* enum thread_start */
};
/* Whether a thread has run without a switch since the trace began, since a gap, or since
 * it was first met, and what is not known of it yet. */
enum thread_start {
	START_NONE,
	START_USER,   /* it began in user code: the kernel's tp for it */
	START_KERNEL, /* it began in the kernel: its program */
	START_TASK,   /* the kernel switched to it: its program */
	START_LEFT,   /* it began in the kernel and was left: its program */
};
enum { ORDINAL_FIRST = 0 };
#define ORDINAL_NEW UINT32_MAX

/* Its root. Only stacks_roots.c and the functions below use the members. */
struct root {
	uint32_t held;	  /* tr_nodes_hold() while it is unknown, or HOLD_NONE */
	uint32_t program; /* used unless a better one is found while it is held */
	bool in_library;  /* it is held until the first code of no library runs */
};

/* Doubt about the thread, on a bottom stack. Only stacks_breaks.c and the functions below
 * use the members. */
struct doubt {
	bool is_doubtful; /* the thread may be another one */
	bool is_broken;	  /* since a break of continuity on `broken_on`, at that depth */
	uint32_t broken_depth;
	const struct stack *broken_on;
};

/* A call on a stack in use. Only stacks_covers.c and the function below use the members.
 */
struct cover {
	struct stack *covers; /* what it called on; NULL: none */
	uint64_t base;	      /* sp when it began */
};

/* Only stacks.c and the functions below use the members beside those structs. */
struct stack {
	struct frames frames;
	struct thread thread;
	struct root root;
	struct doubt doubt;
	struct cover cover;
	struct stack *below;	 /* the stack it stands on; NULL: it is a thread */
	struct stack *above;	 /* the one that stood on it last */
	struct stack *next_used; /* list stacks.used, if is_used */
	uint64_t key;		 /* address space of its addresses */
	uint64_t low, high;	 /* range of sp so far */
	uint64_t parked;	 /* sp when it was left */
	uint64_t clock; /* cycles on it until it was left, without doubtful ones */
	uint64_t used;	/* time of use, for eviction */
	bool is_listed; /* can be found by sp */
	bool is_kept;	/* mark: kept during eviction */
	bool is_used;	/* since its frames were last forgotten */
};

/* ------------------------------------------------------------ frames */

static inline struct frames *stack_frames(struct stack *s)
{
	return &s->frames;
}
/* The same, to look at. */
static inline const struct frames *stack_frames_left(const struct stack *s)
{
	return &s->frames;
}
static inline uint32_t stack_depth(const struct stack *s)
{
	return frames_depth(&s->frames);
}
static inline struct frame *stack_frame(const struct stack *s, uint32_t nth)
{
	return frames_nth(&s->frames, nth);
}
static inline uint32_t stack_trap_count(const struct stack *s)
{
	return frames_trap_count(&s->frames);
}
static inline struct trap *stack_trap(const struct stack *s, uint32_t nth)
{
	return frames_nth_trap(&s->frames, nth);
}
/* Returns sp at the first call beyond the depth limit, or 0. */
static inline uint64_t stack_deep_sp(const struct stack *s)
{
	return frames_deep_sp(&s->frames);
}
/* Returns the newest trap on the stack, NULL if there is none. */
static inline struct trap *stack_newest_trap(const struct stack *s)
{
	const uint32_t count = stack_trap_count(s);
	return count ? stack_trap(s, count - 1) : NULL;
}

/* ------------------------------------------------------------ where it is */

static inline struct stack *stack_below(const struct stack *s)
{
	return s->below;
}
static inline void stack_put_on(struct stack *s, struct stack *below)
{
	s->below = below;
}
/* Returns the stack that stood on this one last, if it has not moved elsewhere; or NULL.
 */
static inline struct stack *stack_above(const struct stack *s)
{
	struct stack *above = s->above;
	return above && above->below == s ? above : NULL;
}
static inline struct stack *stack_bottom(struct stack *s)
{
	while (s->below)
		s = s->below;
	return s;
}
/* Returns the frame on top, or NULL if the thread has not run. */
static inline struct frame *stack_top(struct stack *s)
{
	while (s && !stack_depth(s))
		s = s->below;
	return s ? stack_frame(s, stack_depth(s) - 1) : NULL;
}
static inline uint64_t stack_key(const struct stack *s)
{
	return s->key;
}
static inline bool stack_is_user_key(uint64_t key)
{
	return key & 4;
}
static inline bool stack_is_user(const struct stack *s)
{
	return stack_is_user_key(s->key);
}
/* Returns true if the stack is one in U-mode, without an address space of its own. */
static inline bool stack_is_bare(const struct stack *s)
{
	return s->key == 4;
}
/* Gives a stack that is not listed another address space. */
static inline void stack_set_key(struct stack *s, uint64_t key)
{
	s->key = key;
}
/* Return the lowest and the highest sp so far. */
static inline uint64_t stack_low(const struct stack *s)
{
	return s->low;
}
static inline uint64_t stack_high(const struct stack *s)
{
	return s->high;
}
static inline bool stack_contains(const struct stack *s, uint64_t sp)
{
	return sp - s->low <= s->high - s->low;
}
/* Returns sp when the stack was left. */
static inline uint64_t stack_parked_sp(const struct stack *s)
{
	return s->parked;
}
static inline bool stack_is_listed(const struct stack *s)
{
	return s->is_listed;
}
/* Returns the time of its last use, as stacks_tick() does. */
static inline uint64_t stack_used(const struct stack *s)
{
	return s->used;
}
/* Returns the cycles on it until it was left, without doubtful ones. */
static inline uint64_t stack_clock(const struct stack *s)
{
	return s->clock;
}
/* These cycles were doubtful. */
static inline void stack_discount(struct stack *s, uint64_t cycles)
{
	s->clock -= cycles;
}
/* Returns the stack that this one covers, or NULL. */
static inline struct stack *stack_covered(const struct stack *s)
{
	return s->cover.covers;
}

/* Returns true if sp has not changed since the newest trap of the stack. */
static inline bool stack_floats(const struct stack *s, uint64_t sp)
{
	const struct trap *t = stack_newest_trap(s);
	return t && trap_sp(t) == sp;
}
/* Returns true if a trap came before a write of sp was settled: then the handler's sp is
 * on another stack. */
static inline bool stack_is_elsewhere(const struct stack *s)
{
	const struct trap *t = stack_newest_trap(s);
	return t && tr_trap_has_pending(t);
}

/* ------------------------------------------------------------ its thread */

static inline uint64_t thread_tp(const struct stack *s)
{
	return s->thread.tp;
}
static inline void thread_set_tp(struct stack *s, uint64_t tp)
{
	s->thread.tp = tp;
}
static inline uint64_t thread_satp(const struct stack *s)
{
	return s->thread.satp;
}
static inline uint64_t thread_hgatp(const struct stack *s)
{
	return s->thread.hgatp;
}
static inline uint32_t thread_space(const struct stack *s)
{
	return s->thread.space;
}
static inline void thread_set_space(struct stack *s, uint32_t space)
{
	s->thread.space = space;
}
static inline uint32_t thread_binary(const struct stack *s)
{
	return s->thread.binary;
}
static inline uint32_t thread_id(const struct stack *s)
{
	return s->thread.id;
}
static inline uint32_t thread_ordinal(const struct stack *s)
{
	return s->thread.ordinal;
}
/* Sets it: ORDINAL_FIRST, ORDINAL_NEW for one that no thread has, or that of another. */
static inline void thread_set_ordinal(struct stack *s, uint32_t ordinal)
{
	s->thread.ordinal = ordinal;
}
static inline bool thread_is_task(const struct stack *s)
{
	return s->thread.is_task;
}
static inline void thread_set_task(struct stack *s, bool is_task)
{
	s->thread.is_task = is_task;
}
/* The kernel has switched to a thread that has not run so far. */
static inline void thread_meet(struct stack *s)
{
	s->thread.start = START_TASK;
}
static inline void thread_leave(struct stack *s, uint64_t cycle)
{
	s->thread.left = cycle;
}
/* Returns true if a hart has left it since its life began. */
static inline bool thread_was_left(const struct stack *s)
{
	return s->thread.left > s->thread.begun;
}
static inline uint32_t root_hold(const struct stack *s)
{
	return s->root.held;
}
static inline bool root_is_held(const struct stack *s)
{
	return s->root.held != HOLD_NONE;
}
/* Returns true if what runs in the thread is in doubt. */
static inline bool thread_is_in_doubt(const struct stack *s)
{
	return s->doubt.is_doubtful || s->doubt.is_broken;
}

#endif
