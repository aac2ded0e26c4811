/* SPDX-License-Identifier: Apache-2.0 */
/* Rebuilds call stacks from rows, events and tr-match's notes.
 *
 * The unwinder never looks into the target: it follows control transfers on a
 * shadow stack for each thread (tr-unwind(1) has the rules) and hands out
 * functions, stack nodes, threads and rows of stacks in order of time. Every
 * instruction and cycle that goes in comes out exactly once.
 *
 * Inlined calls and lines are leaves: they come onto the stack, above the function
 * that holds them, when something is charged to it or is called from it, and no rule
 * sees them.
 *
 * Memory: one dictionary generation of (space, block) pairs, plus the limits
 * below, and a name for each inlined function and line that ran; nothing grows with
 * the length of the stream.
 */
#ifndef TR_UNWIND_H
#define TR_UNWIND_H

#include "base/status.h"
#include "image/image.h"
#include "stream/stream.h"

enum {
	TR_UNWIND_DEPTH = 4096,		/* deeper calls are charged to that frame */
	TR_UNWIND_HEIGHT = 256,		/* the same for stacks that stand on others */
	TR_UNWIND_NODES = 1 << 22,	/* more are charged to their parent */
	TR_UNWIND_THREADS = 1 << 15,	/* then the least recent are forgotten */
	TR_UNWIND_THREAD_IDS = 1 << 20, /* then thread 0 stands for the rest */
	TR_UNWIND_FRAMES = 1 << 19,	/* room for them, of all threads together */
	TR_UNWIND_SETJMPS = 64,		/* of one thread */
	TR_UNWIND_PAIRS = 1 << 18,	/* then the least recent spaces are forgotten */
};

/* What the source says of the code at [low, high). */
struct tr_place {
	uint64_t low, high;
	uint32_t call; /* the innermost inlined one; 0: none */
	uint32_t line; /* 0: none, or not known */
};

/* What the unwinder asks and tells; `user` is passed through. Functions that
 * tell return TR_OK or an error, which ends the unwinding. */
struct tr_unwind_ops {
	void *user;
	/* Definitions of the current frame; the ids asked for are in it. */
	const struct tr_block *(*block)(void *user, uint32_t id);
	const struct tr_timing *(*timing)(void *user, uint32_t id);
	/* The function at `address` of binary N; false if none. Its name lives
	 * as long as the unwinder. */
	bool (*function)(void *user, uint32_t binary, uint64_t address,
			 struct tr_function *function);
	/* NULL, or: `bytes` of code at `address` of binary N; NULL if it has not so many
	 * there. Asked when the source gives no instructions. */
	const uint8_t *(*code)(void *user, uint32_t binary, uint64_t address,
			       unsigned bytes);
	/* NULL, or: what of the source stands on the function at `address`. The
	 * names live as long as the unwinder, and are the same pointer each time. */
	void (*place)(void *user, uint32_t binary, uint64_t address,
		      struct tr_place *place);
	/* The function of an inlined call, and the call around it (a lower number;
	 * 0: the function that is called for real). */
	const char *(*call)(void *user, uint32_t binary, uint32_t call, uint32_t *around);
	/* The file of a line, and its number in it. */
	const char *(*line)(void *user, uint32_t binary, uint32_t line, uint32_t *number);
	/* Definitions are numbered in order of the calls: functions and threads
	 * from 0, nodes from 1. */
	int (*func)(void *user, const struct tr_func *func);
	int (*node)(void *user, const struct tr_node *node);
	int (*thread)(void *user, const struct tr_thread *thread);
	/* Who runs in the srows of a hart from here on. */
	int (*scontext)(void *user, uint32_t hart, const struct tr_scontext *context);
	int (*srow)(void *user, uint32_t hart, const struct tr_srow *row,
		    const struct tr_class_cycles *classes);
};

enum tr_unwind_role {
	TR_UNWIND_ANY = 0,
	TR_UNWIND_FIRMWARE, /* M-mode */
	TR_UNWIND_KERNEL,   /* S-mode */
	TR_UNWIND_USER,	    /* U-mode */
};

struct tr_unwind_options {
	const char *const *programs; /* short name of each binary; not copied */
	const bool *libraries; /* of each: no program; NULL: none is one; read once */
	uint32_t nprograms;
	unsigned xlen; /* 32 or 64 */
	const uint8_t
	    *roles; /* of each: enum tr_unwind_role; NULL: none is known; read once */
	const uint64_t
	    *entries;	  /* of each: where its file begins; NULL: none; read once */
	bool has_traps;	  /* traps are told, else they are inferred */
	bool has_priv;	  /* the privilege is, else it is that of the binary's role */
	bool has_satp;	  /* it is, else processes are told apart by where they go on */
	bool has_sp;	  /* x2 is watched (stream/sp.h): stacks are told apart by it */
	bool has_tp;	  /* x4 is watched: threads are told apart by it */
	bool has_classes; /* cycles are given by class: one commit a cycle */
};

struct tr_unwind_totals {
	uint64_t instructions, cycles;	       /* came in */
	uint64_t out_instructions, out_cycles; /* went out */
	uint64_t unknown_instructions, unknown_cycles;
	uint64_t ambiguous_instructions, ambiguous_cycles;
	uint64_t nameless_instructions; /* known binary, no symbol */
	uint64_t calls, returns, tailcalls, longjmps, traps;
	uint64_t unmatched;	 /* returns to a place that no rule explains */
	uint64_t beyond;	 /* returns out of what ran when the trace began */
	uint64_t resyncs;	 /* landings after a gap or a lost transfer */
	uint64_t doubted_cycles; /* of frames left with another sp than they had */
	uint64_t switches;
	uint64_t nodes;
	uint64_t depth_refused, nodes_refused, threads_refused, threads_forgotten;
	uint64_t spaces_forgotten;
};

struct tr_unwind;

/* Copies both structs. TR_OK or TR_E_NOMEM. */
int tr_unwind_new(struct tr_unwind **unwind, const struct tr_unwind_ops *ops,
		  const struct tr_unwind_options *options);
void tr_unwind_free(struct tr_unwind *unwind);

/* The next frame, with how many blocks and timings its generation has by now
 * (tr_reader_block_count). Rows of it may be held back until it is known whose they are,
 * which later frames or tr_unwind_finish() may tell. TR_OK;
 * TR_E_CORRUPT: a note names a block or a binary that is not there; TR_E_NOMEM;
 * or what an operation returned. */
int tr_unwind_frame(struct tr_unwind *unwind, const struct tr_frame *frame,
		    uint32_t nblocks, uint32_t ntimings);

/* After the last frame: writes what was held back. As tr_unwind_frame(). */
int tr_unwind_finish(struct tr_unwind *unwind);

void tr_unwind_totals(const struct tr_unwind *unwind, struct tr_unwind_totals *totals);

#endif
