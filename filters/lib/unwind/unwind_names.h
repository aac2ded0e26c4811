/* SPDX-License-Identifier: Apache-2.0 */
/* Names: everything that can be on a stack has a symbol, a number: a function, a program,
 * a trap, unknown code. Symbols and threads are emitted when they are first needed.
 *
 * Functions that may fail call unwind_fail(), and return something valid. */
#ifndef TR_UNWIND_NAMES_H
#define TR_UNWIND_NAMES_H

#include "base/buffer.h"
#include "base/map.h"
#include "unwind/unwind.h"
#include "unwind/unwind_status.h"

/* Predefined symbols. */
enum {
	SYM_NONE = 0,
	SYM_UNKNOWN,
	SYM_AMBIGUOUS,
	SYM_TRAP,
	SYM_SIGNAL,
	SYM_INJECT,
	SYM_JIT, /* JIT code: made by the program at run time */
	SYM_FIXED
};

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

enum sym_role {
	ROLE_PLAIN = 0,
	ROLE_BLANK,    /* unnamed: adjacent ones are one node */
	ROLE_SETJMP,   /* a longjmp may return into it */
	ROLE_CLONE,    /* a thread begins in it, on its own stack */
	ROLE_NAMELESS, /* a function of which only the bounds are known */
	ROLE_CALLS_ON, /* it calls functions on other stacks, as Go's runtime does */
};

/* Only unwind_names.c, and the functions below that are called for each row, use the
 * members. */
struct sym {
	const char *name;
	const char *program;
	uint64_t entry;
	uint32_t func; /* id in the output; TR_MAP_NONE before */
	uint8_t kind;  /* enum tr_frame_kind */
	uint8_t role;
};
struct binary_names {
	struct tr_map functions; /* by entry: symbol */
	uint32_t program, nameless;
};
enum { TRAP_CAUSES = 64, GAP_REASONS = 8 };
struct tr_names {
	const struct tr_unwind_sink *sink;
	struct unwind_status *status;
	struct sym *syms;
	uint32_t nsyms, syms_capacity, nfuncs;
	const char *const *programs;
	struct binary_names *binaries;
	uint32_t nbinaries;
	uint32_t traps[2][TRAP_CAUSES], gaps[GAP_REASONS];
	struct tr_map identities, thread_ids;
	struct tr_map virtuals; /* symbols by the hash of their texts */
	struct tr_arena texts;	/* of the virtual frames */
	uint32_t nvirtuals;
	uint32_t nidentities, nthread_ids;
	uint64_t threads_refused;
};

/* Emits thread 0. Keeps the pointers to the sink, the status and the programs' names.
 * Returns NULL when out of memory. tr_names_free() accepts NULL. */
struct tr_names *tr_names_new(const struct tr_unwind_sink *sink,
			      const struct tr_unwind_options *options,
			      struct unwind_status *status);
void tr_names_free(struct tr_names *names);

/* Returns the symbol of a function of binary N. */
uint32_t tr_names_function(struct tr_names *names, uint32_t binary,
			   const struct tr_function *function);
/* Returns the symbol of an inlined function or a line, whose name is not copied. */
uint32_t tr_names_leaf(struct tr_names *names, uint32_t binary, const char *name,
		       enum tr_frame_kind kind);
/* Returns the symbol of a virtual frame; both texts are copied. Beyond a limit of names
 * it is SYM_UNKNOWN. */
uint32_t tr_names_virtual(struct tr_names *names, const char *name, const char *module);
/* Returns the symbol of the program of binary N; SYM_UNKNOWN for a library and a number
 * that is no binary's. */
uint32_t tr_names_program(const struct tr_names *names, uint32_t binary);
/* Returns the symbol of code of binary N that is in no function. */
uint32_t tr_names_nameless(const struct tr_names *names, uint32_t binary);
uint32_t tr_names_trap(const struct tr_names *names, uint64_t cause);
uint32_t tr_names_gap(const struct tr_names *names, uint8_t reason);

static inline enum sym_role names_role(const struct tr_names *names, uint32_t sym)
{
	return (enum sym_role)names->syms[sym].role;
}
static inline bool names_is_blank(const struct tr_names *names, uint32_t sym)
{
	return names_role(names, sym) == ROLE_BLANK;
}
enum tr_frame_kind tr_names_kind(const struct tr_names *names, uint32_t sym);
const char *tr_names_text(const struct tr_names *names, uint32_t sym);
/* Returns the output id of a symbol, which this call may emit. */
uint32_t tr_names_func(struct tr_names *names, uint32_t sym);

/* Key of a thread: tp, in a guest that of this guest (or the address space, without tp),
 * an ordinal among those that share it, and the symbol that names it. */
struct thread_name {
	uint64_t tp;
	struct tr_space_id space;
	uint32_t ordinal, sym;
};
/* Returns the output id of a thread. Sets *is_new if this call has emitted it. */
uint32_t tr_names_thread(struct tr_names *names, const struct thread_name *name,
			 bool *is_new);
/* The thread of the key `from` turns out to have that of `to`, and keeps its id if no
 * thread has it so far. No thread has `from` any longer. */
void tr_names_move_thread(struct tr_names *names, const struct thread_name *from,
			  const struct thread_name *to);
/* Returns true if a thread without tp has had this address space. */
bool tr_names_has_space(const struct tr_names *names, struct tr_space_id space);

/* Adds what was refused. */
void tr_names_add_totals(const struct tr_names *names, struct tr_unwind_totals *totals);

#endif
