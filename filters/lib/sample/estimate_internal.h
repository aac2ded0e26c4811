/* SPDX-License-Identifier: Apache-2.0 */
/* Internals of an estimate, shared by estimate*.c. */
#ifndef TR_ESTIMATE_INTERNAL_H
#define TR_ESTIMATE_INTERNAL_H

#include "base/buffer.h"
#include "sample/estimate.h"

/* What a leaf did in a window; its columns are in `values`. */
struct entry {
	double instructions;
	uint32_t window, leaf;
};

struct leaf {
	struct tr_estimate_leaf is;
	uint32_t first, count; /* of its entries in `order` */
	uint32_t windows;      /* in which it executed instructions */
	uint32_t unit;
	bool has_unit;
};

/* Leaves with one rate: a leaf alone, or a pool of leaves with too few windows. */
struct unit {
	double instructions; /* in windows */
	double spread;	     /* of a pool: mean square of how CPIs differ from its own */
	uint32_t first, count; /* of its leaves in `members` */
	uint32_t windows;
	double unseen; /* variance per square of instructions; see expect_unseen() */
	double exact_squares; /* of the instructions of its leaves in the whole run */
	/* Scratch: the instructions that are summed, their squares by leaf, and their
	 * products with those of the whole run. */
	double weight, squares, products;
	bool is_pool;
};

struct member {
	uint32_t key, leaf;
};

struct tr_estimate {
	unsigned columns;
	uint32_t windows;
	uint64_t instructions; /* in windows */
	double exact;	       /* of the whole run */
	struct entry *entries; /* in the order of windows */
	double *values;	       /* of each entry */
	size_t *last;	       /* of each leaf: 1 + its last entry */
	size_t nentries, nlast;
	size_t entry_capacity, value_capacity, last_capacity;
	struct leaf *leaves;
	struct unit *units;
	struct member *members;
	double *rates;	 /* of each unit: columns per instruction */
	uint32_t *order; /* entries by leaf */
	uint32_t nleaves, nunits;
	/* Scratch: the residual of each window, behind one of 0 at each end, and the
	 * windows that have one. */
	double *residuals;
	uint32_t *stamps, stamp;
	uint32_t *touched;
	uint32_t *used; /* units that are summed */
};

#endif
