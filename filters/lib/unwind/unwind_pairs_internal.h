/* SPDX-License-Identifier: Apache-2.0 */
/* What unwind_pairs.c, which keeps the pairs, and unwind_classify.c, which finds out what
 * they are, have of each other. */
#ifndef TR_UNWIND_PAIRS_INTERNAL_H
#define TR_UNWIND_PAIRS_INTERNAL_H

#include "unwind/unwind_pairs.h"

/* unwind_classify.c. Walks over the block's instructions to find its functions, its
 * effect on sp and the control flow at its end. */
void tr_pairs_classify(struct tr_pairs *pairs, struct pair *p);
/* Replaces the place of an instruction of a stub by that for which it stands. Returns
 * false if the binary has no stubs. */
bool tr_pairs_origin(const struct tr_pairs *pairs, uint32_t *binary, uint64_t *address,
		     bool *is_direct);

/* unwind_pairs.c. Classifies vague pairs again, now that the isa is known. */
void tr_pairs_settle_vague(struct tr_pairs *pairs);

#endif
