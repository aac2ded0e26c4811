/* SPDX-License-Identifier: Apache-2.0 */
/* The options of tr-annotate that choose a part of the run: a window, stacks, a process,
 * a thread. What only the stacks tell takes a pass over the stream of its own, which
 * profiles them as tr-fold does. All functions die on failure. */
#ifndef TR_CLI_SELECTION_H
#define TR_CLI_SELECTION_H

#include "annotate/selection.h"
#include "cli/cli_unwind.h"
#include "cli/stack_options.h"

struct tr_cli_selection {
	struct tr_stack_options stacks; /* of which window and focus are used */
	const char *process, *thread;	/* labels as by tr-fold --by, or NULL */
	/* Set by tr_cli_select(): the window, and the stacks; NULL: all */
	uint64_t from, to;
	struct tr_selection *selection;
};

/* Checks the options, after they were parsed. */
void tr_cli_selection_check(struct tr_cli_selection *selection, const struct tr_cli *cli);
/* Returns true if less than the whole run is chosen. */
bool tr_cli_selects(const struct tr_cli_selection *selection);
/* Finds what is chosen of the stream at `path`, which is unwound as `as` says. */
void tr_cli_select(struct tr_cli_selection *selection, const struct tr_cli_unwind *as,
		   const char *path);
/* What was chosen, in cycles: on functions; of the run; and without those that were on
 * functions that were known later. */
struct tr_cli_selected {
	uint64_t cycles, of, left_out;
};
/* Writes which part of the run was chosen; "" if it is all. */
void tr_cli_selection_text(const struct tr_cli_selection *selection,
			   const struct tr_cli_selected *selected, char *text,
			   size_t size);
/* Returns a title with the options that were given, "sum, --process sort, --from 5M"; the
 * caller frees it. */
char *tr_cli_selection_title(const struct tr_cli_selection *selection,
			     const struct tr_cli *cli, const char *title);
void tr_cli_selection_release(struct tr_cli_selection *selection);

#endif
