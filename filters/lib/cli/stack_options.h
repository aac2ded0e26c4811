/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tr-fold and tr-report: what of a stream of stacks is summed, and by what. */
#ifndef TR_STACK_OPTIONS_H
#define TR_STACK_OPTIONS_H

#include <regex.h>

#include "cli/cli_window.h"
#include "cli/options.h"
#include "profile/profile.h"

struct tr_stack_options {
	const struct tr_cli *cli; /* for messages while options are parsed */
	unsigned by;		  /* enum tr_profile_by */
	const char *unit_text;	  /* as given, or NULL */
	unsigned unit_number;	  /* of tr_stack_units */
	bool idle;
	bool merge_recursion;
	struct tr_cli_window window;
	const char *clock_seen; /* clock_hz was given; 0 means none */
	uint64_t clock_hz;
	const char *fold[TR_PROFILE_FOLDS];
	unsigned nfold;
	/* Regular expressions, as given and compiled; the text of --hide-helpers is
	 * NULL. */
	const char *hide_text[TR_PROFILE_FOLDS], *focus_text[TR_PROFILE_FOLDS];
	regex_t hide[TR_PROFILE_FOLDS], focus[TR_PROFILE_FOLDS];
	unsigned nhide, nfocus;
	const char *function;	    /* whose calls are measured, or NULL */
	const char *const *slowest; /* functions whose slowest calls are kept */
	unsigned nslowest;
	const char *input; /* the operand: "-" is standard input */
	/* Set by tr_stack_options_finish() */
	bool instructions;   /* the unit is instructions */
	const char *counter; /* the unit is this counter; NULL: cycles or instructions */
	const char *unit, *other_unit;
};

/* Names of enum tr_profile_by and of the units that are no counters; NULL ends both. */
extern const char *const tr_stack_groups[], *const tr_stack_units[];

/* Targets of the entries below, whose context is the struct tr_stack_options. */
void tr_stack_take_fold(void *context, const struct tr_option *, const char *binary);
void tr_stack_take_focus(void *context, const struct tr_option *, const char *regex);
void tr_stack_take_hide(void *context, const struct tr_option *, const char *regex);
void tr_stack_take_helpers(void *context, const struct tr_option *, const char *none);

/* Entries of a table of options, which set members of `o`. */
/* clang-format off */
#define TR_STACK_BY_OPTION(o) \
	{"by", .choice = {&(o)->by, tr_stack_groups}, .help = "how to group stacks (joined)"}
#define TR_STACK_WINDOW_OPTIONS(o) TR_CLI_WINDOW_OPTIONS(&(o)->window, .needs = NULL)
#define TR_STACK_UNIT_OPTION(o) \
	{"unit", .argument = "cycles|instructions|COUNTER", .text = &(o)->unit_text, \
	 .help = "what to count (cycles); a counter of soc-sim --counters is distributed in " \
		 "proportion to cycles"}
/* What calls are measured in. */
#define TR_STACK_CALL_UNIT_OPTION(o) \
	{"unit", .choice = {&(o)->unit_number, tr_stack_units}, \
	 .help = "what to count (cycles)"}
/* Those that change which frames there are. */
#define TR_STACK_FRAME_OPTIONS(o) \
	{"fold", .argument = "BINARY", .take = tr_stack_take_fold, \
	 .help = "show its frames as one; may be repeated"}, \
	{"hide", .argument = "RE", .take = tr_stack_take_hide, \
	 .help = "without frames that match this extended regular expression; their cycles " \
		 "are their callers'; may be repeated"}, \
	{"hide-helpers", .take = tr_stack_take_helpers, \
	 .help = "without the compiler's helpers, __riscv_save_0 etc."}, \
	{"merge-recursion", .flag = &(o)->merge_recursion, \
	 .help = "show a function that calls itself as one frame"}
/* Those that move cycles of whole stacks. */
#define TR_STACK_FOCUS_OPTIONS(o) \
	{"focus", .argument = "RE", .take = tr_stack_take_focus, \
	 .help = "only stacks with a frame that matches this extended regular expression; " \
		 "the cycles of the others are in one frame [out of focus]; may be repeated"}, \
	{"idle", .flag = &(o)->idle, \
	 .help = "charge cycles of waiting (WFI) to a stack [idle]"}
#define TR_STACK_CLOCK_OPTION(o) \
	{"clock", .argument = "HZ", .number = &(o)->clock_hz, .seen = &(o)->clock_seen, \
	 .help = "clock rate of the core, such as 3200M (from the header); 0: show no times"}
/* clang-format on */

/* After the parser: sets the members that follow from others, and checks them; dies with
 * a usage error. */
void tr_stack_options_finish(struct tr_stack_options *);
void tr_stack_options_release(struct tr_stack_options *);

#endif
