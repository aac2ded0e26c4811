/* SPDX-License-Identifier: Apache-2.0 */
/* Sums by the structures that instructions access, from sums by instruction. */
#ifndef TR_MEMORY_MERGE_H
#define TR_MEMORY_MERGE_H

#include "memory/memory.h"

/* An object has touched a line; there is one for each line of each object. */
struct tr_touch {
	uint32_t object, line;
};

/* Makes one object of those whose instructions access the same member of a binary, and of
 * those at the same place that access no known one. Sets *count to how many are left, in
 * order of first access. Returns TR_OK or TR_E_NOMEM. */
int tr_memory_merge(struct tr_memory_object *objects, size_t *count,
		    const struct tr_touch *touches, size_t ntouches);
/* Adds sums but those of lines. */
void tr_memory_add(struct tr_memory_sum *sum, const struct tr_memory_sum *more);

#endif
