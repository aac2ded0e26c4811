/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the cycles of a sampled run.
 *
 * Of a sampled run it is known exactly how many instructions each function executed, and
 * from windows, which the hardware executed, how many cycles its instructions take. The
 * cycles of a stack are its instructions times the cycles per instruction (CPI) of the
 * function on top of it, its leaf: a ratio estimator, in which a window belongs to its
 * own code, wherever it was in the run.
 *
 * A leaf that ran in fewer than TR_ESTIMATE_OWN windows has no CPI of its own, but that
 * of all such leaves of its binary; or if these have too few windows, too, that of all
 * such leaves of all such binaries, if they ran in two; else that of all windows. Code
 * that was inlined into a function is part of the function. tests/README.md has
 * what was measured.
 *
 * The error of a sum over leaves is that of the residuals in each window, with all
 * covariances, because functions share windows: the windows are equally far apart, so the
 * variance is that of successive differences. Leaves with the CPI of others add how much
 * the CPI of such leaves differs, and each leaf, or pool, the variance of one window in
 * which its CPI differs as much as others do: it has not met all that is rare. The
 * quantile is that of Student's distribution, with as
 * many degrees of freedom as the fourth moment of the residuals leaves. */
#ifndef TR_ESTIMATE_H
#define TR_ESTIMATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TR_ESTIMATE_OWN = 5,	  /* windows that a leaf needs for a CPI of its own */
	TR_ESTIMATE_FEW = 10,	  /* what rests on fewer windows is in doubt */
	TR_ESTIMATE_COLUMNS = 34, /* at most */
};

/* Columns: cycles, then what the caller counts beside them, such as the slots of each
 * class of lost cycles. */
struct tr_estimate;

/* Returns NULL when out of memory; tr_estimate_free() accepts NULL. */
struct tr_estimate *tr_estimate_new(unsigned columns);
void tr_estimate_free(struct tr_estimate *);

/* Begins the next window, in the order of the run. Returns TR_OK or TR_E_NOMEM. */
int tr_estimate_begin(struct tr_estimate *);
/* Adds what a leaf, a number that the caller chooses and that is small, did in the
 * current window. Returns TR_OK or TR_E_NOMEM. */
int tr_estimate_add(struct tr_estimate *, uint32_t leaf, uint64_t instructions,
		    const double *columns);

/* A leaf: the instructions that it executed in the whole run, and the number of the
 * binary that contains it, by which it is pooled. */
struct tr_estimate_leaf {
	uint64_t instructions;
	uint32_t binary;
};
/* After the last window: computes the CPI of each leaf; `leaves` has all numbers below
 * `count`, among them all that were added. Returns TR_OK or TR_E_NOMEM. */
int tr_estimate_finish(struct tr_estimate *, const struct tr_estimate_leaf *leaves,
		       uint32_t count);

/* Return the number of windows, and of the instructions in them. */
uint32_t tr_estimate_windows(const struct tr_estimate *);
uint64_t tr_estimate_instructions(const struct tr_estimate *);
/* Returns what a column has for each instruction of a leaf. */
double tr_estimate_rate(const struct tr_estimate *, uint32_t leaf, unsigned column);

/* Some of the instructions of a leaf. */
struct tr_estimate_part {
	uint32_t leaf;
	uint64_t instructions;
};
struct tr_bar {
	double value;
	double error;	  /* half of the interval that has the true value at 95 % */
	uint32_t windows; /* in which any of the leaves ran */
};
/* Returns the sum of the columns in `mask` over parts, and its error. Leaves are
 * ascending; uses memory of the estimate. */
struct tr_bar tr_estimate_sum(struct tr_estimate *, const struct tr_estimate_part *parts,
			      size_t count, uint64_t mask);

/* A part of a group, or of a node in a tree. */
struct tr_estimate_item {
	uint32_t node;
	struct tr_estimate_part part;
};
/* Computes the bar of cycles of each group that has an item; sorts the items. Returns
 * TR_OK or TR_E_NOMEM. */
int tr_estimate_groups(struct tr_estimate *, struct tr_estimate_item *items, size_t count,
		       struct tr_bar *bars);
/* In a tree of `nodes`, in which parents have lower numbers than their children and node
 * 0 is the root: computes the bar of cycles of each node: of what is on it alone in
 * self[node], and with all above it in total[node]. Sorts the items. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_estimate_tree(struct tr_estimate *, const uint32_t *parents, uint32_t nodes,
		     struct tr_estimate_item *items, size_t count, struct tr_bar *self,
		     struct tr_bar *total);

/* Returns the quantile of Student's distribution that 95 % of it lie within; `freedom` is
 * at least 1. */
double tr_estimate_quantile(double freedom);

#endif
