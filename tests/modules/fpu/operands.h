// SPDX-License-Identifier: Apache-2.0
// Operands on which floating-point units fail: random ones, and a list of special ones.
#ifndef FPU_OPERANDS_H
#define FPU_OPERANDS_H

#include "../rng.h"
#include "work.h"

// Returns an instruction with this operation.
struct work draw(struct rng *random, unsigned op);

// Writes special operands, MOST_SPECIALS at most, fewer if `brief`. Returns their number.
enum { MOST_SPECIALS = 64 };
unsigned specials(bool is_double, uint64_t *list, bool brief);

#endif
