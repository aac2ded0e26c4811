/* SPDX-License-Identifier: Apache-2.0 */
/* Declarations shared by the parts of the unwinder; only they include it.
 *
 * Symbols number everything that can be on a stack: a function, a program, a trap,
 * unknown code. Execution is charged to a node, which is a path of symbols from a root.
 * stacks*.c choose the node from control transfers and events; the other files classify
 * blocks, name functions and charge rows. */
#ifndef TR_UNWIND_INTERNAL_H
#define TR_UNWIND_INTERNAL_H

#include "base/buffer.h"
#include "base/map.h"
#include "stream/decode.h"
#include "unwind/unwind.h"

/* Control flow in addition to that of instructions (enum tr_flow). */
enum {
	FLOW_NO_BITS = TR_FLOW_XRET + 1, /* the source has no instruction bits */
	FLOW_RESYNC,			 /* after a gap, or on another thread */
	FLOW_RESUME,			 /* after a trap return */
};

/* Predefined symbols. */
enum { SYM_NONE = 0, SYM_UNKNOWN, SYM_AMBIGUOUS, SYM_TRAP, SYM_SIGNAL, SYM_FIXED };

enum sym_role {
	ROLE_PLAIN = 0,
	ROLE_BLANK,    /* unnamed: adjacent ones are one node */
	ROLE_SETJMP,   /* a longjmp may return into it */
	ROLE_CLONE,    /* a thread begins in it, on its own stack */
	ROLE_NAMELESS, /* a function of which only the bounds are known */
	ROLE_CALLS_ON, /* it calls functions on other stacks, as Go's runtime does */
};

struct sym {
	const char *name;
	const char *program;
	uint64_t entry;
	uint32_t func; /* id in the output; TR_MAP_NONE before */
	uint8_t kind;  /* enum tr_frame_kind */
	uint8_t role;
};

/* A part of a block with another function, or other leaves on the same function. */
struct segment {
	uint64_t pc;
	uint32_t sym;
	uint32_t leaf;	     /* on the function; 0: none */
	uint32_t base, node; /* cached node of the leaf on a frame with node `base` */
	uint16_t first;	     /* first token */
	bool entry;
	bool moves; /* the function differs from the previous one */
};

/* A block in an address space. All that landings and transfers need is in one
 * cache line. */
enum { PAIR_BYTES = 64 };
struct pair {
	uint64_t pc;
	uint64_t address; /* address of the first instruction in the file */
	struct segment *segments;
	uint32_t sym;		      /* of the first instruction */
	uint32_t last_sym, last_leaf; /* of the last instruction */
	uint32_t binary;	      /* index, or TR_NOTE_* */
	uint32_t block, space;
	uint32_t next; /* list of the space's pairs, or of free ones */
	int32_t sp;    /* sum of additions to sp after its last other write */
	uint16_t bytes;
	uint16_t nsegments; /* other than one function without leaves */
	uint8_t flow;
	unsigned entry : 1; /* begins at the function's entry */
	unsigned ready : 1; /* classified */
	unsigned is_free : 1;
	unsigned is_alternate : 1; /* its last instruction calls through x5 */
	unsigned last_sp : 3;	   /* of its last instruction, enum tr_sp_effect */
	unsigned
	    is_vague : 1; /* has instructions that are of Zcmp, or not: unwind_isa.c */
	unsigned sp_write : 3; /* of the last write of sp other than an addition, or
				* TR_SP_KEEPS */
};

_Static_assert(sizeof(struct pair) == PAIR_BYTES, "a line of the cache");

static inline uint64_t pair_next_pc(const struct pair *p)
{
	return p->pc + p->bytes;
}

/* The last pair of a block. */
struct recent {
	uint64_t run; /* its recent_run(), or RECENT_NONE */
	const struct pair *pair;
};
#define RECENT_NONE UINT64_MAX

/* Returns the key of a row. Rows whose keys are equal except for bit 0 are in one
 * function and need nothing done between them, unless bit 0 is set: then the control flow
 * to the next row needs a look, or sp changes. */
static inline uint64_t recent_run(uint32_t space, uint32_t sym, bool is_looked_at)
{
	return (uint64_t)space << 32 | (uint64_t)sym << 1 | is_looked_at;
}
/* Instead of a symbol, for pairs with segments. */
enum { SYM_SPLIT = INT32_MAX };

/* An inlined call or a line, on top of another leaf, or of a function (0). */
struct leaf {
	uint32_t below;
	uint32_t sym;
};

/* A stack: a path of symbols from a root. */
struct node {
	uint32_t parent, sym;
	uint32_t written; /* id in the output; 0: not written yet */
	uint32_t alias;	  /* the node that it was replaced by; 0: none */
	uint16_t depth;
	bool is_held; /* its root is, or was, unknown */
};

/* The resolution of a held root. */
struct hold {
	uint32_t node;	 /* replaces the node of the root */
	uint32_t thread; /* id in the output */
	uint32_t process;
};

/* A hold and its resolution. */
struct held {
	struct hold known;
	uint32_t node;
	bool is_released;
};

/* A row or a context that waits for output. */
struct held_row {
	struct tr_srow row;
	struct tr_unwind_where where;
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

/* The output row under construction. */
struct pending_row {
	struct tr_srow out;
	struct tr_unwind_where where; /* with ops.where */
	uint64_t classes[TR_MAX_CLASSES];
	uint32_t class_mask;
	uint32_t sym;
	bool open;
	bool has_context; /* one was written */
	uint32_t process; /* process and privilege of the last context written */
	uint8_t priv;
	uint8_t triggers; /* for the next context */
};

/* Target of the following charges; stacks*.c update it. */
struct here {
	uint32_t node;	  /* of the top frame */
	uint32_t sym;	  /* of the top frame */
	uint32_t top;	  /* the running function; SYM_NONE: ask at the next row */
	uint32_t thread;  /* id in the output */
	uint32_t process; /* 0: none or unknown */
};

/* A hart; struct stacks_hart extends it. */
struct hart {
	struct tr_context context;
	struct tr_context notes; /* as reported by the source, for the notes */
	const struct pair *from; /* the previous block; never NULL */
	struct pair held;	 /* copy of a pair that was freed */
	struct here here;
	struct pending_row row;
	struct segment *leaves; /* leaves on the current frame; NULL: none */
	uint64_t sp;		/* if known */
	uint64_t near_bias;	/* of the last code in a known file: pc minus address */
	uint32_t near_binary;	/* index of that file */
	uint32_t number;
	bool fresh; /* the top frame is new and has not been charged */
	/* Position in the frame. */
	const struct tr_hart_frame *part;
	uint64_t cycle;
	uint32_t next_row, next_event;
};

/* A binary in a space. */
enum { OBJECTS = 32 };
struct object {
	uint64_t bias; /* pc minus address in the file */
	uint32_t binary;
};

/* A space as in tr_note_space(). */
struct space {
	uint64_t used; /* time of use, for eviction */
	uint64_t bias; /* of its first known binary: pc minus address in the file */
	uint32_t binary;
	uint32_t number;
	uint32_t first; /* first of its pairs */
	uint32_t nobjects;
	struct object
	    objects[OBJECTS]; /* the latest first; beyond, the rest is forgotten */
};
enum { SPACES_SLACK = 1 << 12, SATPS_MAX = 1 << 16 };
/* Spaces of programs, by binary, if the source does not report satp. */
#define PROGRAM_SPACES UINT32_C(0x80000000)

struct binary {
	struct tr_map functions; /* by entry: symbol */
	uint64_t entry;		 /* of the file; 0: none */
	uint64_t bias; /* where it was last found: pc minus address in the file */
	enum tr_unwind_role role;
	uint32_t program; /* its root; SYM_UNKNOWN for libraries */
	uint32_t nameless;
};

enum { TRAP_CAUSES = 64 };

struct tr_unwind {
	struct tr_unwind_ops ops;
	struct tr_unwind_options options;
	struct tr_unwind_totals totals;
	bool is_watched; /* each row is passed to ops.where, or some to tr_shells_row() */
	bool reports_all; /* traps, privileges and processes are reported, none is
			     inferred */
	int status;	  /* sticky: after the first error nothing is done */

	struct sym *syms;
	uint32_t nsyms, syms_capacity, nfuncs;
	struct binary *binaries;
	uint32_t traps[2][TRAP_CAUSES], gaps[8];
	struct tr_map node_ids; /* by (parent, symbol) */
	struct node *nodes;	/* from 1 */
	uint32_t nnodes, nodes_capacity, nodes_written;
	uint32_t free_node;   /* list linked by parent; 0: end */
	uint32_t nheld_nodes; /* with is_held, since dead ones were last dropped */
	uint32_t *path;	      /* scratch: a path of nodes */
	uint32_t path_capacity;
	struct held *holds;
	uint32_t nholds, holds_capacity, holds_open;
	bool is_waiting; /* rows are held, and later ones must wait for them */
	struct held_rows held;
	struct leaf *leaves; /* from 1 */
	uint32_t nleaves, leaves_capacity;
	struct tr_map leaf_ids;		      /* by (below, symbol) */
	struct tr_map leaf_calls, leaf_lines; /* by (binary, number): leaf, symbol */
	struct tr_map leaf_syms;	      /* inlined functions by name */
	struct tr_arena leaf_names;
	uint32_t call_sym, call_leaf; /* of the instruction before a landing */

	unsigned isa;	 /* of all code of files that do not have it: stream/isa.h */
	bool has_vague;	 /* some pair is_vague */
	uint64_t looked; /* the number after that of the last frame that was looked at */
	const struct tr_frame *frame; /* that is being processed */

	uint64_t generation;
	struct pair **chunks; /* of PAIRS_A_CHUNK each, so that pairs do not move */
	uint32_t nchunks, npairs;
	struct recent *recent; /* by block */
	uint32_t nblocks, recent_capacity;
	struct tr_map pairs; /* by (space, block) */
	uint32_t live_pairs, free_pair;
	struct space *spaces;
	uint32_t nspaces, spaces_capacity;
	struct tr_map space_slots; /* by number */
	struct tr_map satps;	   /* from tr_space_hash() to current space */
	bool *with_classes;	   /* by timing */
	bool has_classes;	   /* some timing has classes */
	uint32_t ntimings, timings_capacity;
	struct pair spare; /* used when out of memory */

	struct tr_map identities, thread_ids;
	uint32_t nidentities, nthread_ids;
	uint64_t clock; /* counts uses of spaces and threads */

	struct stacks *state;
	struct shells *shells; /* unwind_shells.c; NULL: none */
	uint16_t *shell_rows;  /* by thread below nshell_rows: rows that still count */
	uint32_t nshell_rows, shell_rows_capacity;
	struct spans *spans;		  /* counts by address; NULL: none */
	struct hart *harts[TR_MAX_HARTS]; /* in order of appearance */
};

/* Records the first error. */
static inline void unwind_fail(struct tr_unwind *u, int status)
{
	if (!u->status)
		u->status = status;
}
/* Grows *array (elements of `size` bytes) to hold `count`. Returns false, after
 * unwind_fail(), when out of memory. */
bool tr_unwind_reserve(struct tr_unwind *u, void **array, uint32_t *capacity,
		       uint64_t count, size_t size);

/* Returns the space of notes that applies to a hart. */
static inline uint32_t hart_space(const struct hart *h)
{
	return tr_note_space(&h->notes);
}

/* Instead of a symbol, a leaf or a node may have the call site on a function, a spot.
 * Such nodes are not written: the node above has the call site. */
#define SYM_SITE (UINT32_C(1) << 31)
static inline bool sym_is_site(uint32_t sym)
{
	return sym & SYM_SITE;
}
static inline uint32_t sym_site(uint32_t sym)
{
	return sym & ~SYM_SITE;
}

/* The target of a control transfer. */
struct place {
	uint64_t pc, address; /* in the binary's file */
	uint32_t sym;
	uint32_t binary;
	bool entry; /* the entry of a named function */
};

/* unwind_names.c: symbols, nodes and thread ids, and their output. */
/* Returns false when out of memory. */
bool tr_names_init(struct tr_unwind *u);
void tr_names_free(struct tr_unwind *u);
/* Returns the symbol of a function of binary N. */
uint32_t tr_names_function(struct tr_unwind *u, uint32_t binary,
			   const struct tr_function *function);
/* Returns the symbol of an inlined function or a line. */
uint32_t tr_names_leaf(struct tr_unwind *u, uint32_t binary, const char *name,
		       enum tr_frame_kind kind);
uint32_t tr_names_trap(struct tr_unwind *u, uint64_t cause);
uint32_t tr_names_gap(struct tr_unwind *u, uint8_t reason);
/* Returns the node of `sym` on top of node `parent`, or `parent` itself at the limit. */
uint32_t tr_names_node(struct tr_unwind *u, uint32_t parent, uint32_t sym);
/* Key of a thread: tp, in a guest that of this guest (or the address space, without tp),
 * an ordinal among those that share it, and the symbol that names it. */
struct thread_name {
	uint64_t tp;
	struct tr_space_id space;
	uint32_t ordinal, sym;
};
uint32_t tr_names_thread(struct tr_unwind *u, const struct thread_name *name);
/* Returns true if a thread without tp has had this address space. */
bool tr_names_has_space(const struct tr_unwind *u, struct tr_space_id space);

/* Charges to a stack with an unknown root are held. The number of a hold (with TR_HELD)
 * stands for thread and process, and its node for the root. */
#define TR_HELD	  (UINT32_C(1) << 31)
#define HOLD_NONE UINT32_MAX
uint32_t tr_names_hold(struct tr_unwind *u);
uint32_t tr_names_held_node(const struct tr_unwind *u, uint32_t hold);
/* Resolves a hold and writes the rows that waited for it. */
void tr_names_release(struct tr_unwind *u, uint32_t hold, const struct hold *known);
/* Returns the output id of a symbol, which this call may write. */
uint32_t tr_names_func(struct tr_unwind *u, uint32_t sym);
/* Returns the output id of a node, which this call may write; its holds must be
 * released. */
uint32_t tr_names_write(struct tr_unwind *u, uint32_t node);
static inline uint32_t names_written(struct tr_unwind *u, uint32_t node)
{
	uint32_t written = u->nodes[node].written;
	return written ? written : tr_names_write(u, node);
}
/* Returns the node with the same symbols on the resolved root. */
uint32_t tr_names_final(struct tr_unwind *u, uint32_t node);
/* Returns true if there are many nodes of released holds whose rows have been written. */
bool tr_names_have_dead(const struct tr_unwind *u);
/* Frees them. No references may remain; tr_names_final() returns the replacement. */
void tr_names_drop_dead(struct tr_unwind *u);
/* Returns the output id of a node's root. */
uint32_t tr_names_root(struct tr_unwind *u, uint32_t node);
static inline bool sym_is_blank(const struct tr_unwind *u, uint32_t sym)
{
	return u->syms[sym].role == ROLE_BLANK;
}

/* unwind_shells.c: names of threads that begin with a function that several begin with.
 * tr_shells_init() returns false when out of memory; tr_shells_free() accepts NULL. */
bool tr_shells_init(struct tr_unwind *u);
void tr_shells_free(struct tr_unwind *u);
/* A thread is called after a symbol. */
void tr_shells_thread(struct tr_unwind *u, uint32_t thread, uint32_t sym);
/* A row of a thread that still counts. */
void tr_shells_row(struct tr_unwind *u, uint32_t thread, uint32_t node,
		   const struct tr_srow *row);
static inline bool shells_count(const struct tr_unwind *u, uint32_t thread)
{
	return thread < u->nshell_rows && u->shell_rows[thread];
}
/* Emits the names that rows since the last call have changed. */
void tr_shells_name(struct tr_unwind *u);

/* unwind_leaves.c. tr_leaves_at(): returns the leaf at an address of binary N, 0 if none,
 * and its range in `place`. tr_leaves_node(): returns the node of a leaf on top of
 * `node`. tr_leaves_near(): returns a segment with the leaf at `pc`, in the last file
 * that ran or that of the space. */
void tr_leaves_free(struct tr_unwind *u);
uint32_t tr_leaves_at(struct tr_unwind *u, uint32_t binary, uint64_t address,
		      struct tr_source_place *place);
uint32_t tr_leaves_node(struct tr_unwind *u, uint32_t node, uint32_t leaf);
struct segment tr_leaves_near(struct tr_unwind *u, const struct hart *h, uint64_t pc);
/* Returns the leaf with a call site on top of it. */
uint32_t tr_leaves_site(struct tr_unwind *u, uint32_t leaf, uint32_t spot);
/* Returns a leaf without the line on top. */
uint32_t tr_leaves_calls(const struct tr_unwind *u, uint32_t leaf);

/* unwind_isa.c. tr_isa_frame() begins a frame. tr_isa_of() returns the isa (stream/isa.h)
 * of the code of a pair. tr_isa_vague() returns what an instruction of a pair may be if
 * not even the frame shows whether it is of Zcmp, and marks the pair; what the frame
 * shows changes *isa. */
void tr_isa_frame(struct tr_unwind *u, const struct tr_frame *frame);
unsigned tr_isa_of(const struct tr_unwind *u, const struct pair *p);
enum tr_zcm tr_isa_vague(struct tr_unwind *u, struct pair *p, const uint8_t *code,
			 unsigned length, unsigned *isa);

/* unwind_pairs.c: information about each block in each space. */
void tr_pairs_generation(struct tr_unwind *u);
void tr_pairs_free(struct tr_unwind *u);
/* Discards the cached nodes of leaves. */
void tr_pairs_forget_nodes(struct tr_unwind *u);
void tr_pairs_frame(struct tr_unwind *u, const struct tr_frame *frame, uint32_t nblocks,
		    uint32_t ntimings);
/* Classifies vague pairs again, now that the isa is known. */
void tr_pairs_settle_vague(struct tr_unwind *u);
/* Returns the pair of a block in a space, classified; never NULL. */
const struct pair *tr_pairs_find(struct tr_unwind *u, uint32_t space, uint32_t block);
/* Returns the pair of the same block in binary N, if its file has code there, else as
 * found in `match`. */
const struct pair *tr_pairs_of_program(struct tr_unwind *u, uint32_t binary,
				       const struct pair *match);
/* Completes `place` from its pc before a block there has run: from the file of `near` (if
 * it has one), else from that of the space. Returns false if there is no function. */
bool tr_pairs_locate(struct tr_unwind *u, const struct pair *near, uint32_t space,
		     struct place *place);

/* Returns the space, valid until tr_spaces_see() or the next frame; NULL if there is
 * none. */
struct space *tr_spaces_find(const struct tr_unwind *u, uint32_t number);
/* User code runs in a context: a new life of a satp ends the previous one. */
void tr_spaces_see(struct tr_unwind *u, const struct tr_context *context);
void tr_spaces_free(struct tr_unwind *u);

/* Forgets the previous block; keeps its control-flow kind (FLOW_*). */
void tr_flow_set(struct hart *h, uint8_t flow, uint64_t next_pc);

/* stacks*.c: tracking of stacks. All but the first two may call unwind_fail(), and update
 * hart.here and hart.fresh. */
/* tr_stacks_init() sets u->state, and returns false when out of memory. tr_stacks_free()
 * accepts a NULL state. */
bool tr_stacks_init(struct tr_unwind *u);
void tr_stacks_free(struct tr_unwind *u);
/* Returns a new hart, to be freed by free(), or NULL when out of memory. */
struct hart *tr_stacks_new_hart(void);
/* Begins a hart's part of a frame, in hart.context. */
void tr_stacks_begin_part(struct tr_unwind *u, struct hart *h);
/* Rows come next, in hart.context. */
void tr_stacks_begin_rows(struct tr_unwind *u, struct hart *h);
/* Called before a row if something has to be inferred; `match` is its block's pair by
 * tr-match. Returns the pair to use. */
const struct pair *tr_unreported_row(struct tr_unwind *u, struct hart *h,
				     const struct pair *match);
/* Control has reached `place` from hart.from. Called when it may have left the running
 * function, or here.top is SYM_NONE. */
void tr_stacks_land(struct tr_unwind *u, struct hart *h, const struct place *place);
/* Notes where the hart is, on the stack of its next row, for ops.where. */
void tr_stacks_note_where(const struct tr_unwind *u, struct hart *h);
/* Processes the hart's next event, which is applied to hart.context too. */
void tr_stacks_take_event(struct tr_unwind *u, struct hart *h,
			  const struct tr_event *event);
/* Releases all held roots. */
void tr_stacks_finish(struct tr_unwind *u);

/* unwind_rows.c: charging, and output of rows. */
/* Charges the trap's cycles. Returns the leaf of the inlined call that it interrupted. */
uint32_t tr_rows_charge_trap(struct tr_unwind *u, struct hart *h,
			     const struct tr_event *trap);
void tr_rows_flush(struct tr_unwind *u, struct hart *h);
/* Writes the held rows up to the first one that still has to wait. */
void tr_rows_release(struct tr_unwind *u);
/* Tracing starts or stops here. */
void tr_rows_trigger(struct tr_unwind *u, struct hart *h, bool start);
/* Writes a row of no cycles at node `root`: all frames of the thread have ended, even if
 * the next program takes the same path. */
void tr_rows_begin_stack(struct tr_unwind *u, struct hart *h, uint32_t root);
void tr_rows_gap(struct tr_unwind *u, struct hart *h, uint32_t node, uint64_t cycles);
void tr_rows_run(struct tr_unwind *u, struct hart *h, uint32_t last);

#endif
