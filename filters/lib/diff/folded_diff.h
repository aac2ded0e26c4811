/* SPDX-License-Identifier: Apache-2.0 */
/* Changes between the two values, before and after, in a tree of stacks. */
#ifndef TR_FOLDED_DIFF_H
#define TR_FOLDED_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "profile/folded.h"

/* A function or a stack, with its own value and the one including callees. */
struct tr_change {
	uint64_t self[2];
	uint64_t total[2]; /* of a function: counted once, even if it recurs */
	uint32_t id;	   /* a node with that name, or of that stack */
};

/* List all functions, or all stacks that have a value, by change of `self`, largest
 * first, then of `total`, then by name. The total of a stack is its own value. *changes
 * is malloc'd. Return TR_OK or TR_E_NOMEM. */
int tr_folded_functions(const struct tr_folded *, struct tr_change **changes,
			size_t *count);
int tr_folded_stacks(const struct tr_folded *, struct tr_change **changes, size_t *count);

#endif
