/* SPDX-License-Identifier: Apache-2.0 */
/* Which binaries with a fixed address contain others, as firmware contains its payload.
 */
#ifndef TR_MATCH_INNER_H
#define TR_MATCH_INNER_H

#include "match/match_index.h"

/* A binary whose code is, at run time, part of another one's. */
struct tr_match_part {
	struct tr_candidate whole, part;
};
struct tr_match_parts {
	struct tr_match_part *list; /* the innermost parts of a whole come first */
	size_t count, capacity;
};

/* Finds the parts among binaries with a fixed address, at their own addresses and at the
 * physical load addresses. Returns false when out of memory. The caller frees the list.
 */
bool tr_match_parts_find(struct tr_match_parts *parts,
			 const struct tr_match_index *index);

#endif
