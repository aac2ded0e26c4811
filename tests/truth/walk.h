/* SPDX-License-Identifier: Apache-2.0 */
/* The true stack: the machine's registers and memory, unwound. */
#ifndef TRUTH_WALK_H
#define TRUTH_WALK_H

#include <stdio.h>

#include "machine.h"

enum { WALK_DEPTH = 4096, WALK_TRAPS = 8 };

/* Where the top frame's function is with its own frame. */
enum walk_place { PLACE_BODY, PLACE_PARTIAL, PLACE_LEAF, PLACE_HAND, PLACES };

struct walk_frame {
	const char *name;
	const char *binary; /* "" for a trap */
	uint64_t pc;
};

struct walk {
	struct walk_frame frames[WALK_DEPTH]; /* the newest first */
	unsigned count;
	const char *lost;	      /* why it ends before the root; NULL: it does not */
	uint64_t thread;	      /* record of the current one, 0 if none */
	const struct binary *program; /* of it, NULL if none */
	enum walk_place place;
	unsigned traps;	   /* open ones */
	bool has_tailcall; /* a frame that another function's call made */
	bool is_new;	   /* the thread has not reached its first instruction */
	bool is_handed_on; /* the firmware is about to pass a trap on */

	/* User part of the thread that last began to end. Its memory is freed while
	 * it still runs, and may not change before that. */
	struct walk_frame ended[WALK_DEPTH];
	unsigned nended;
	uint64_t ended_thread;
};

/* The machine stands before an instruction that will commit. */
void walk_stack(const struct machine *m, struct walk *walk);
/* The machine stands at the start of the supervisor's thread_exit. */
void walk_remember(const struct machine *m, struct walk *walk);

/* What hand rules see and change: one frame, to be left for the one below. */
struct unwinding {
	const struct machine *m;
	const struct binary *binary;
	const struct tr_function *function;
	const struct binary *program;
	struct registers r;
	uint64_t satp;	 /* for memory */
	uint64_t linked; /* r.pc as the file has it */
	uint64_t cause;	 /* of a trap that was left */
	unsigned priv;
	bool is_exact; /* pc is of the next instruction, not behind a call */
	const char *lost;
};

enum left {
	LEFT_NOT,   /* no rule here: call frame information it is */
	LEFT_FRAME, /* r is the caller's, behind the call */
	LEFT_START, /* r is of code that is yet to run */
	LEFT_TRAP,  /* r, priv and cause are of what was interrupted */
	LEFT_ROOT,  /* there is nothing below */
	LEFT_LOST,
};

/* hand_rules.c */
enum left hand_leave(struct unwinding *u);
/* The rules, and how often each was used. */
void hand_print(FILE *out);

bool walk_read64(const struct unwinding *u, uint64_t address, uint64_t *value);

#endif
