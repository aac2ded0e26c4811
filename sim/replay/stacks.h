/* SPDX-License-Identifier: Apache-2.0 */
/* How far down sp went in stacks. */
#ifndef REPLAY_STACKS_H
#define REPLAY_STACKS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

/* All zero is empty. */
struct stacks {
	struct tr_map was; /* addresses that sp has had, without their lowest bits */
	uint64_t last;	   /* the one before, plus 1 */
	bool failed;	   /* out of memory */
};
void stacks_free(struct stacks *s);

/* Returns what an instruction adds to sp if that is a constant below 0, otherwise 0. */
int stacks_growth(const uint8_t *code, unsigned size);
/* sp has this value. */
void stacks_note(struct stacks *s, uint64_t sp);
/* Sets *sp to the lowest one that there was in `size` bytes from `base` on, to 16 bytes.
 * Returns false if there was none, or for more than 1 MiB. */
bool stacks_lowest(const struct stacks *s, uint64_t base, uint64_t size, uint64_t *sp);

#endif
