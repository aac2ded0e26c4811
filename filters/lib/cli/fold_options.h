/* SPDX-License-Identifier: Apache-2.0 */
/* The options of tr-fold: taken, and checked against one another. */
#ifndef TR_FOLD_OPTIONS_H
#define TR_FOLD_OPTIONS_H

#include "cli/cli.h"
#include "profile/profile.h"

struct tr_fold_options {
	enum tr_profile_by by;
	bool instructions;
	const char *counter; /* the unit is one; NULL: cycles or instructions */
	bool table, tma, idle;
	bool has_clock; /* clock_hz was given; 0 is none */
	uint64_t clock_hz;
	const char *table_path; /* NULL: the main output */
	const char *svg_path;
	const char *title;
	const char *directory;
	const char *histogram; /* a function: in place of the folded stacks */
	const char *fold[TR_PROFILE_FOLDS];
	unsigned nfold;
	struct tr_profile_bound from, to;
	const char *from_text, *to_text; /* as they were given; NULL: not */
	const char *unit, *other_unit;
	const char *input;
};

/* Takes the command line and sets up `cli`; dies, or exits, where a filter does. */
void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv);
/* Whether what goes to the main output is not folded text. */
bool tr_fold_options_replace(const struct tr_fold_options *o);

#endif
