/* SPDX-License-Identifier: Apache-2.0 */
/* A write of sp that is not settled yet. */
#include "unwind/unwind_pending.h"

void tr_pending_begin(struct pending *p, uint64_t before, bool floats)
{
	*p = (struct pending){.before = before, .floats = floats};
}

void tr_pending_add(struct pending *p, uint64_t value)
{
	if (p->count == PENDING_VALUES) {
		for (unsigned i = 1; i + 1 < PENDING_VALUES; i++)
			p->values[i] = p->values[i + 1];
		p->count--;
	}
	p->values[p->count++] = value;
}

uint64_t tr_pending_value(const struct pending *p, unsigned i, uint64_t sp)
{
	return i < p->count ? p->values[p->count - 1U - i] : sp;
}
