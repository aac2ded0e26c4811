/* SPDX-License-Identifier: Apache-2.0 */
/* Options of tr-fold: parsing and consistency. */
#ifndef TR_FOLD_OPTIONS_H
#define TR_FOLD_OPTIONS_H

#include "cli/cli_chain.h"
#include "cli/stack_options.h"
#include "export/export.h"

struct tr_fold_options {
	struct tr_stack_options stacks;
	struct tr_cli_chain chain;
	bool is_trace; /* the input is one, which `chain` unwinds */
	bool tma, off_cpu;
	bool merge; /* the operands are folded profiles, at least one */
	const struct tr_export_format *format; /* of the stacks */
	const char *bars_path;
	const char *svg_path;
	const char *title, *annotated;
	const char *serve_seen; /* NULL: no server */
	unsigned port;		/* of the server; 0: any */
	uint64_t expect;	/* cycles of the whole run; 0: not known */
	const char *limit_seen;
	uint64_t limit; /* bytes of folded text; 0: none */
	const char *directory;
};

/* Parses the command line and initialises `cli`; dies or exits as tr_options_parse()
 * does. */
void tr_fold_options_take(struct tr_fold_options *o, struct tr_cli *cli, int argc,
			  char **argv);
void tr_fold_options_release(struct tr_fold_options *o);

#endif
