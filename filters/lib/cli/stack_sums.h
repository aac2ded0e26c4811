/* SPDX-License-Identifier: Apache-2.0 */
/* Sums a stream of stacks as the options of tr-fold and tr-report say. All functions die
 * on failure, with the name of the input. */
#ifndef TR_STACK_SUMS_H
#define TR_STACK_SUMS_H

#include "cli/cli_stacks.h"
#include "cli/fold_lines.h"
#include "cli/stack_options.h"

struct tr_cli_chain;

struct tr_stack_sums {
	const struct tr_cli *cli;
	const struct tr_stack_options *options;
	/* What is needed besides the sums by stack */
	bool needs_calls;	    /* calls of all functions, for their table */
	bool needs_privileges;	    /* the privilege of each frame, for colours */
	bool needs_classes;	    /* cycles by class */
	bool joins_idle;	    /* waiting stays in its group whatever `by` is */
	bool sums_waits;	    /* so what runs out of focus is not told */
	struct tr_cli_chain *chain; /* unwinds the input, which is a trace; or NULL */
	/* Set by tr_stack_sums_open() */
	bool is_sampled;	   /* the run: its cycles are estimates */
	struct tr_cli_stacks in;   /* with the reader and the profile */
	struct tr_classes classes; /* if they are needed, also for waiting */
	/* Set by tr_stack_sums_take() */
	char cut_off[120]; /* printed before the next two; "" if the run was complete */
	char conservation[TR_FOLD_LINE];
	char class_sum[280]; /* with needs_classes */
};

/* Opens the input and creates the profile. The members up to joins_idle are the
 * caller's, who may then set what else takes the frames of `in`. */
void tr_stack_sums_open(struct tr_stack_sums *);
/* Reads the whole stream, and checks it and the options that name something in it. Prints
 * what is out of focus. */
void tr_stack_sums_take(struct tr_stack_sums *);
/* Prints the lines on standard error with -v. */
void tr_stack_sums_verbose(const struct tr_stack_sums *);
/* Returns the clock rate, 0 if unknown: cycles are time only if the source counts cycles,
 * not instructions. */
uint64_t tr_stack_sums_clock(const struct tr_stack_sums *);
/* Returns the unit of the stacks in a picture: with classes "cycles" or "slots". */
const char *tr_stack_sums_class_unit(const struct tr_stack_sums *s);
/* Returns true if the source counts instructions as cycles. */
bool tr_stack_sums_counted(const struct tr_stack_sums *);
void tr_stack_sums_release(struct tr_stack_sums *);

#endif
