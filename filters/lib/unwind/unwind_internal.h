/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the unwinder share; nobody else includes it.
 *
 * Symbols are the unwinder's own numbers for whatever can stand on a stack: a
 * function, a program, a trap, unknown code. A frame is one activation. A level
 * is a frame of kind root or trap and the functions above it, up to the next
 * trap; calls and returns never leave the level they happen in.
 */
#ifndef TR_UNWIND_INTERNAL_H
#define TR_UNWIND_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "unwind/decode.h"
#include "unwind/unwind.h"

/* Odd, so that no return ever lands there. */
#define NO_RETURN UINT64_C(1)

/* Flows beyond those that an instruction can have (enum tr_flow). */
enum {
	FLOW_NO_BITS = TR_FLOW_XRET + 1, /* the source gave no instruction */
	FLOW_RESYNC,			 /* after a gap, or on another thread */
	FLOW_RESUME,			 /* after a trap return: see hart.resumed */
};

/* The user part of a thread of which nothing has run. */
#define SPACE_NONE UINT32_MAX
/* The user part is a fork's; its space is known when it runs. */
#define SPACE_FORKED (UINT32_MAX - 1)

/* Symbols that are always there. */
enum { SYM_NONE = 0, SYM_UNKNOWN, SYM_AMBIGUOUS, SYM_TRAP, SYM_SIGNAL, SYM_FIXED };

enum sym_role {
	ROLE_PLAIN = 0,
	ROLE_BLANK,   /* no name: several on top of each other are one node */
	ROLE_SETJMP,  /* its return can be a longjmp's target */
	ROLE_FORK,    /* the kernel function that makes a child */
	ROLE_NEWBORN, /* where the kernel lets a forked child begin, and only such */
	ROLE_CLONE,   /* the user function by which a thread begins on its own stack */
};

struct sym {
	const char *name;
	const char *program;
	uint64_t entry;
	uint32_t func; /* as written out; TR_MAP_NONE before */
	uint8_t kind;  /* enum tr_frame_kind */
	uint8_t role;
};

/* A further function in a block that runs on into it, or other leaves on the same. */
struct segment {
	uint64_t pc;
	uint32_t sym;
	uint32_t leaf;	     /* what stands on the function; 0: nothing */
	uint32_t base, node; /* node of the leaf on the frame with node `base` */
	uint16_t first;	     /* token */
	bool entry;
	bool moves; /* another function than before */
};

/* A block in an address space. What each landing on it and each transfer from it asks
 * for is in one line of the cache. */
struct pair {
	_Alignas(64) uint64_t pc;
	uint64_t next_pc; /* behind the last instruction */
	uint64_t address; /* of the first instruction in the file */
	struct segment *segments;
	uint32_t sym;		      /* at the first instruction */
	uint32_t last_sym, last_leaf; /* at the last instruction */
	uint32_t binary;	      /* or TR_NOTE_* */
	uint32_t block, space;
	uint32_t next;	    /* of the space, or free */
	uint16_t nsegments; /* beyond the first function without leaves */
	uint8_t flow;
	bool entry : 1; /* begins at the function's entry */
	bool ready : 1; /* classified */
	bool is_free : 1;
};

/* The pair that a block was last run as. */
struct recent {
	uint64_t run; /* recent_run() of it, or RECENT_NONE */
	const struct pair *pair;
};
#define RECENT_NONE UINT64_MAX

/* What a row asks for, in one number: rows of numbers that are equal but for bit 0 are
 * of one function, without anything to be done between them unless bit 0 is set: the
 * flow from there to the next row has to be looked at. */
static inline uint64_t recent_run(uint32_t space, uint32_t sym, bool is_looked_at)
{
	return (uint64_t)space << 32 | (uint64_t)sym << 1 | is_looked_at;
}
/* In place of a symbol, for pairs with segments. */
enum { SYM_SPLIT = INT32_MAX };

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

/* An inlined call or a line, on top of another leaf or (0) of a function. */
struct leaf {
	uint32_t below;
	uint32_t sym;
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

/* The row of stacks under construction. */
struct pending_row {
	uint64_t cycles, instructions;
	uint64_t classes[TR_MAX_CLASSES];
	uint32_t class_mask;
	uint32_t node, sym, thread;
	bool open, fresh;
	bool has_context; /* one has been told */
	uint32_t process; /* of the context told last, and its privilege */
	uint8_t priv;
	uint8_t triggers; /* to be told with the next one */
};

struct hart {
	struct tr_context context;
	struct thread *thread;
	const struct pair *from; /* what ran last; never NULL */
	struct pair held;	 /* in place of one that is gone */
	struct frame resumed;	 /* FLOW_RESUME: the trap that was returned from */
	struct pending_row row;
	struct segment *leaves; /* what is charged stands on these; NULL: on none */
	uint64_t near_bias;	/* of what ran last in a known file: pc minus address */
	uint32_t near_binary;	/* its number */
	uint32_t number;
	bool switched; /* no return yet since the thread changed */
	bool fresh;    /* the top frame is new and has not been charged yet */
	/* Where it is in the frame. */
	const struct tr_hart_frame *part;
	uint64_t cycle;
	uint32_t next_row, next_event;
};

/* One of tr_note_space(). */
struct space {
	uint64_t used; /* when, for forgetting */
	uint64_t bias; /* of its first known binary: pc minus address in the file */
	uint32_t binary;
	uint32_t number;
	uint32_t first; /* of its pairs */
};
enum { SPACES_SLACK = 1 << 12, SATPS_MAX = 1 << 16 };

struct binary {
	struct tr_map functions; /* by entry: symbols */
	uint32_t program;	 /* at the root; SYM_UNKNOWN for libraries */
	uint32_t nameless;
};

enum { TRAP_CAUSES = 64 };

struct tr_unwind {
	struct tr_unwind_ops ops;
	struct tr_unwind_options options;
	struct tr_unwind_totals totals;
	int status; /* the first error; the rest is idle after it */

	struct sym *syms;
	uint32_t nsyms, syms_capacity, nfuncs;
	struct binary *binaries;
	uint32_t traps[2][TRAP_CAUSES], gaps[8];
	struct tr_map nodes; /* by (parent, symbol) */
	uint32_t nnodes;
	struct leaf *leaves; /* from 1 */
	uint32_t nleaves, leaves_capacity;
	struct tr_map leaf_ids;		      /* by (below, symbol) */
	struct tr_map leaf_calls, leaf_lines; /* by (binary, number): leaf, symbol */
	struct tr_map leaf_syms;	      /* of inlined functions, by name */
	struct tr_arena leaf_names;
	uint32_t call_sym, call_leaf; /* of the instruction before a landing */

	uint64_t generation;
	struct pair **chunks; /* of PAIRS_A_CHUNK, so that pairs stay in place */
	uint32_t nchunks, npairs;
	struct recent *recent; /* by block */
	uint32_t nblocks, recent_capacity;
	struct tr_map pairs; /* by (space, block) */
	uint32_t live_pairs, free_pair;
	struct space *spaces;
	uint32_t nspaces, spaces_capacity;
	struct tr_map space_slots; /* by number */
	struct tr_map satps;	   /* the space that runs under it */
	bool *with_classes;	   /* by timing */
	uint32_t ntimings, timings_capacity;
	struct pair spare; /* when memory is out */

	struct thread **threads;
	uint32_t nthreads, threads_capacity;
	uint64_t nframes; /* room for frames, all threads */
	struct tr_map by_key, identities, thread_ids;
	uint32_t nidentities, nthread_ids;
	uint64_t clock; /* of thread use */
	struct fork forks[FORKS];
	uint32_t next_fork;
	uint32_t serial;

	struct hart *harts[TR_MAX_HARTS];
};

/* Keeps the first error. */
static inline void unwind_fail(struct tr_unwind *u, int status)
{
	if (!u->status)
		u->status = status;
}
/* Grows *array (of `size` bytes each) to hold `count`; false when out of memory,
 * which is then the status. */
bool unwind_reserve(struct tr_unwind *u, void **array, uint32_t *capacity, uint64_t count,
		    size_t size);

/* Where control is. */
struct place {
	uint64_t pc;
	uint32_t sym;
	uint32_t binary;
	bool entry; /* of a function, which has a name */
};

/* unwind_names.c: symbols, nodes and thread numbers, and writing them out. */
bool names_init(struct tr_unwind *u);
void names_free(struct tr_unwind *u);
uint32_t names_function(struct tr_unwind *u, uint32_t binary,
			const struct tr_function *function);
/* A symbol of the source: an inlined function or a line. */
uint32_t names_leaf(struct tr_unwind *u, uint32_t binary, const char *name,
		    enum tr_frame_kind kind);
uint32_t names_trap(struct tr_unwind *u, uint64_t cause);
uint32_t names_gap(struct tr_unwind *u, uint8_t reason);
/* The node of `sym` on top of node `parent`; `parent` itself at the limit. */
uint32_t names_node(struct tr_unwind *u, uint32_t parent, uint32_t sym);
uint32_t names_thread(struct tr_unwind *u, const struct thread *t);
static inline bool sym_is_blank(const struct tr_unwind *u, uint32_t sym)
{
	return u->syms[sym].role == ROLE_BLANK;
}

/* unwind_leaves.c: the leaf at an address of binary N, 0 if none, and in `place` how
 * far that holds. / The node of a leaf on top of `node`. / A segment with the leaf
 * at `pc`, in the file that ran last or that of the space. */
void leaves_free(struct tr_unwind *u);
uint32_t leaves_at(struct tr_unwind *u, uint32_t binary, uint64_t address,
		   struct tr_place *place);
uint32_t leaves_node(struct tr_unwind *u, uint32_t node, uint32_t leaf);
struct segment leaves_near(struct tr_unwind *u, const struct hart *h, uint64_t pc);
/* A leaf without the line on top. */
uint32_t leaves_calls(const struct tr_unwind *u, uint32_t leaf);

/* unwind_pairs.c: what is known of each block in each space. */
void pairs_generation(struct tr_unwind *u);
void pairs_free(struct tr_unwind *u);
void pairs_frame(struct tr_unwind *u, const struct tr_frame *frame, uint32_t nblocks,
		 uint32_t ntimings);
const struct pair *pairs_find(struct tr_unwind *u, uint32_t space, uint32_t block);
/* Fills in `place` for its pc, before a block there has run: in the file of `near`
 * (which may be of none), or else of the space. False if there is no function. */
bool pairs_locate(struct tr_unwind *u, const struct pair *near, uint32_t space,
		  struct place *place);

/* Symbol of the program that a space was first found to run, SYM_UNKNOWN if none. */
uint32_t pairs_program(const struct tr_unwind *u, uint32_t space);

/* Frees the pairs of a space, from its first on. */
void pairs_forget(struct tr_unwind *u, uint32_t first);

/* unwind_spaces.c. Pointers hold until the next call of get, see or limit. */
struct space *spaces_find(const struct tr_unwind *u, uint32_t number);
struct space *spaces_get(struct tr_unwind *u, uint32_t number);
/* User code runs: another life of the same satp ends the one before. */
void spaces_see(struct tr_unwind *u, const struct tr_context *context);
/* Forgets the spaces that have not run for longest, when all together are big. */
void spaces_limit(struct tr_unwind *u);
void spaces_clear(struct tr_unwind *u);
void spaces_free(struct tr_unwind *u);

/* unwind_stack.c: one thread's frames. */
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

/* unwind_threads.c */
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

/* unwind_forks.c. Remembers the user part of the stack. */
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

/* unwind_flow.c: control is at `place`; what did the block before do? */
void flow_land(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Takes a trap at `epc`: settles what came before, as far as can be known. */
void flow_settle(struct tr_unwind *u, struct hart *h, uint64_t epc);
/* A trap at `epc` is the first that is known of the thread. */
void flow_begin(struct tr_unwind *u, struct hart *h, uint64_t epc);
/* Nothing is known of what ran before but how (FLOW_*). */
void flow_set(struct hart *h, uint8_t flow, uint64_t next_pc);

/* A function begins that returns to `ret`. */
void flow_enter(struct tr_unwind *u, struct hart *h, uint32_t sym, uint64_t ret);

/* unwind_signals.c: "[signal]" stands on what was interrupted, the handler on that. */
void signals_begin(struct tr_unwind *u, struct hart *h, uint64_t pc, uint32_t handler);
/* The handler on top returns, to the trampoline `sym`. False: there is none. */
bool signals_end_handler(struct tr_unwind *u, struct hart *h, uint32_t sym);
/* A trap in the handler or its trampoline leads to `place`: back to where the signal
 * came, into the handler of another that waited, or where else the handler wants.
 * False: no signal ends. */
bool signals_return(struct tr_unwind *u, struct hart *h, const struct place *place);

/* unwind_events.c */
void events_apply(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* Takes the thread that tp in S-mode names. */
void events_see_thread(struct tr_unwind *u, struct hart *h);
/* Makes thread and level agree with the context before rows run in it. */
void events_align(struct tr_unwind *u, struct hart *h);

/* unwind_rows.c: charging, and writing rows out. */
/* Returns the leaf of the inlined call that the trap came in. */
uint32_t rows_charge_trap(struct tr_unwind *u, struct hart *h,
			  const struct tr_event *trap);
void rows_flush(struct tr_unwind *u, struct hart *h);
/* Tracing starts or stops here. */
void rows_trigger(struct tr_unwind *u, struct hart *h, bool start);
/* A row of no cycles at the root: all that the thread had on its stack is over,
 * also where the next program goes down the same path. */
void rows_begin_stack(struct tr_unwind *u, struct hart *h);
void rows_gap(struct tr_unwind *u, struct hart *h, uint32_t node, uint64_t cycles);
void rows_run(struct tr_unwind *u, struct hart *h, uint32_t last);

#endif
