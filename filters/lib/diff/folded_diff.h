/* SPDX-License-Identifier: Apache-2.0 */
/* What changed between the two values of a tree of stacks, before and after. */
#ifndef TR_FOLDED_DIFF_H
#define TR_FOLDED_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/folded.h"

/* A function or a stack. Its own value, and with what it calls. */
struct tr_change {
	uint64_t self[2];
	uint64_t total[2]; /* of a function: once, however often it recurs */
	uint32_t id;	   /* of a node that has the name, or that is the stack */
};

/* All functions, or all stacks that have a value: the largest change of `self`
 * first, then of `total`, then by name. Totals of a stack are its own value. *changes is
 * malloc'd. TR_OK, TR_E_NOMEM. */
int tr_folded_functions(const struct tr_folded *, struct tr_change **changes,
			size_t *count);
int tr_folded_stacks(const struct tr_folded *, struct tr_change **changes, size_t *count);

#endif
