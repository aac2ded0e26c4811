/* SPDX-License-Identifier: Apache-2.0 */
/* Bars of the stacks of a sampled run, for tr-fold. Functions die on failure. */
#ifndef TR_FOLD_BARS_H
#define TR_FOLD_BARS_H

#include "cli/cli_stacks.h"
#include "profile/folded.h"

struct tr_fold_bars {
	struct tr_bar *self, *total; /* of each node of the tree; NULL: not sampled */
};

/* Computes the bars of a tree to which the profile was added; does nothing if the run was
 * not sampled. */
void tr_fold_bars_init(struct tr_fold_bars *bars, const struct tr_cli_stacks *in,
		       struct tr_folded *folded);
void tr_fold_bars_release(struct tr_fold_bars *bars);
/* Writes the table of option --bars as CSV to `path`: the total, functions, stacks. */
void tr_fold_bars_write(const struct tr_fold_bars *bars, const struct tr_cli_stacks *in,
			const struct tr_folded *folded, const char *path);

#endif
