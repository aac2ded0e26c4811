/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of the caches of a machine with one hart, as the last uses of RAM. TLBs
 * and predictors are not part of it, nor are L1s of more than 4,096 lines. */
#ifndef VERILATED_CACHES_H
#define VERILATED_CACHES_H

#include "memory.h"
#include "model/model.h"

/* Fills the caches as if lines were replaced in the order of their use, which is that of
 * the L2; the L1s choose victims in turn. Call after poke_state(), before the first
 * cycle.
 */
void caches_fill(struct rtl *r, struct memory *m, const struct soc_line_uses *uses);
/* Gets what they hold between two cycles: the lines of the L2 in the order of their use,
 * then those of the L1s. */
void caches_get(const struct rtl *r, const struct memory *m, struct soc_line_uses *uses);

#endif
