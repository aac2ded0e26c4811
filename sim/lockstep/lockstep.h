/* SPDX-License-Identifier: Apache-2.0 */
/* Compares every commit and trap of the core with the functional model, as they
 * happen, and stops at the first difference.
 *
 *	l = lockstep_new(model, &side);
 *	while (... the core commits c ...)
 *		if (!lockstep_commit(l, &c)) {
 *			lockstep_report(l, stderr);
 *			break;
 *		}
 *	lockstep_free(l);
 *
 * Legal freedom, and no more: interrupts that the model has enabled, in the order
 * of the specification; values of device loads, of time and cycle counters and of
 * the interrupt lines in mip; translations that page tables held since the last
 * sfence.vma that covers them; instruction bytes that memory held since the last
 * fence.i. The last two are known as far as a record of the last
 * LOCKSTEP_STORES stores goes back.
 */
#ifndef LOCKSTEP_H
#define LOCKSTEP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/model.h"
#include "rtl/commit.h"

struct lockstep;

enum { LOCKSTEP_STORES = 1 << 16, LOCKSTEP_LAST = 32 };

/* How to look into the core. csr: the CSR as the commit or trap that is being
 * handed to lockstep_commit() has left it, with no instruction after that in it;
 * false if the core cannot tell. mip has the interrupt lines. */
struct lockstep_side {
	void *user;
	bool (*csr)(void *user, unsigned csr, uint64_t *value);
};

/* `model` is at reset, loaded as the core is; it stays the caller's, who leaves it
 * alone until lockstep_free(). NULL: no memory. */
struct lockstep *lockstep_new(struct soc *model, const struct lockstep_side *core);
void lockstep_free(struct lockstep *l);

/* The next commit or trap, in order. False at the first difference, and ever after. */
bool lockstep_commit(struct lockstep *l, const struct rtl_commit *c);

/* What differs, both sides, the model's registers, and the last LOCKSTEP_LAST
 * commits, the one that differs last. Also without a difference. */
void lockstep_report(const struct lockstep *l, FILE *to);

#endif
