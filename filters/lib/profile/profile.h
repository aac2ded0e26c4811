/* SPDX-License-Identifier: Apache-2.0 */
/* A profile: the rows of a stream of stacks, summed.
 *
 * Memory is bounded by the distinct stacks (and groups), and with `calls` by at most
 * 128 KiB a function and group. A cycle is charged to one stack only.
 *
 * What a counter rises between two samples of a hart is spread over the stacks that the
 * hart ran there, by their cycles: fractions are summed and rounded once, so that stacks
 * add up to the counter.
 */
#ifndef TR_PROFILE_H
#define TR_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/folded.h"
#include "profile/profile_durations.h"
#include "profile/tma.h"
#include "stream/classes.h"
#include "stream/reader.h"
#include "stream/stream.h"

/* What is summed apart. A program is the first frame of a stack, a process one life
 * of an address space, a privilege that in which the hart is. */
enum tr_profile_by {
	TR_BY_JOINED = 0,
	TR_BY_PROGRAM,
	TR_BY_PROCESS,
	TR_BY_THREAD,
	TR_BY_PRIVILEGE
};

/* An end of the window: a cycle, or, when `function` is set, the first entry of a
 * function (from) or the first return of it after that (to), or the trigger that
 * first started tracing (from) or stopped it after that (to). */
struct tr_profile_bound {
	const char *function; /* NAME or BINARY:NAME; not copied */
	bool trigger;
	uint64_t cycle;
};

struct tr_profile_options {
	enum tr_profile_by by;
	bool instructions; /* unit of tables and calls; else cycles */
	bool counter;	   /* unit of tables and stacks: how a counter rose */
	struct tr_counter_id counter_id;
	bool calls;		 /* follow calls, for a table */
	unsigned classes;	 /* how many there are, to sum them apart; 0: no matter */
	uint32_t idle;		 /* bit c: cycles of class c go to the frame [idle] */
	const char *const *fold; /* binaries whose frames become one; not copied */
	unsigned nfold;		 /* at most TR_PROFILE_FOLDS */
	struct tr_profile_bound from, to; /* only [from, to) is summed */
	const char *histogram; /* function (as in a bound) whose calls are timed */
};
enum { TR_PROFILE_FOLDS = 64 };

/* Deeper stacks are refused, so that a row costs a bounded time. */
enum { TR_PROFILE_DEPTH = 1 << 14 };

struct tr_profile;

/* NULL when out of memory; tr_profile_free takes NULL. */
struct tr_profile *tr_profile_new(const struct tr_profile_options *options);
void tr_profile_free(struct tr_profile *);

/* Takes what is new of the definitions, then the rows of a frame in order of time.
 * TR_OK; TR_E_CORRUPT (a stack that is too deep, a ';' or control character in a name,
 * node 0, a sum beyond 64 bits); TR_E_ARGUMENT (a class beyond those that there are,
 * or what `by` needs is not told); TR_E_NOMEM. On failure `message` is "frame 3: func
 * f12: reason". */
int tr_profile_take(struct tr_profile *, const struct tr_reader *reader,
		    const struct tr_sframe *frame, char *message, size_t size);
/* After the last frame; `stopped`: a trigger ended the trace. As above. */
int tr_profile_finish(struct tr_profile *, bool stopped);
uint64_t tr_profile_instructions(const struct tr_profile *); /* so far */

/* Where the cycles or instructions went, by the last frame of each stack. */
struct tr_charge {
	uint64_t charged;	/* all of the window */
	uint64_t lost;		/* of these: the source could not keep up */
	uint64_t gap;		/* other time that was not traced */
	uint64_t unknown;	/* code of no known binary or function */
	uint64_t ambiguous;	/* code of several binaries */
	uint64_t before, after; /* the window, and not charged */
};
struct tr_charge tr_profile_charge(const struct tr_profile *, bool instructions);
/* The same of the counter, and how much it rose in all. */
struct tr_charge tr_profile_counter_charge(const struct tr_profile *, uint64_t *counted);

/* The window: UINT64_MAX for an end that no row has reached yet. */
struct tr_profile_window {
	uint64_t from, to;
	bool is_cut;   /* one of the two was asked for */
	uint64_t last; /* the cycle behind the last row */
};
struct tr_profile_window tr_profile_window(const struct tr_profile *);

/* Whether a frame has this name (as in a bound). / Whether a frame is of this
 * binary. */
bool tr_profile_has_function(const struct tr_profile *, const char *name);
bool tr_profile_has_binary(const struct tr_profile *, const char *name);
/* The nearest names that there are: "foo, bar", "" when none is near. */
void tr_profile_near(const struct tr_profile *, const char *name, char *text,
		     size_t size);

/* Where all cycles went. In `wrong` cycles, most of them in `wrong_func`, they have no
 * class, or more than one. */
struct tr_class_sum {
	struct tr_tma_sum sum;
	uint64_t wrong;
	const struct tr_func *wrong_func;
};
void tr_profile_class_sum(const struct tr_profile *, struct tr_class_sum *sum);

/* Cycles in self[0], instructions in self[1] (with a counter: that, and cycles), and
 * the cycles of class c in part
 * c - 1, as far as the tree has parts. By process, thread or privilege that is the
 * first frame. `tint` (with its argument) colours a function. TR_OK, TR_E_NOMEM. */
int tr_profile_fold(const struct tr_profile *, struct tr_folded *folded,
		    uint8_t (*tint)(const void *, const struct tr_func *),
		    const void *argument);

/* A function of a group. A call begins when the function is entered (a trap, when its
 * handler is; a gap, each time) and ends when it leaves its thread's stack; it takes the
 * time of its thread between the two, callees included. A frame that is seen again is no
 * call. Calls that have not ended count in `calls` alone, those that were open when the
 * window began, or whose entry was not seen, nowhere. An inlined function has no calls;
 * what a line of the source was charged is its function's. */
struct tr_profile_line {
	const char *group; /* "" when joined */
	const struct tr_func *func;
	uint64_t self;
	uint64_t total; /* each cycle once, however often the function recurs */
	uint64_t calls;
	uint64_t ended;
	uint64_t min, median, max; /* of the calls that ended */
	uint64_t away;		   /* cycles in these in which the thread did not run */
	const uint64_t *lost;	   /* cycles of `self` by class, class 1 first */
	uint64_t retired;	   /* instructions of `self` */
	uint32_t group_id;
	bool rounded; /* the median is, to 1 part in 64 or better */
};

/* All functions by self, then total, the largest first; `*lines` is malloc'd and
 * holds until the profile changes. TR_OK, TR_E_NOMEM. */
int tr_profile_lines(struct tr_profile *, struct tr_profile_line **lines, size_t *count);

/* The lines as a table, without functions that were on no stack. Write errors
 * stay in ferror(file). TR_OK, TR_E_NOMEM. */
int tr_profile_print(struct tr_profile *, FILE *file);
/* Classes of the whole, then of each function with cycles of its own. As above. */
int tr_profile_print_tma(struct tr_profile *, const struct tr_classes *classes,
			 FILE *file);

/* How long the calls took of the function that options.histogram names. */
struct tr_profile_timing {
	const struct tr_durations *durations; /* of the calls that ended */
	uint64_t calls;			      /* that began */
	unsigned functions;		      /* how many have the name */
};
struct tr_profile_timing tr_profile_timing(const struct tr_profile *);

#endif
