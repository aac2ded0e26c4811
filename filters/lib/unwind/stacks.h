/* SPDX-License-Identifier: Apache-2.0 */
/* How stacks are followed: a stack is a range of addresses, and a return is
 * right when sp is what it was at the call.
 *
 * Arithmetic on sp stays on its stack. Any other write of sp is pending until the next
 * control transfer or write of tp; then sp is within the same stack (unwinding), or on
 * another, which is the one that was left at just that sp, or the one whose range holds
 * it, or a new one. A stack may stand on another: the kernel's on the user's, by a trap.
 * What nothing stands on is a thread.
 */
#ifndef TR_UNWIND_STACKS_H
#define TR_UNWIND_STACKS_H

#include "unwind/unwind_internal.h"

/* Odd, so that no return ever lands there. */
#define NO_RETURN UINT64_C(1)

enum frame_kind { FRAME_ROOT, FRAME_FUNCTION, FRAME_TRAP, FRAME_SIGNAL };

/* An activation of a function, or what stands for one: a line of the cache. */
struct frame {
	uint64_t sp; /* when it came onto its stack */
	union {
		uint64_t ret;	 /* the pc that it returns to, or NO_RETURN */
		uint64_t signal; /* FRAME_SIGNAL: the sp that was interrupted; 0: not
				    known */
	};
	uint64_t linked;  /* `ret` as the file has it, if `binary` is known; FRAME_SIGNAL:
			     the pc that was interrupted */
	uint64_t entered; /* time of the stack, in cycles */
	uint32_t binary;  /* that calls */
	uint32_t node, sym;
	uint32_t leaf;	    /* of the frame below, which called there */
	uint32_t child_sym; /* the call out of it that was seen last, and its node */
	uint32_t child_node;
	uint8_t kind;	   /* enum frame_kind */
	bool is_inside;	   /* called within its own function: not shown */
	bool is_alternate; /* called through x5: it may return with another sp */
	bool has_setjmp;   /* it has called setjmp(), or the like */
};

/* A write of sp that has not taken effect. */
struct pending {
	uint64_t first;	 /* what was written */
	uint64_t before; /* sp before the first such write */
	bool floats; /* nothing but the trap came between the interrupted sp and this */
};

/* A trap that has not been returned from. It belongs to a frame. */
struct trap {
	uint64_t sp, epc, satp; /* interrupted */
	uint64_t other;		/* where it may go on instead of epc, or 0 */
	struct pair held;	/* what had run before, if control had not settled */
	struct pending pending;
	uint32_t frame; /* index on its stack */
	uint32_t sym, leaf;
	uint32_t veil, state; /* interrupted, as of the hart */
	uint8_t from, priv;   /* privilege interrupted, and entered */
	bool is_interrupt;
	bool is_fresh; /* the entry of the function had not run */
};

struct stack {
	struct frame *frames;
	struct trap *traps;
	uint32_t depth, capacity, ntraps, trap_capacity;
	struct stack *below;	 /* that it stands on; NULL: it is a thread */
	struct stack *above;	 /* that last stood on it */
	struct stack *next_used; /* of stacks.used, if is_used */
	uint64_t key;		 /* the address space of its addresses */
	uint64_t low, high;	 /* what sp has been on it */
	uint64_t parked;	 /* sp when it was left */
	uint64_t deep;	   /* sp at the first call beyond the depth limit; 0: none is */
	uint64_t clock;	   /* cycles on it until it was left, but for those in doubt */
	uint64_t tp, satp; /* of the thread */
	uint64_t used;	   /* when, for forgetting */
	uint32_t space;	   /* life of the address space, 0: not known, or none */
	uint32_t
	    program; /* at the root, if nothing better becomes known while it is held */
	uint32_t
	    binary;	/* of its user code, where satp is not told; or TR_NOTE_UNKNOWN */
	uint32_t first; /* function that it began with */
	uint32_t id;	/* of the thread, as written out */
	uint32_t ordinal; /* tells threads with the same tp apart; 0: the first; or
			     ORDINAL_NEW */
	uint32_t root;	  /* names_hold() while its root is not known, or HOLD_NONE */
	bool is_listed;	  /* it can be found by sp */
	bool is_task;	  /* it began with a write of tp */
	bool is_kept;	  /* while others are forgotten */
	bool is_used;	  /* since its frames were last forgotten */
	bool is_doubtful; /* at the bottom: it may be that of another thread */
};

/* The user part of a stack at a system call, for a child that begins there. */
struct snapshot {
	struct frame *frames;
	uint32_t depth, capacity;
	uint64_t epc, sp, used;
	uint32_t sym;	 /* that calls */
	uint32_t binary; /* as that of the stack */
};
enum { SNAPSHOTS = 1024, ECALL_BYTES = 4 };

#define ORDINAL_NEW UINT32_MAX

/* A trap takes the memory of so many frames. */
enum { TRAP_FRAMES = sizeof(struct trap) / sizeof(struct frame) };

struct stacks {
	struct stack **all;
	struct stack spare;    /* in use when memory is out */
	struct stack **listed; /* by (key, high), without overlap */
	struct stack *used;    /* those that a hart has come to or left since a gap */
	uint32_t count, capacity, nlisted, listed_capacity;
	uint32_t collect_at; /* when there are so many */
	uint64_t nframes;    /* room for frames and traps, all stacks */
	uint64_t inferred;   /* stacks that have made-up addresses */
	uint32_t ordinals;
	struct snapshot snapshots[SNAPSHOTS];
	struct tr_map snapshot_ids; /* by hash of (epc, sp, sym) */
	uint32_t nsnapshots;
	struct tr_map vectors; /* trap handlers, where traps are not told */
};

static inline struct stacks *stacks_of(const struct tr_unwind *u)
{
	return u->state;
}

/* What is to be settled at the next landing; most often nothing. */
enum stacks_state {
	HAS_PENDING = 1,   /* a write of sp: see `pending` */
	HAS_RETURNED = 2,  /* an xret from the trap `returned` */
	IS_ELSEWHERE = 4,  /* ... but not with the sp that was interrupted */
	IS_CHILD = 8,	   /* an xret to a place that no trap came from */
	HAS_TRAPPED = 16,  /* a trap handler comes next */
	IS_ADRIFT = 32,	   /* what ran before is not known: a gap, or the start */
	IS_VEILED = 64,	   /* code without a name that was not called runs: `veil` */
	WROTE_TP = 128,	   /* in a kernel, and no control transfer has come since */
	HAS_XRET = 256,	   /* one whose trap its target will tell: sp is inferred */
	HAS_ARRIVED = 512, /* on a stack that was not left at this sp */
};

struct stacks_hart {
	struct hart hart; /* first */
	struct stack *stack;
	uint64_t since; /* hart.cycle when it came onto the stack */
	struct pending pending;
	struct trap returned;
	uint64_t thread_tp; /* WROTE_TP: of the thread before */
	uint32_t veil;
	uint32_t state;		/* enum stacks_state */
	uint64_t doubted_since; /* up to this time cycles in doubt are counted */
	uint32_t binary;	/* of user code, as that of the stack */
	uint8_t xret_priv;	/* HAS_XRET: the privilege before */
	uint8_t told_priv;	/* by the source */
	bool knows_sp;
};

static inline struct stacks_hart *stacks_hart(struct hart *h)
{
	return (struct stacks_hart *)h;
}

/* stacks.c: the stacks there are, and which one the hart is on. */
/* Behind a gap of the hart no frame is known to be there, but those that other harts
 * run; what the stacks are of remains. */
void stacks_forget_frames(struct tr_unwind *u, struct stacks_hart *h);
/* Nothing refers to nodes of roots that were held and have become known. */
void stacks_settle_nodes(struct tr_unwind *u);
uint64_t stack_key(const struct tr_context *context);
static inline bool stack_is_user(const struct stack *s)
{
	return s->key & 4;
}
static inline struct stack *stack_bottom(struct stack *s)
{
	while (s->below)
		s = s->below;
	return s;
}
/* Whether it is, or stands on, the other. */
bool stack_stands_on(const struct stack *s, const struct stack *other);
/* The stack of this key that holds sp; NULL if none is known to. */
struct stack *stack_find(const struct tr_unwind *u, uint64_t key, uint64_t sp);
/* A new one that holds sp, without a frame; never NULL, but after unwind_fail() it may be
 * the spare one. */
struct stack *stack_new(struct tr_unwind *u, const struct tr_context *context,
			uint64_t sp);
/* Makes sp one of its addresses: what else was thought to hold it is not found again. */
void stack_widen(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* The same for sp of a function that may have called nothing. */
void stack_reach(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* sp has become known, on a stack that had no addresses. */
void stack_place(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* The hart leaves its stack at `sp`, for `to`. */
void stack_go(struct tr_unwind *u, struct stacks_hart *h, struct stack *to, uint64_t sp);
/* An empty stack stands on that of the hart, with the newest trap if sp has not moved
 * since. */
void stack_put_above(struct tr_unwind *u, struct stacks_hart *h, struct stack *to);
/* The pending write of sp takes effect: the hart may be on another stack now. `is_task`:
 * tp is that of another thread, so this is no stack that stands on the one it was on.
 * `goes_on`: what wrote sp runs on; so a trap handler does not go back to what was left
 * at that sp, but begins a stack. */
void stack_settle(struct tr_unwind *u, struct stacks_hart *h, bool is_task, bool goes_on);
/* tp names the thread, if this is a kernel. */
void stack_name_thread(struct tr_unwind *u, struct stacks_hart *h);
/* Whether tp has just been written, and names another thread in the kernel. */
bool stack_has_new_tp(const struct tr_unwind *u, const struct stacks_hart *h);
/* The hart goes to a new thread. */
void stack_begin_thread(struct tr_unwind *u, struct stacks_hart *h);
/* The stack of this key that was left at just this sp; NULL if there is none. */
struct stack *stack_find_parked(const struct tr_unwind *u, uint64_t key, uint64_t sp);
/* Whether the process of a user context has run. */
bool stack_has_process(const struct tr_unwind *u, const struct tr_context *context);
/* Takes away what was called at sp or below it. */
void stack_drop_below(struct tr_unwind *u, struct stack *s, uint64_t sp);
/* tp where it names a kernel thread, 0 elsewhere. */
uint64_t stack_kernel_tp(const struct tr_unwind *u, const struct tr_context *context);

/* Whether nothing has moved sp, which is this, since the newest trap of the stack. */
static inline bool stack_floats(const struct stack *s, uint64_t sp)
{
	return s->ntraps && s->traps[s->ntraps - 1].sp == sp;
}
/* From here on the hart's thread is in doubt, or not. */
void stack_doubt(struct tr_unwind *u, struct stacks_hart *h, bool is_doubtful);
/* Counts the cycles up to now. */
void stack_count_doubt(struct tr_unwind *u, struct stacks_hart *h);

static inline bool trap_is_back(const struct trap *t, uint64_t pc)
{
	return pc - t->epc <= TR_INSN_MAX_BYTES || (t->other && pc == t->other);
}

/* stacks_ahead.c: where control will return to, beyond the function that it is in. */
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
/* From the hart's present row on, up to a gap or the end of the frame. */
void ahead_look(struct tr_unwind *u, const struct stacks_hart *h, struct ahead *a);
/* How many of these steps lead down the frames; -1: they are of another stack. */
int ahead_score(const struct ahead *a, const struct left *left);

/* stacks_inferred.c: sp for sources that do not tell it. */
uint64_t inferred_new_sp(struct tr_unwind *u);
/* The block that ran last has written sp. */
void inferred_write(struct stacks_hart *h);
/* As stack_settle(), when the block before left by `flow` for `place`. */
void inferred_settle(struct tr_unwind *u, struct stacks_hart *h, uint8_t flow,
		     const struct place *place);
/* Before a return to `place`: sp is as it was at the call of what returns there. */
void inferred_return(struct stacks_hart *h, const struct place *place);
/* HAS_XRET: it leads to `place`, of which pc alone may be known. */
void inferred_xret(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);
/* That at epc which the returns to come fit best; NULL: there is none. *is_doubtful:
 * another one fits as well. */
const struct snapshot *inferred_snapshot(struct tr_unwind *u, const struct stacks_hart *h,
					 uint64_t epc, uint32_t sym, bool *is_doubtful);

/* stacks_frames.c */
/* Whether a frame is of a function that returns to the place. */
static inline bool frame_returns_to(const struct frame *f, const struct place *place)
{
	return f->kind == FRAME_FUNCTION &&
	       (f->ret == place->pc ||
		(f->binary == place->binary && f->linked == place->address &&
		 f->binary < TR_NOTE_AMBIGUOUS && f->ret != NO_RETURN));
}

/* The frame on top; NULL on a thread of which nothing has run. */
static inline struct frame *stack_top(struct stack *s)
{
	while (s && !s->depth)
		s = s->below;
	return s ? &s->frames[s->depth - 1] : NULL;
}
/* Symbol of the program at a place. */
uint32_t frames_program(const struct tr_unwind *u, const struct place *place);
/* The root of a thread that begins at `place`, with what is known of its program. */
void frames_root(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);
/* The same for a thread whose root is told later; else it is `program`. */
void frames_hold_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t program);
/* A function begins, which returns to `ret`: hart.from has called it, unless that is
 * NO_RETURN. `is_inside`: it is called within itself, and not shown again. */
void frames_push(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym, uint64_t ret,
		 bool is_inside);
void frames_push_trap(struct tr_unwind *u, struct stacks_hart *h,
		      const struct trap *trap);
/* A signal has interrupted what is on top at `sp` and `pc`. */
void frames_push_signal(struct tr_unwind *u, struct stacks_hart *h, uint64_t sp,
			uint64_t pc);
/* The function on top is another now. */
void frames_rename(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym);
/* Keeps `depth` frames of a stack. */
void frames_keep(struct stack *s, uint32_t depth);
/* The thread has another tp. / Its root has a name now. */
void frames_name_thread(struct tr_unwind *u, struct stack *bottom);
void frames_name_root(struct tr_unwind *u, struct stacks_hart *h, uint32_t sym);
/* What a stack stands on has not become known: it is a thread of its own program. */
void frames_release_root(struct tr_unwind *u, struct stack *s);
/* Moves the newest trap of the hart's stack, with what stands on it, to `to`, which is
 * empty and will stand on it. */
void frames_move_trap(struct tr_unwind *u, struct stacks_hart *h, struct stack *to);
/* What ran in frame `i` and above has been left with another sp than it was called
 * with. */
void frames_doubt(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		  uint32_t i);

/* stacks_flow.c */
/* A function has returned to code of which only the pc is known. */
void stacks_give_back_blank(struct tr_unwind *u, struct stacks_hart *h,
			    const struct place *place);
void stacks_begin(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);
/* A function begins that nobody called. */
void stacks_enter(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);
/* Sets hart.here. */
void stacks_show(struct tr_unwind *u, struct stacks_hart *h);

/* stacks_traps.c */
static inline unsigned priv_rank(uint8_t priv)
{
	return priv & 3U;
}
void traps_take(struct tr_unwind *u, struct stacks_hart *h, const struct tr_event *event);
void traps_xret(struct tr_unwind *u, struct stacks_hart *h, const struct tr_event *event);
/* The hart is back where the trap came from, and the next landing settles how. */
void traps_leave(struct tr_unwind *u, struct stacks_hart *h, struct stack *s,
		 const struct trap *trap);
/* The trap that was left is handed on to the privilege that the hart has now. */
void traps_hand_on(struct tr_unwind *u, struct stacks_hart *h);
/* User code at pc goes on, where a signal interrupted it. False: none did. */
bool traps_end_signal(struct tr_unwind *u, struct stacks_hart *h, uint64_t pc);
/* The first instruction of a handler, or behind an xret. True: nothing else is to be
 * done. */
bool traps_land(struct tr_unwind *u, struct stacks_hart *h, const struct place *place);

/* stacks_events.c */
void events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* Behind a gap the hart's stack is found by sp. */
void events_find_stack(struct tr_unwind *u, struct stacks_hart *h);

/* Where an xret to pc, in user mode, leads to: a place that a trap came from, or behind
 * the system call of a parent. */
uint32_t inferred_binary(struct tr_unwind *u, const struct stacks_hart *h, uint64_t pc);

/* stacks_untold.c */
/* Whether a block is the beginning of a trap handler. */
bool is_vector(const struct tr_unwind *u, const struct pair *p);

/* stacks_programs.c: which program runs, for sources that tell neither satp nor sp. */
/* The block, found as `match`, in the program `binary` if it is of user code. `priv` is
 * the privilege, if that is told. */
const struct pair *program_pair(struct tr_unwind *u, uint32_t binary, uint8_t priv,
				const struct pair *match);
/* The program that an xret in user mode to the place of `match` goes on with. */
void program_choose(struct tr_unwind *u, struct stacks_hart *h, const struct pair *match);
/* Whether the block is of user code; `priv` is the privilege, if that is told. */
bool program_is_user(const struct tr_unwind *u, uint8_t priv, const struct pair *match);
/* Whether a program begins at pc. */
bool program_begins(const struct tr_unwind *u, uint64_t pc);

/* stacks_snapshots.c */
void snapshot_take(struct tr_unwind *u, struct stacks_hart *h, const struct trap *trap);
/* A child goes on at `place` with the hart's sp: puts the hart on a stack like that of
 * its parent. False: there was no such system call. */
bool snapshot_adopt(struct tr_unwind *u, struct stacks_hart *h,
		    const struct place *place);
/* What the task of this kernel stack has run was on a system call of the hart's stack. */
void snapshot_release(struct tr_unwind *u, struct stacks_hart *h, struct stack *kernel);
void snapshots_forget(struct tr_unwind *u);
void snapshots_free(struct tr_unwind *u);

#endif
