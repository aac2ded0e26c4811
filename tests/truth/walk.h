/* SPDX-License-Identifier: Apache-2.0 */
/* The true stack: the machine's registers and memory, unwound. */
#ifndef TRUTH_WALK_H
#define TRUTH_WALK_H

#include <stdio.h>

#include "machine.h"

enum { WALK_DEPTH = 4096 };

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
	unsigned traps; /* open ones */
	unsigned priv;
	bool has_tailcall; /* a frame that another function's call made */
	bool is_new;	   /* the thread has not reached its first instruction */
	bool is_handed_on; /* the firmware is about to pass a trap on */
};

struct walk_system;
struct hand_rule;

/* What rules see and change: one frame, to be left for the one below. */
struct unwinding {
	const struct machine *m;
	const struct walk_system *system;
	const struct binary *binary;
	const struct tr_function *function;
	const struct binary *program; /* what user code is of */
	uint64_t thread;
	struct registers r;
	uint64_t satp;	 /* for memory */
	uint64_t linked; /* r.pc as the file has it */
	uint64_t cause;	 /* of a trap that was left */
	unsigned priv;
	bool is_exact;	    /* pc is of the next instruction, not behind a call */
	bool is_ecall;	    /* the trap that was left is a call */
	bool is_inside;	    /* what was left was called within its own function */
	bool is_subroutine; /* a hand rule says so */
	const char *lost;
};

enum left {
	LEFT_NOT,    /* no rule here: call frame information it is */
	LEFT_FRAME,  /* r is the caller's, behind the call */
	LEFT_START,  /* r is of code that is yet to run */
	LEFT_TRAP,   /* r, priv and cause are of what was interrupted */
	LEFT_SIGNAL, /* r is of what a signal interrupted */
	LEFT_ROOT,   /* there is nothing below */
	LEFT_LOST,
};

/* What differs between the kernels that run on the machine. */
struct walk_system {
	const struct hand_rule *rules; /* up to one without a function */
	/* Sets thread and program of the walk. */
	void (*begin)(const struct machine *m, struct walk *walk);
	/* Sets binary, satp and linked from priv and r.pc; false if it cannot. */
	bool (*find)(struct unwinding *u);
	/* A frame was left behind a call; LEFT_NOT if that call is one like others.
	 * May be NULL. */
	enum left (*pass)(struct unwinding *u);
	/* A trap was left and pushed; false when the rest is pushed, too. */
	bool (*trap)(const struct unwinding *u, struct walk *walk);
	/* The machine has just taken a trap to `priv`. May be NULL. */
	void (*trapped)(const struct machine *m, unsigned priv);
	/* tp has just got the value of a kernel thread. May be NULL. */
	void (*switched)(const struct machine *m);
};

/* The machine stands before an instruction that will commit. */
void walk_stack(const struct machine *m, const struct walk_system *system,
		struct walk *walk);
bool walk_push(struct walk *walk, const char *name, const char *binary, uint64_t pc);
bool walk_read64(const struct unwinding *u, uint64_t address, uint64_t *value);

#endif
