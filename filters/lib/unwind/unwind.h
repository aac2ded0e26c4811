/* SPDX-License-Identifier: Apache-2.0 */
/* Reconstructs call stacks from rows, events and tr-match's notes.
 *
 * The unwinder never reads target memory: it follows control transfers on a shadow stack
 * for each thread (tr-unwind(1) has the rules) and emits functions, stack nodes, threads,
 * and rows of stacks in order of time. Every instruction and cycle of the input appears
 * in the output exactly once.
 *
 * Inlined calls and lines are leaves: they are put on top of the function that contains
 * them when something is charged to it or called from it; the rules of unwinding ignore
 * them.
 *
 * Memory is bounded by one dictionary generation of (space, block) pairs, the limits
 * below, and a name for each inlined function and line that ran; it does not grow with
 * the length of the stream. With counts by address, it has a span for each block of code
 * that ran in each binary, and as many counts as a frame has rows.
 *
 * Threads: an unwinder belongs to one thread, which also makes all calls of its source
 * and sink. Unwinders share nothing. */
#ifndef TR_UNWIND_H
#define TR_UNWIND_H

#include "base/status.h"
#include "image/image.h"
#include "stream/marks.h"
#include "stream/probes.h"
#include "stream/spans.h"
#include "stream/stream.h"

enum {
	TR_UNWIND_DEPTH = 4096,		/* deeper calls are charged to the frame at the
					 * limit */
	TR_UNWIND_HEIGHT = 256,		/* stacks standing on others; calls on further
					 * ones are charged to the frame below */
	TR_UNWIND_NODES = 1 << 22,	/* further ones are charged to their parents */
	TR_UNWIND_THREADS = 1 << 15,	/* beyond, the least recently used are dropped */
	TR_UNWIND_THREAD_IDS = 1 << 20, /* beyond, thread 0 stands for the rest */
	TR_UNWIND_FRAMES = 1 << 19,	/* allocated frames of all threads together */
	TR_UNWIND_SETJMPS = 64,		/* per thread */
	TR_UNWIND_HITS = 8,		/* of probes, at one row */
	TR_UNWIND_PAIRS = 1 << 18,	/* beyond, the least recently used spaces are
					 * dropped */
};

/* Source information for the code at [low, high). */
struct tr_source_place {
	uint64_t low, high;
	uint32_t call; /* the innermost inlined call; 0: none */
	uint32_t line; /* 0: none or unknown */
};

/* Source information for the code at [low, high), for counts by address. */
struct tr_source_spot {
	uint64_t low, high;
	uint32_t scope; /* 0: none or unknown */
	uint32_t line, discriminator;
};
enum { TR_SCOPE_NAME = 1024 };

/* Registers of a hart at the beginning of a row of stacks, by which a kernel's task is
 * known. */
struct tr_unwind_where {
	uint64_t tp;
	uint64_t sp, lowest; /* sp, and the lowest so far on the stack that the hart is
			      * on; 0: unknown, about to change, or of a virtual address
			      * space */
};

/* A mark (stream/marks.h) was executed: it committed in `cycle`. */
struct tr_unwind_mark {
	uint64_t cycle;
	uint32_t hart;
	struct tr_mark mark;
	const char *name; /* NULL: the binary has none */
};

/* What the unwinder reads; `user` is passed to each callback. */
struct tr_unwind_source {
	void *user;
	/* Return definitions for ids in the current frame. */
	const struct tr_block *(*block)(void *user, uint32_t id);
	const struct tr_timing *(*timing)(void *user, uint32_t id);
	/* Finds the function at `address` of binary N. Returns false if there is none.
	 * Its name lives as long as the unwinder. */
	bool (*function)(void *user, uint32_t binary, uint64_t address,
			 struct tr_function *function);
	/* May be NULL. Returns the ISA of binary N, as far as its file has it
	 * (stream/isa.h). */
	unsigned (*isa)(void *user, uint32_t binary);
	/* May be NULL. Replaces the place of an instruction of a stub (stubs/stubs.h) by
	 * that of the instruction for which it stands. *is_direct: it is a jump by a
	 * register in place of one without. Returns false if the binary has no stubs. */
	bool (*origin)(void *user, uint32_t *binary, uint64_t *address, bool *is_direct);
	/* May be NULL. Returns true if the run-time profiler may make a process execute a
	 * system call at `pc`. */
	bool (*injects)(void *user, uint64_t pc);
	/* May be NULL. Returns true if unknown code at `pc` of an address space is JIT
	 * code: made by the program at run time. */
	bool (*is_jit)(void *user, uint32_t space, uint64_t pc);
	/* May be NULL. Returns `bytes` of code at `address` of binary N, or NULL if there
	 * are fewer. Called when the source has no instruction bits. */
	const uint8_t *(*code)(void *user, uint32_t binary, uint64_t address,
			       unsigned bytes);
	/* May be NULL. Gets the source information for `address`. Its names live as long
	 * as the unwinder, and equal names share one pointer. */
	void (*place)(void *user, uint32_t binary, uint64_t address,
		      struct tr_source_place *place);
	/* Returns the function of an inlined call, and the enclosing inlined call in
	 * *around (a lower number; 0: the function itself). */
	const char *(*call)(void *user, uint32_t binary, uint32_t call, uint32_t *around);
	/* Returns the file of a line, and its line number in *number. */
	const char *(*line)(void *user, uint32_t binary, uint32_t line, uint32_t *number);
	/* May be NULL. Returns the name of the mark at `address` of binary N, or NULL. It
	 * lives as long as the unwinder. */
	const char *(*mark)(void *user, uint32_t binary, uint64_t address);
	/* With options.addresses. source(): gets the source information for `address`.
	 * scope(): describes a scope, with its texts in `text` (name, linkage, file), and
	 * returns the enclosing one in *around (a lower number; 0: none). */
	void (*source)(void *user, uint32_t binary, uint64_t address,
		       struct tr_source_spot *spot);
	void (*scope)(void *user, uint32_t binary, uint32_t item, struct tr_scope *scope,
		      char text[3][TR_SCOPE_NAME], uint32_t *around);
};

/* Tokens [first, end) of a row, which are charged to one function. */
struct tr_unwind_run {
	const struct tr_block *block;
	const struct tr_timing *timing;
	uint64_t pc, address; /* of the block's first instruction; address in its file */
	uint32_t binary;      /* index of the file; TR_NOTE_*: not known, or of a stub */
	uint32_t func; /* number of the function, in order of sink.func(); UINT32_MAX:
			* none */
	uint32_t id;   /* of the block */
	uint32_t hart, row; /* row in the hart's part of the frame */
	uint64_t cycle;	    /* at which the row begins */
	uint16_t first, end;
	bool follows; /* the hart's previous block led here, with no event between */
};

/* The cycles of a trap, which are charged to the function that it interrupted. */
struct tr_unwind_trap {
	const struct tr_event *event;
	uint32_t func, hart, binary; /* as in struct tr_unwind_run */
	uint64_t address;	     /* of epc in the file, if the binary is known */
	uint64_t cycle;		     /* at which it ends */
};

/* A function on a stack, by its number in order of sink.func(), and where in it the next
 * one returns to, or where it is itself: an address of a file. */
struct tr_unwind_frame_at {
	uint32_t func;
	uint32_t binary; /* TR_NOTE_*: not known */
	uint64_t address;
};

/* A hit of a probe, and the stack on which it is, the innermost frame first. A root that
 * is not known yet is not among them. */
struct tr_unwind_hit {
	const struct tr_hit *hit;
	const struct tr_unwind_frame_at *frames;
	uint32_t count;
	uint32_t hart;
};

/* What the unwinder emits; `user` is passed to each callback. They return TR_OK or an
 * error, which ends the unwinding. */
struct tr_unwind_sink {
	void *user;
	/* With options.addresses: emit definitions and counts, as in stream/spans.h. */
	int (*put_scope)(void *user, const struct tr_scope *scope);
	int (*put_span)(void *user, const struct tr_span *span,
			const struct tr_spot *spots);
	int (*site)(void *user, uint32_t spot); /* of the newest node */
	int (*count)(void *user, const struct tr_span_count *count,
		     const struct tr_span_stall *stalls);
	int (*branch)(void *user, const struct tr_branch *branch);
	/* Emit a definition. Ids follow the order of the calls: functions and threads
	 * from 0, nodes from 1. */
	int (*func)(void *user, const struct tr_func *func);
	int (*node)(void *user, const struct tr_node *node);
	int (*thread)(void *user, const struct tr_thread *thread);
	/* May be NULL. Gives a thread another name, before the frame that is emitted
	 * ends. */
	int (*thread_name)(void *user, const struct tr_sname *name);
	/* May be NULL. A thread without tp has had this one all the time. */
	int (*thread_tp)(void *user, uint32_t thread, uint64_t tp);
	/* Emits the context of the following srows of a hart. */
	int (*scontext)(void *user, uint32_t hart, const struct tr_scontext *context);
	int (*srow)(void *user, uint32_t hart, const struct tr_srow *row,
		    const struct tr_class_cycles *classes);
	/* May be NULL, both or none. Called for all that is charged to a function, in the
	 * order of time of each hart; what is passed is valid during the call. */
	int (*run)(void *user, const struct tr_unwind_run *run);
	int (*trap)(void *user, const struct tr_unwind_trap *trap);
	/* May be NULL. Called in the order of time of each hart; a row of stacks ends
	 * there. */
	int (*mark)(void *user, const struct tr_unwind_mark *mark);
	/* May be NULL. Called for the hits at tokens of the frame, in the order of time
	 * of each hart; of those at one row for TR_UNWIND_HITS at most. What is passed is
	 * valid during the call. */
	int (*hit)(void *user, const struct tr_unwind_hit *hit);
	/* May be NULL. Called before each srow(). */
	void (*where)(void *user, uint32_t hart, const struct tr_unwind_where *where);
};

enum tr_unwind_role {
	TR_UNWIND_ANY = 0,
	TR_UNWIND_FIRMWARE, /* M-mode */
	TR_UNWIND_KERNEL,   /* S-mode */
	TR_UNWIND_USER,	    /* U-mode */
};

struct tr_unwind_options {
	const char *const *programs; /* short name of each binary; not copied */
	const bool *libraries; /* by binary: it is no program; NULL: all are; not kept */
	uint32_t nprograms;
	unsigned xlen; /* 32 or 64 */
	unsigned isa;  /* from the header (stream/isa.h), for code of files that do not
			* have  it; 0: unknown, then the trace shows it. */
	const uint8_t
	    *roles; /* by binary: enum tr_unwind_role; NULL: unknown; not kept */
	const uint64_t
	    *entries;	/* by binary: entry point of the file; NULL: none; not kept */
	bool has_traps; /* traps are reported, otherwise inferred */
	bool has_priv;	/* privilege is reported, otherwise taken from the
			 * binary's role */
	bool has_satp;	/* satp is reported, otherwise processes are distinguished by
			 * where they resume */
	bool has_sp;	/* x2 is watched (stream/sp.h), and identifies stacks */
	bool has_tp;	/* x4 is watched, and identifies threads */
	bool addresses; /* count by address */
	/* Probes of the stream, some of which may tell of virtual frames
	 * (virtual_hits.h); NULL: none. Kept. */
	const struct tr_probe_names *probes;
	uint32_t commit_width; /* slots of a cycle, if classes count them; else 1 */
	bool keeps_gaps; /* gaps without cycles have rows, too: a sampled run has one
			  * between its windows */
};

struct tr_unwind_totals {
	uint64_t instructions, cycles;	       /* input */
	uint64_t out_instructions, out_cycles; /* output */
	uint64_t unknown_instructions, unknown_cycles;
	uint64_t ambiguous_instructions, ambiguous_cycles;
	uint64_t jit_instructions, jit_cycles; /* source.is_jit */
	uint64_t nameless_instructions;	       /* in a known binary, without a symbol */
	uint64_t calls, returns, tailcalls, longjmps, traps;
	uint64_t unmatched;	 /* returns to a place that no rule explains */
	uint64_t beyond;	 /* returns from code that ran before the trace began */
	uint64_t resyncs;	 /* re-synchronisations after a gap or a lost transfer */
	uint64_t breaks;	 /* of continuity, as the stream marks them */
	uint64_t doubted_cycles; /* cycles in frames left with another sp than on entry,
				  * or after a break */
	uint64_t switches;
	uint64_t nodes;
	uint64_t depth_refused, nodes_refused, threads_refused, threads_forgotten;
	uint64_t spaces_forgotten;
	uint64_t virtual_lost; /* hits that tell of no virtual frame, or not where */
};

struct tr_unwind;

/* Creates an unwinder and copies the three structs. Returns TR_OK or TR_E_NOMEM. */
int tr_unwind_new(struct tr_unwind **unwind, const struct tr_unwind_source *source,
		  const struct tr_unwind_sink *sink,
		  const struct tr_unwind_options *options);
void tr_unwind_free(struct tr_unwind *unwind);

/* Processes the next frame, given the number of blocks and timings that its generation
 * has so far (tr_reader_block_count()). Rows may be held until later frames or
 * tr_unwind_finish() determine their owner. Returns TR_OK; TR_E_CORRUPT (a note names an
 * unknown block or binary); TR_E_NOMEM; or the error of a callback. */
int tr_unwind_frame(struct tr_unwind *unwind, const struct tr_frame *frame,
		    uint32_t nblocks, uint32_t ntimings);

/* Emits the held rows, after the last frame. Returns TR_OK, TR_E_NOMEM or the error of a
 * callback. */
int tr_unwind_finish(struct tr_unwind *unwind);

void tr_unwind_totals(const struct tr_unwind *unwind, struct tr_unwind_totals *totals);

#endif
