/* SPDX-License-Identifier: Apache-2.0 */
/* The true stack, unwound from the machine's registers and memory. */
#ifndef TRUTH_WALK_H
#define TRUTH_WALK_H

#include <stdio.h>

#include "machine.h"

enum { WALK_DEPTH = 4096 };

/* State of the innermost function's frame. */
enum walk_place { PLACE_BODY, PLACE_PARTIAL, PLACE_LEAF, PLACE_HAND, PLACES };

struct walk_frame {
	const char *name;
	const char *binary; /* "" for a trap */
	uint64_t pc;
};

struct walk {
	struct walk_frame frames[WALK_DEPTH]; /* innermost first */
	unsigned count;
	const char *lost;	      /* why it ends before the root; NULL: it does not */
	uint64_t thread;	      /* record of the current thread, 0 if none */
	const struct binary *program; /* its program, NULL if none */
	enum walk_place place;
	unsigned traps; /* active traps */
	unsigned priv;
	bool has_tailcall; /* a frame of a function reached by another one's call */
	bool is_new;	   /* the thread has not reached its first instruction */
	bool is_handed_on; /* the firmware is about to redirect a trap */
};

struct walk_system;
struct hand_rule;

/* State of a rule: one frame, to be left for its caller's. */
struct unwinding {
	const struct machine *m;
	const struct walk_system *system;
	const struct binary *binary;
	const struct tr_function *function;
	const struct binary *program; /* program of the user code */
	uint64_t thread;
	struct registers r;
	uint64_t satp;	 /* for memory */
	uint64_t linked; /* r.pc, as in the file */
	uint64_t cause;	 /* of a trap just left */
	unsigned priv;
	bool is_exact;	    /* pc is the next instruction, not a return address */
	bool is_ecall;	    /* the trap just left is an ecall */
	bool is_inside;	    /* the frame just left was called within its own function */
	bool is_subroutine; /* set by a hand rule */
	const char *lost;
};

enum left {
	LEFT_NOT,      /* no rule applies: use call frame information */
	LEFT_FRAME,    /* r is the caller's, after the call */
	LEFT_START,    /* r is of code that has not run yet */
	LEFT_TRAP,     /* r, priv and cause are of the interrupted code */
	LEFT_SIGNAL,   /* r is of code interrupted by a signal */
	LEFT_ROOT,     /* no outer frame */
	LEFT_RECORDED, /* the outer frames have been recorded */
	LEFT_LOST,
};

/* Differences between the kernels that run on the machine. */
struct walk_system {
	const struct hand_rule *rules; /* ends with one without a function */
	/* Sets thread and program of the walk. */
	void (*begin)(const struct machine *m, struct walk *walk);
	/* Sets binary, satp and linked from priv and r.pc. Returns false if it cannot. */
	bool (*find)(struct unwinding *u);
	/* Called after a frame returned by a call; returns LEFT_NOT for an ordinary call.
	 * May be NULL. */
	enum left (*pass)(struct unwinding *u);
	/* A trap was left and added. Returns false if the rest is added, too. */
	bool (*trap)(const struct unwinding *u, struct walk *walk);
	/* Adds frames after LEFT_RECORDED. May be NULL. */
	void (*rest)(const struct unwinding *u, struct walk *walk);
	/* The machine has just taken a trap to `priv`. May be NULL. */
	void (*trapped)(const struct machine *m, unsigned priv);
	/* tp has just been set to a kernel thread. May be NULL. */
	void (*switched)(const struct machine *m);
};

/* Walks the stack; the machine is before an instruction that will commit. */
void walk_stack(const struct machine *m, const struct walk_system *system,
		struct walk *walk);
bool walk_push(struct walk *walk, const char *name, const char *binary, uint64_t pc);
bool walk_read64(const struct unwinding *u, uint64_t address, uint64_t *value);

#endif
