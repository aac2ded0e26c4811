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
#include "unwind/unwind_internal.h"

/* Odd, so never the target of a return. */
#define NO_RETURN TR_EPC_UNKNOWN

enum frame_kind { FRAME_ROOT, FRAME_FUNCTION, FRAME_TRAP, FRAME_SIGNAL };

/* An activation of a function or pseudo-function; it fills a cache line. */
struct frame {
	uint64_t sp; /* when it was pushed */
	union {
		uint64_t ret;	 /* return address, or NO_RETURN */
		uint64_t signal; /* FRAME_SIGNAL: the interrupted sp; 0: unknown */
	};
	uint64_t linked;  /* `ret` as an address in the file, if `binary` is known;
			   * FRAME_SIGNAL: the interrupted pc */
	uint64_t entered; /* the stack's clock in cycles */
	uint32_t binary;  /* of the caller */
	uint32_t node, sym;
	uint32_t leaf;	    /* of the frame below, at the call */
	uint32_t child_sym; /* most recent callee, and its node */
	uint32_t child_node;
	uint8_t kind;	   /* enum frame_kind */
	bool is_inside;	   /* called from within its own function: not shown */
	bool is_alternate; /* called through x5, so it may return with another sp */
	bool has_setjmp;   /* it has called setjmp() or a similar function */
	bool passes;	   /* jumped to with a pending write of sp, of which it is part */
};

/* A write of sp that is not settled yet. */
enum { PENDING_VALUES = 3 };
struct pending {
	uint64_t values[PENDING_VALUES]; /* written: the first and the last ones */
	uint64_t before;		 /* sp before the first such write */
	uint8_t count;
	bool floats; /* only the trap came between the interrupted sp and this write */
	bool has_branched; /* control has been transferred since */
	bool has_jumped;   /* to another function */
};

/* A trap that has not returned. It belongs to a frame. */
struct trap {
	uint64_t sp, epc, satp; /* of the interrupted code */
	uint64_t taken;		/* the stack's clock in cycles */
	uint64_t other;		/* alternative to epc for resuming, or 0 */
	uint64_t hgatp;		/* of the interrupted guest, or 0 */
	struct pair held;	/* the interrupted block, if its transfer was not
				 * settled */
	struct pending pending;
	uint32_t frame; /* index on its stack */
	uint32_t sym, leaf;
	uint32_t overlay, state; /* of the interrupted hart */
	uint8_t from, priv;	 /* interrupted privilege, and the one entered */
	bool is_interrupt;
	bool is_inferred; /* the epc, from what it came after */
	bool is_fresh;	  /* the function's entry had not run yet */
};

struct stack {
	struct frame *frames;
	struct trap *traps;
	uint32_t depth, capacity, ntraps, trap_capacity;
	struct stack *below;	 /* the stack it stands on; NULL: it is a thread */
	struct stack *above;	 /* the one that stood on it last */
	struct stack *covers;	 /* what it called on: see stacks_covers.c; NULL: none */
	uint64_t base;		 /* `covers`: sp when it began */
	struct stack *next_used; /* list stacks.used, if is_used */
	uint64_t key;		 /* address space of its addresses */
	uint64_t low, high;	 /* range of sp so far */
	uint64_t parked;	 /* sp when it was left */
	uint64_t deep;		 /* sp at the first call beyond the depth limit, or 0 */
	uint64_t clock;	      /* cycles on it until it was left, without doubtful ones */
	uint64_t begun, left; /* hart.cycle when its thread began and was last left */
	uint64_t tp, satp; /* of its thread; tp is 0 if that of the stack below applies */
	uint64_t hgatp;	   /* of the guest of its thread, or 0 */
	uint64_t used;	   /* time of use, for eviction */
	uint32_t space;	   /* life of the address space; 0: none or unknown */
	uint32_t program;  /* root, unless a better one is found while it is held */
	bool in_library;   /* its root is held until the first code of no library runs */
	uint32_t binary;   /* of its user code, if satp is not reported; or
			    * TR_NOTE_UNKNOWN */
	uint32_t first;	   /* function that it began with */
	uint32_t id;	   /* id of the thread in the output */
	uint32_t ordinal;  /* tells threads with the same tp apart; 0: the first; or
			    * ORDINAL_NEW */
	uint32_t apart;	   /* tells threads with unknown tp apart; 0: none */
	uint32_t hart;	   /* that began its thread */
	uint32_t root;	   /* tr_nodes_hold() while its root is unknown, or HOLD_NONE */
	bool is_listed;	   /* can be found by sp */
	bool is_task;	   /* began with a write of tp */
	bool is_kept;	   /* mark: kept during eviction */
	bool is_used;	   /* since its frames were last forgotten */
	bool is_doubtful;  /* on a bottom stack: the thread may be another one */
	/* On a bottom stack: since a break of continuity on `broken_on`, at that depth.
	 */
	bool is_broken;
	uint32_t broken_depth;
	const struct stack *broken_on;
};

/* The user part of a stack at a system call, for a forked child that starts there. */
struct snapshot {
	struct frame *frames;
	uint32_t depth, capacity;
	uint64_t hgatp; /* of the guest that it is in, or 0 */
	uint64_t epc, sp, used;
	uint32_t sym;	 /* of the caller */
	uint32_t binary; /* as in struct stack */
};
enum { ECALL_BYTES = 4 };

#define ORDINAL_NEW UINT32_MAX

/* Size of a trap in frames. */
enum { TRAP_FRAMES = sizeof(struct trap) / sizeof(struct frame) };

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
	COUNT_FORGOTTEN,
	STACKS_COUNTS
};

/* Only stacks.c and the functions below use the members. */
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
	struct snapshots *snapshots;
	struct tr_map vectors; /* trap handlers, if traps are not reported */
	uint64_t counts[STACKS_COUNTS];
};

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

/* Conditions to settle at the next landing; most often none. */
enum stacks_state {
	HAS_PENDING = 1,    /* a write of sp: see `pending` */
	HAS_RETURNED = 2,   /* an xret from the trap `returned` */
	IS_ELSEWHERE = 4,   /* … but not with the interrupted sp */
	IS_CHILD = 8,	    /* an xret to a place that no trap came from */
	HAS_TRAPPED = 16,   /* a trap handler comes next */
	IS_ADRIFT = 32,	    /* the preceding code is unknown: a gap, or the start */
	HAS_OVERLAY = 64,   /* unnamed code that was not called runs: `overlay` */
	WROTE_TP = 128,	    /* in a kernel, and no control transfer since */
	HAS_XRET = 256,	    /* sp is inferred: an xret whose trap follows from its
			     * target */
	HAS_ARRIVED = 512,  /* on a stack that was not left with this sp */
	HAS_CROSSED = 1024, /* an xret within a privilege, with a pending write of sp */
};

struct stacks_hart {
	struct hart hart; /* must be first */
	struct stack *stack;
	uint64_t since; /* hart.cycle when it entered the stack */
	struct pending pending;
	struct trap returned;
	uint64_t thread_tp; /* WROTE_TP: tp of the previous thread */
	uint32_t overlay;
	uint32_t state;		/* enum stacks_state */
	uint32_t apart;		/* see tr_stack_apart(); 0: none yet */
	uint64_t doubted_since; /* doubtful cycles are counted up to this time */
	uint32_t binary;	/* of user code, as in struct stack */
	uint8_t xret_priv;	/* privilege before the latest xret */
	uint8_t reported_priv;	/* as reported by the source */
	bool knows_sp;
};

static inline struct stacks_hart *stacks_hart(struct hart *h)
{
	return (struct stacks_hart *)h;
}

/* stacks.c: the set of stacks, and the one that a hart is on. */
/* After a gap of the hart: forgets all frames except those that other harts run, and
 * keeps the stacks' identities. */
void tr_stacks_forget_frames(struct tr_unwind *u, struct stacks_hart *h);
/* Replaces references to nodes of held roots that have become known. */
void tr_stacks_settle_nodes(struct tr_unwind *u);
/* Returns the key of the address space that a context uses. */
uint64_t tr_stack_key(const struct tr_context *context);
static inline struct tr_space_id trap_space(const struct trap *t)
{
	struct tr_space_id id = {.satp = t->satp, .hgatp = t->hgatp};
	return id;
}
static inline bool stack_is_user_key(uint64_t key)
{
	return key & 4;
}
static inline bool stack_is_user(const struct stack *s)
{
	return stack_is_user_key(s->key);
}
static inline struct stack *stack_bottom(struct stack *s)
{
	while (s->below)
		s = s->below;
	return s;
}
/* Returns true if the stack is one in U-mode, without an address space of its own. */
static inline bool stack_is_bare(const struct stack *s)
{
	return s->key == 4;
}
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
void tr_stack_go(struct tr_unwind *u, struct stacks_hart *h, struct stack *to,
		 uint64_t sp);
/* Puts an empty stack on the hart's, together with the newest trap if sp has not changed
 * since. */
void tr_stack_put_above(struct tr_unwind *u, struct stacks_hart *h, struct stack *to);

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
void tr_stack_settle(struct tr_unwind *u, struct stacks_hart *h,
		     const struct leaving *by);
/* Returns true if sp is still on the hart's stack after a pending write. */
bool tr_stack_stays(struct tr_unwind *u, struct stacks_hart *h, bool is_task);
/* Returns true if a trap within the current privilege returns to the place with the
 * hart's sp. */
bool tr_trap_goes_on(const struct stacks_hart *h, const struct trap *t,
		     const struct place *place);
/* Returns true if a stack continues at the place with the hart's sp: by a return to it,
 * or from a trap, *trap, which is NULL otherwise. */
bool tr_stack_goes_on(const struct stacks_hart *h, const struct stack *s,
		      const struct place *place, const struct trap **trap);
/* Forgets what is on a stack. */
void tr_stack_clear(struct tr_unwind *u, struct stack *s);

/* stacks_covers.c */
/* Returns a new, empty stack with the addresses of `other`. */
struct stack *tr_stack_cover(struct tr_unwind *u, const struct stacks_hart *h,
			     struct stack *other);
/* Ends the stacks that cover `other`, from `s` on. Returns `other`. */
struct stack *tr_stack_uncover_to(struct tr_unwind *u, struct stack *s,
				  const struct stack *other);
/* Ends the stacks, from `s` on, that sp has left for the one that they cover. `s` may be
 * NULL. Returns the stack that sp is on. */
struct stack *tr_stack_uncovered(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* The hart leaves stacks that sp is above of for those that they cover. */
void tr_stack_rise(struct tr_unwind *u, struct stacks_hart *h);
/* All that was called on the hart's stack has returned, and control leaves the caller
 * with an sp on the covered stack: the write of sp is pending again. */
void tr_stack_leave_cover(struct tr_unwind *u, struct stacks_hart *h);

/* stacks_copies.c: settles a return to `place` on a stack that has been copied to other
 * addresses since it was left. Returns false if there is none. */
bool tr_stack_follow_copy(struct tr_unwind *u, struct stacks_hart *h,
			  const struct place *place);
/* stacks_threads.c. Names the thread after tp, if this is a kernel. */
void tr_stack_name_thread(struct tr_unwind *u, struct stacks_hart *h);
/* Returns true if a thread that another hart has begun has the identity of `bottom`,
 * whose tp is unknown. A user thread that is not running may be this one. */
bool tr_stack_is_elsewhere(const struct tr_unwind *u, const struct stack *bottom);
/* Returns the ordinal of threads that a hart has begun and that share their names with
 * those of another hart. */
uint32_t tr_stack_apart(struct tr_unwind *u, uint32_t hart);
/* User code has gone to another stack, and is still in the thread of this tp. */
void tr_stack_keep_thread(struct tr_unwind *u, struct stacks_hart *h, uint64_t tp);
/* Returns true if tp was just written in the kernel and names another thread. */
bool tr_stack_has_new_tp(const struct tr_unwind *u, const struct stacks_hart *h);
/* Moves the hart to a new thread. */
void tr_stack_begin_thread(struct tr_unwind *u, struct stacks_hart *h);
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
bool tr_stack_is_of_another(const struct tr_unwind *u, const struct stacks_hart *h,
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

/* Returns true if sp has not changed since the newest trap of the stack. */
static inline bool stack_floats(const struct stack *s, uint64_t sp)
{
	return s->ntraps && s->traps[s->ntraps - 1].sp == sp;
}
/* Returns true if a trap came before a write of sp was settled: then the handler's sp is
 * on another stack. */
static inline bool stack_is_elsewhere(const struct stack *s)
{
	return s->ntraps && s->traps[s->ntraps - 1].state & HAS_PENDING;
}
/* Marks the hart's thread as doubtful, or not, from now on. */
void tr_stack_doubt(struct tr_unwind *u, struct stacks_hart *h, bool is_doubtful);
/* stacks_breaks.c: takes note of a break of continuity; the thread is in doubt until
 * tr_breaks_mend(), after a return that certainly is one, finds the hart below it. */
void tr_breaks_take(struct tr_unwind *u, struct stacks_hart *h);
/* The same doubt, without a break. */
void tr_breaks_doubt(struct tr_unwind *u, struct stacks_hart *h);
void tr_breaks_mend(struct tr_unwind *u, struct stacks_hart *h);
/* Counts the doubtful cycles up to now. A cycle counts once: the stack's clock goes
 * without it. */
void tr_stack_count_doubt(struct tr_unwind *u, struct stacks_hart *h);
/* Counts the cycles since the hart last went to its stack, or was last in doubt there. */
void tr_stack_doubt_recent(struct tr_unwind *u, struct stacks_hart *h);

/* Returns true if the trap can return to pc. */
static inline bool trap_is_back(const struct trap *t, uint64_t pc)
{
	return pc - t->epc <= TR_INSN_MAX_BYTES || (t->other && pc == t->other);
}

/* stacks_ahead.c: the returns out of the current function, found by looking ahead. */
enum { AHEAD_STEPS = 16 };
struct ahead_step {
	uint64_t pc;
	bool is_xret;
};
struct ahead {
	struct ahead_step steps[AHEAD_STEPS];
	unsigned count;
};
/* The frames of a stack that was left, or of a snapshot. */
struct left {
	const struct frame *frames;
	const struct trap *traps;
	uint32_t depth, ntraps;
	const struct stack *below;
};
static inline struct left left_of(const struct stack *s)
{
	return (struct left){s->frames, s->traps, s->depth, s->ntraps, s->below};
}
/* Looks ahead from the hart's current row to a gap or the end of the frame. */
void tr_ahead_scan(struct tr_unwind *u, const struct stacks_hart *h, struct ahead *a);
/* Returns how many of these steps match the frames, or -1 if they contradict them. */
int tr_ahead_score(const struct ahead *a, const struct left *left);

/* stacks_inferred.c: infers sp for sources that do not report it. */
/* Returns a made-up sp on a new range of addresses. */
uint64_t tr_inferred_new_sp(struct tr_unwind *u);
/* The last block has written sp. */
void tr_inferred_write(struct stacks_hart *h);
/* Like tr_stack_settle(), after the previous block went to `place` by `flow`. */
void tr_inferred_settle(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
			const struct place *place);
/* Before a return to `place`: sets sp to its value at the call that returns there. */
void tr_inferred_return(struct stacks_hart *h, const struct place *place);
/* HAS_XRET: settles it, given its target `place`, of which only the pc may be known. */
void tr_inferred_xret(struct tr_unwind *u, struct stacks_hart *h,
		      const struct place *place);
/* Returns the snapshot at epc that best fits the returns ahead, or NULL. Sets
 * *is_doubtful if another one fits as well. */
const struct snapshot *tr_inferred_snapshot(struct tr_unwind *u,
					    const struct stacks_hart *h, uint64_t epc,
					    uint32_t sym, bool *is_doubtful);

/* stacks_frames.c */
/* Returns true for a function's frame, false for another one or NULL. */
static inline bool frame_is_function(const struct frame *f)
{
	return f && f->kind == FRAME_FUNCTION;
}

/* Returns true if the frame's function returns to the place. */
static inline bool frame_returns_to(const struct frame *f, const struct place *place)
{
	return f->kind == FRAME_FUNCTION &&
	       (f->ret == place->pc ||
		(f->binary == place->binary && f->linked == place->address &&
		 f->binary < TR_NOTE_AMBIGUOUS && f->ret != NO_RETURN));
}

/* Returns where a return from this frame leads, NO_RETURN if it is no function's or NULL.
 */
static inline uint64_t frame_return_address(const struct frame *f)
{
	return frame_is_function(f) ? f->ret : NO_RETURN;
}

/* Returns the frame on top, or NULL if the thread has not run. */
static inline struct frame *stack_top(struct stack *s)
{
	while (s && !s->depth)
		s = s->below;
	return s ? &s->frames[s->depth - 1] : NULL;
}
/* Returns the symbol of the program at a place. */
uint32_t tr_frames_program(const struct tr_unwind *u, const struct place *place);
/* Pushes the root of a thread that begins at `place`, from what is known of its
 * program. */
void tr_frames_root(struct tr_unwind *u, struct stacks_hart *h,
		    const struct place *place);
/* Pushes the root of a thread whose program is determined later; if it never is, the root
 * is `program`. */
void tr_frames_hold_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t program);
/* Pushes a function that returns to `ret`, called by hart.from unless `ret` is NO_RETURN.
 * `is_inside`: it was called from within itself, and is not shown again. */
void tr_frames_push(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym,
		    uint64_t ret, bool is_inside);
void tr_frames_push_trap(struct tr_unwind *u, struct stacks_hart *h,
			 const struct trap *trap);
/* Pushes a signal that interrupted the code on top at `sp` and `pc`. */
void tr_frames_push_signal(struct tr_unwind *u, struct stacks_hart *h, uint64_t sp,
			   uint64_t pc);
/* Replaces the function on top. */
void tr_frames_rename(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym);
/* Drops all but `depth` frames. */
void tr_frames_truncate(struct stack *s, uint32_t depth);
/* Update the nodes after the thread's tp has changed, or after its root was named. */
void tr_frames_name_thread(struct tr_unwind *u, struct stack *bottom);
void tr_frames_name_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym);
/* The stack below is still unknown: makes the stack a thread of its own program. */
void tr_frames_release_root(struct tr_unwind *u, struct stack *s);
/* Moves the newest trap of the hart's stack, with the frames above it, to the empty stack
 * `to`, which will stand on the hart's. */
void tr_frames_move_trap(struct tr_unwind *u, struct stacks_hart *h, struct stack *to);
/* Moves the trap at the bottom of a stack back to the stack below it. */
void tr_frames_move_trap_back(struct tr_unwind *u, struct stack *s);
/* Frame `i` was left with another sp than on entry: counts its cycles and those above it
 * as doubtful. */
void tr_frames_doubt(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		     uint32_t i);

/* Replaces references to nodes of held roots that have become known. */
void tr_frames_settle_nodes(struct tr_unwind *u, struct frame *frames, uint32_t depth);

/* stacks_flow.c */
/* Returns to code of which only the pc is known. */
void tr_stacks_give_back_blank(struct tr_unwind *u, struct stacks_hart *h,
			       const struct place *place);
/* stacks_roots.c: begins a thread at `place`. */
void tr_stacks_begin(struct tr_unwind *u, struct stacks_hart *h,
		     const struct place *place);
/* Names the root of a thread that has run nothing so far, or only library code. */
void tr_stacks_name_root(struct tr_unwind *u, struct stacks_hart *h,
			 const struct place *place);
/* Enters a function that was not called. */
void tr_stacks_enter(struct tr_unwind *u, struct stacks_hart *h,
		     const struct place *place);
/* Makes the top frame an activation of the function at `place`. */
void tr_stacks_correct(struct tr_unwind *u, struct stacks_hart *h,
		       const struct place *place);
/* Updates hart.here. */
void tr_stacks_show(struct tr_unwind *u, struct stacks_hart *h);

/* stacks_leaving.c */
/* Control goes to `place` by `flow` (enum tr_flow) with a pending write of sp, or from a
 * stack that covers another. Returns true if the landing is complete. hart.from may
 * change. */
bool tr_leaving_land(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
		     const struct place *place);
/* A trap comes next: settles the write of sp if control was transferred since. */
void tr_leaving_trap(struct tr_unwind *u, struct stacks_hart *h);
/* Begins a thread on the hart's empty stack, or continues one that has only set up its
 * stack so far. */
void tr_leaving_begin_thread(struct tr_unwind *u, struct stacks_hart *h);
/* Returns true if control leaves a function that has written sp, and for which the hart's
 * stack is empty, other than by a call. */
bool tr_leaves_caller(const struct stacks_hart *h, uint8_t flow,
		      const struct place *place);

/* stacks_traps.c */
static inline unsigned priv_rank(uint8_t priv)
{
	return tr_mode_of(priv).nominal;
}
void tr_traps_take(struct tr_unwind *u, struct stacks_hart *h,
		   const struct tr_event *event);
void tr_traps_xret(struct tr_unwind *u, struct stacks_hart *h,
		   const struct tr_event *event);
/* Returns the hart to the interrupted code; the next landing settles the rest. */
void tr_traps_leave(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		    const struct trap *trap);
/* Hands the returned trap on to the hart's current privilege. */
void tr_traps_hand_on(struct tr_unwind *u, struct stacks_hart *h);
/* Returns the hart to the trap of its stack whose interrupted code continues at the
 * place. Returns false if none does. */
bool tr_traps_resume(struct tr_unwind *u, struct stacks_hart *h,
		     const struct place *place);
/* Lands on the first instruction of a handler or after an xret. Returns true if the
 * landing is complete. */
bool tr_traps_land(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);

/* stacks_signals.c: signals, which a kernel makes a process handle. tr_signals_begin():
 * the kernel has returned to a handler, at `place`. tr_signals_end() resumes user code at
 * pc that a signal interrupted; tr_signals_end_in_call() does so in a function that the
 * handler has made it call, as that of Go's runtime does to preempt it. They return false
 * if there is no such signal. */
void tr_signals_begin(struct tr_unwind *u, struct stacks_hart *h,
		      const struct place *place);
bool tr_signals_end(struct tr_unwind *u, struct stacks_hart *h, uint64_t pc);
bool tr_signals_end_in_call(struct tr_unwind *u, struct stacks_hart *h,
			    const struct place *place);

/* stacks_tasks.c: tasks in U-mode that share one address space, as those of a kernel
 * without virtual memory. */
/* Returns true if the hart is in U-mode, where several tasks share the address space:
 * they are distinguished by their stacks, as tasks in one privilege are. */
bool tr_task_is_bare(const struct tr_unwind *u, const struct stacks_hart *h);
/* Returns true if sp is where the thread on a stack began, or above it. */
bool tr_task_begins_at(const struct stack *s, uint64_t sp);
/* Returns true if a trap has left the task's stack with this sp, and can return to pc. */
bool tr_task_was_left_at(struct stack *s, uint64_t sp, uint64_t pc);
/* Begins a task at `place`. */
void tr_task_begin(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);
/* The handler of a trap of the hart's stack begins on `to`. If it has handled another
 * task's there, that one has the trap again. What ran on it before as a thread of its own
 * may have been the task in the kernel, before it began: its cycles are in doubt. */
void tr_task_hands_over(struct tr_unwind *u, struct stacks_hart *h, struct stack *to);
/* Lands after an xret to a task other than the one that the kernel's stack stands on: one
 * that a trap left with this sp, or a new one. Returns true if the landing is complete.
 */
bool tr_task_land(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);

/* stacks_events.c */
void tr_events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* Finds the hart's stack by sp after a gap. */
void tr_events_find_stack(struct tr_unwind *u, struct stacks_hart *h);

/* Returns the binary that an xret to pc in user mode leads to: where a trap came from, or
 * after a parent's system call. */
uint32_t tr_inferred_binary(struct tr_unwind *u, const struct stacks_hart *h,
			    uint64_t pc);

/* stacks_unreported.c */
/* Returns true if the block is the beginning of a trap handler. */
bool tr_unreported_is_vector(const struct tr_unwind *u, const struct pair *p);

/* stacks_programs.c: identifies the running program for sources that report neither satp
 * nor sp. */
/* Returns the pair of the block found as `match`: in the program `binary` if it is user
 * code. `priv` is the privilege, if reported. */
const struct pair *tr_program_pair(struct tr_unwind *u, uint32_t binary, uint8_t priv,
				   const struct pair *match);
/* Chooses the program that an xret in user mode to the place of `match` continues. */
void tr_program_choose(struct tr_unwind *u, struct stacks_hart *h,
		       const struct pair *match);
/* Returns true if the block is user code; `priv` is the privilege, if reported. */
bool tr_program_is_user(const struct tr_unwind *u, uint8_t priv,
			const struct pair *match);
/* Returns true if a program's entry point is at pc. */
bool tr_program_begins(const struct tr_unwind *u, uint64_t pc);

/* stacks_snapshots.c */
void tr_snapshot_take(struct tr_unwind *u, struct stacks_hart *h,
		      const struct trap *trap);
/* A child resumes at `place` with the hart's sp: moves the hart to a copy of the parent's
 * stack. Returns false if there was no such system call. */
bool tr_snapshot_adopt(struct tr_unwind *u, struct stacks_hart *h,
		       const struct place *place);
/* Releases what the task of this kernel stack has run as part of a system call on the
 * hart's stack. */
void tr_snapshot_release(struct tr_unwind *u, struct stacks_hart *h,
			 struct stack *kernel);
void tr_snapshots_forget(struct tr_unwind *u);
/* Returns the nth snapshot, NULL beyond the last. */
const struct snapshot *tr_snapshots_nth(const struct tr_unwind *u, uint32_t nth);
/* Replaces references to nodes of held roots that have become known. */
void tr_snapshots_settle_nodes(struct tr_unwind *u);
/* tr_snapshots_new() returns NULL when out of memory; tr_snapshots_free() accepts it. */
struct snapshots *tr_snapshots_new(void);
void tr_snapshots_free(struct snapshots *all);

#endif
