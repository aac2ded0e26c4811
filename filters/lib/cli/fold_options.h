/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tr-fold: parsing and consistency. */
#ifndef TR_FOLD_OPTIONS_H
#define TR_FOLD_OPTIONS_H

#include "base/report.h"
#include "cli/cli.h"
#include "export/export.h"
#include "profile/profile.h"

struct tr_fold_options {
	enum tr_profile_by by;
	bool instructions;
	const char *counter; /* the unit is this counter; NULL: cycles or instructions */
	bool table, tma, idle;
	bool has_clock; /* clock_hz was given; 0 means none */
	uint64_t clock_hz;
	const char *table_path;		       /* NULL: the main output */
	const struct tr_export_format *format; /* of the stacks */
	enum tr_report_as table_as;	       /* CSV or JSON if `format` is */
	const char *svg_path;
	const char *title;
	bool serves;
	unsigned port;	 /* of the server; 0: any */
	uint64_t expect; /* cycles of the whole run; 0: not known */
	uint64_t limit;	 /* bytes of folded text; 0: none */
	const char *directory;
	const char *histogram; /* a function, whose histogram replaces the folded
				* stacks; or its slowest calls, if `slowest` */
	bool slowest;
	const char *fold[TR_PROFILE_FOLDS];
	unsigned nfold;
	/* Regular expressions, as given and compiled. */
	const char *hide_text[TR_PROFILE_FOLDS], *focus_text[TR_PROFILE_FOLDS];
	regex_t hide[TR_PROFILE_FOLDS], focus[TR_PROFILE_FOLDS];
	unsigned nhide, nfocus;
	bool merge_recursion;
	struct tr_profile_bound from, to;
	const char *from_text, *to_text; /* as given, or NULL */
	const char *unit, *other_unit;
	const char *input;
};

/* Parses the command line and initialises `cli`; dies or exits as tr_cli_parse() does. */
void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv);
void tr_fold_options_release(struct tr_fold_options *o);
/* Returns true if the main output is not folded text. */
bool tr_fold_options_replace(const struct tr_fold_options *o);

#endif
