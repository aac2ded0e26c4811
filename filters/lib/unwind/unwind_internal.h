/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the unwinder share; nobody else includes it.
 *
 * Symbols are the unwinder's own numbers for whatever can stand on a stack: a
 * function, a program, a trap, unknown code. What runs is on a node: a path of symbols
 * from a root. stacks*.c decide on which, from control transfers and events; the other
 * part classifies blocks, names functions and charges rows.
 */
#ifndef TR_UNWIND_INTERNAL_H
#define TR_UNWIND_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "unwind/decode.h"
#include "unwind/unwind.h"

/* Flows beyond those that an instruction can have (enum tr_flow). */
enum {
	FLOW_NO_BITS = TR_FLOW_XRET + 1, /* the source gave no instruction */
	FLOW_RESYNC,			 /* after a gap, or on another thread */
	FLOW_RESUME,			 /* after a trap return */
};

/* Symbols that are always there. */
enum { SYM_NONE = 0, SYM_UNKNOWN, SYM_AMBIGUOUS, SYM_TRAP, SYM_SIGNAL, SYM_FIXED };

enum sym_role {
	ROLE_PLAIN = 0,
	ROLE_BLANK,  /* no name: several on top of each other are one node */
	ROLE_SETJMP, /* a longjmp may return into it */
	ROLE_CLONE,  /* a thread begins in it, on its own stack */
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
enum { PAIR_BYTES = 64 };
struct pair {
	uint64_t pc;
	uint64_t address; /* of the first instruction in the file */
	struct segment *segments;
	uint32_t sym;		      /* at the first instruction */
	uint32_t last_sym, last_leaf; /* at the last instruction */
	uint32_t binary;	      /* or TR_NOTE_* */
	uint32_t block, space;
	uint32_t next; /* of the space, or free */
	int32_t sp;    /* what it adds to sp, behind its last other write */
	uint16_t bytes;
	uint16_t nsegments; /* beyond the first function without leaves */
	uint8_t flow;
	unsigned entry : 1; /* begins at the function's entry */
	unsigned ready : 1; /* classified */
	unsigned is_free : 1;
	unsigned is_alternate : 1; /* its last instruction calls through x5 */
	unsigned last_sp : 3;	   /* enum tr_sp_effect of its last instruction */
	unsigned
	    sp_write : 3; /* of the last that writes sp, but for additions; or keeps */
};

_Static_assert(sizeof(struct pair) == PAIR_BYTES, "a line of the cache");

static inline uint64_t pair_next_pc(const struct pair *p)
{
	return p->pc + p->bytes;
}

/* The pair that a block was last run as. */
struct recent {
	uint64_t run; /* recent_run() of it, or RECENT_NONE */
	const struct pair *pair;
};
#define RECENT_NONE UINT64_MAX

/* What a row asks for, in one number: rows of numbers that are equal but for bit 0 are
 * of one function, without anything to be done between them unless bit 0 is set: the
 * flow from there to the next row has to be looked at, or sp changes. */
static inline uint64_t recent_run(uint32_t space, uint32_t sym, bool is_looked_at)
{
	return (uint64_t)space << 32 | (uint64_t)sym << 1 | is_looked_at;
}
/* In place of a symbol, for pairs with segments. */
enum { SYM_SPLIT = INT32_MAX };

/* An inlined call or a line, on top of another leaf or (0) of a function. */
struct leaf {
	uint32_t below;
	uint32_t sym;
};

/* A stack: a path of symbols from a root. */
struct node {
	uint32_t parent, sym;
	uint32_t written; /* its number as written out; 0: not yet */
	uint32_t alias;	  /* the node that this turned out to be; 0: none */
	uint16_t depth;
	bool is_held; /* its root is, or was, not known */
};

/* What a root that was held turned out to be. */
struct hold {
	uint32_t node;	 /* that the root's node stands for */
	uint32_t thread; /* as written out */
	uint32_t process;
};

/* A hold, and what has become of it. */
struct held {
	struct hold known;
	uint32_t node;
	bool is_released;
};

/* A row or a context that waits to be written. */
struct held_row {
	struct tr_srow row;
	struct tr_scontext context;
	uint32_t hart, first_class;
	bool is_context, is_begin;
};

/* In order of time. */
struct held_rows {
	struct held_row *rows;
	struct tr_class_cycles *classes;
	uint32_t count, capacity, next, nclasses, classes_capacity;
};
enum { HELD_ROWS_MAX = 1 << 18 };

/* The row of stacks under construction. */
struct pending_row {
	struct tr_srow out;
	uint64_t classes[TR_MAX_CLASSES];
	uint32_t class_mask;
	uint32_t sym;
	bool open;
	bool has_context; /* one has been told */
	uint32_t process; /* of the context told last, and its privilege */
	uint8_t priv;
	uint8_t triggers; /* to be told with the next one */
};

/* What the instructions that come next are charged to; kept by stacks*.c. */
struct here {
	uint32_t node;	  /* of the frame on top */
	uint32_t sym;	  /* of the same */
	uint32_t top;	  /* the function that runs; SYM_NONE: ask at the next row */
	uint32_t thread;  /* number, as written out */
	uint32_t process; /* 0: none, or not known */
};

/* A hart; stacks.h has more of it behind this. */
struct hart {
	struct tr_context context;
	struct tr_context notes; /* as the source tells it, for the matches */
	const struct pair *from; /* what ran last; never NULL */
	struct pair held;	 /* in place of one that is gone */
	struct here here;
	struct pending_row row;
	struct segment *leaves; /* what is charged stands on these; NULL: on none */
	uint64_t sp;		/* if it is known */
	uint64_t near_bias;	/* of what ran last in a known file: pc minus address */
	uint32_t near_binary;	/* its number */
	uint32_t number;
	bool fresh; /* the top frame is new and has not been charged yet */
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
/* Those of programs, by binary, where the source does not tell satp. */
#define PROGRAM_SPACES UINT32_C(0x80000000)

struct binary {
	struct tr_map functions; /* by entry: symbols */
	uint64_t entry;		 /* of the file; 0: none */
	uint64_t bias; /* where it was last found: pc minus address in the file */
	enum tr_unwind_role role;
	uint32_t program; /* at the root; SYM_UNKNOWN for libraries */
	uint32_t nameless;
};

enum { TRAP_CAUSES = 64 };

struct tr_unwind {
	struct tr_unwind_ops ops;
	struct tr_unwind_options options;
	struct tr_unwind_totals totals;
	bool is_told; /* traps, privileges and processes are, none is inferred */
	int status;   /* the first error; the rest is idle after it */

	struct sym *syms;
	uint32_t nsyms, syms_capacity, nfuncs;
	struct binary *binaries;
	uint32_t traps[2][TRAP_CAUSES], gaps[8];
	struct tr_map node_ids; /* by (parent, symbol) */
	struct node *nodes;	/* from 1 */
	uint32_t nnodes, nodes_capacity, nodes_written;
	uint32_t free_node;   /* the others by parent; 0: none */
	uint32_t nheld_nodes; /* with is_held, since the last were dropped */
	uint32_t *path;	      /* room for one */
	uint32_t path_capacity;
	struct held *holds;
	uint32_t nholds, holds_capacity, holds_open;
	bool is_waiting; /* rows are held: nothing later may be written before them */
	struct held_rows held;
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
	bool has_classes;	   /* a timing so far has some */
	uint32_t ntimings, timings_capacity;
	struct pair spare; /* when memory is out */

	struct tr_map identities, thread_ids;
	uint32_t nidentities, nthread_ids;
	uint64_t clock; /* of use: spaces, threads */

	struct stacks *state;
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

/* The space of the matches for what runs on a hart. */
static inline uint32_t hart_space(const struct hart *h)
{
	return tr_note_space(&h->notes);
}

/* Where control is. */
struct place {
	uint64_t pc, address; /* as the binary's file has it */
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
/* Number of a thread: by tp, or by satp without it, by the ordinal among those that share
 * these, and by the symbol that it is named after. */
struct thread_name {
	uint64_t tp, satp;
	uint32_t ordinal, sym;
};
uint32_t names_thread(struct tr_unwind *u, const struct thread_name *name);

/* While the root of a stack is not known, what is charged to it is held back. A hold's
 * number stands for thread and process (with TR_HELD), and its node for the root. */
#define TR_HELD	  (UINT32_C(1) << 31)
#define HOLD_NONE UINT32_MAX
uint32_t names_hold(struct tr_unwind *u);
uint32_t names_held_node(const struct tr_unwind *u, uint32_t hold);
/* The root is known: rows that waited for it are written. */
void names_release(struct tr_unwind *u, uint32_t hold, const struct hold *known);
/* A node as it is written out, which this may do; its holds have been released. */
uint32_t names_write(struct tr_unwind *u, uint32_t node);
static inline uint32_t names_written(struct tr_unwind *u, uint32_t node)
{
	uint32_t written = u->nodes[node].written;
	return written ? written : names_write(u, node);
}
/* The node with the same symbols on what its root turned out to be. */
uint32_t names_final(struct tr_unwind *u, uint32_t node);
/* Whether there are many nodes of holds, all released, whose rows have been written. */
bool names_have_dead(const struct tr_unwind *u);
/* Frees them; nothing may refer to them: names_final() tells what to take instead. */
void names_drop_dead(struct tr_unwind *u);
/* The root of a node, as written out. */
uint32_t names_root(struct tr_unwind *u, uint32_t node);
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
/* Forgets the nodes of leaves. */
void pairs_forget_nodes(struct tr_unwind *u);
void pairs_frame(struct tr_unwind *u, const struct tr_frame *frame, uint32_t nblocks,
		 uint32_t ntimings);
const struct pair *pairs_find(struct tr_unwind *u, uint32_t space, uint32_t block);
/* The same block where binary N runs, if its file has code there; else as found in
 * `match`. */
const struct pair *pairs_of_program(struct tr_unwind *u, uint32_t binary,
				    const struct pair *match);
/* Fills in `place` for its pc, before a block there has run: in the file of `near`
 * (which may be of none), or else of the space. False if there is no function. */
bool pairs_locate(struct tr_unwind *u, const struct pair *near, uint32_t space,
		  struct place *place);

/* The pointer holds until spaces_see(), or the next frame. */
struct space *spaces_find(const struct tr_unwind *u, uint32_t number);
/* User code runs: another life of the same satp ends the one before. */
void spaces_see(struct tr_unwind *u, const struct tr_context *context);
void spaces_free(struct tr_unwind *u);

/* Nothing is known of what ran before but how control left it (FLOW_*). */
void flow_set(struct hart *h, uint8_t flow, uint64_t next_pc);

/* stacks*.c: how stacks are followed. All but the first two may call unwind_fail(), and
 * keep hart.here and hart.fresh. */
/* Sets u->state; false when memory is out. / Takes NULL for the state. */
bool stacks_init(struct tr_unwind *u);
void stacks_free(struct tr_unwind *u);
/* A hart that begins; NULL when memory is out. free() frees it. */
struct hart *stacks_new_hart(void);
/* The hart's part of a frame of the stream begins, in hart.context. */
void stacks_begin_part(struct tr_unwind *u, struct hart *h);
/* Rows come next, in hart.context. */
void stacks_begin_rows(struct tr_unwind *u, struct hart *h);
/* A row of this block comes next, as tr-match found it; asked when not all is told.
 * Returns the pair that it is of. */
const struct pair *untold_row(struct tr_unwind *u, struct hart *h,
			      const struct pair *match);
/* Control is at `place`; hart.from did what came before. Asked when it may have left the
 * function that runs, or here.top is SYM_NONE. */
void stacks_land(struct tr_unwind *u, struct hart *h, const struct place *place);
/* The hart's next event, which is applied to hart.context, too. */
void stacks_take_event(struct tr_unwind *u, struct hart *h, const struct tr_event *event);
/* All roots that are held are to be released. */
void stacks_finish(struct tr_unwind *u);

/* unwind_rows.c: charging, and writing rows out. */
/* Returns the leaf of the inlined call that the trap came in. */
uint32_t rows_charge_trap(struct tr_unwind *u, struct hart *h,
			  const struct tr_event *trap);
void rows_flush(struct tr_unwind *u, struct hart *h);
/* Writes the rows that wait, up to the first that still has to. */
void rows_release(struct tr_unwind *u);
/* Tracing starts or stops here. */
void rows_trigger(struct tr_unwind *u, struct hart *h, bool start);
/* A row of no cycles at node `root`: all that the thread had on its stack is over,
 * also where the next program goes down the same path. */
void rows_begin_stack(struct tr_unwind *u, struct hart *h, uint32_t root);
void rows_gap(struct tr_unwind *u, struct hart *h, uint32_t node, uint64_t cycles);
void rows_run(struct tr_unwind *u, struct hart *h, uint32_t last);

#endif
