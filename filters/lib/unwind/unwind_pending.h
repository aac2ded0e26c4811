/* SPDX-License-Identifier: Apache-2.0 */
/* A write of sp that is not settled yet: sp has another value than additions account for,
 * and it is open on which stack it is. */
#ifndef TR_UNWIND_PENDING_H
#define TR_UNWIND_PENDING_H

#include <stdbool.h>
#include <stdint.h>

enum { PENDING_VALUES = 3 };

/* Only unwind_pending.c and the functions below use the members. All 0 is valid: no
 * values, which were written when sp was 0. */
struct pending {
	uint64_t values[PENDING_VALUES]; /* written: the first and the last ones */
	uint64_t before;		 /* sp before the first such write */
	uint8_t count;
	bool floats; /* only the trap came between the interrupted sp and this write */
	bool has_branched; /* control has been transferred since */
	bool has_jumped;   /* to another function */
};

/* Begins a write when sp was `before`, without values so far. `floats`: sp has not
 * changed since the trap whose handler runs. */
void tr_pending_begin(struct pending *p, uint64_t before, bool floats);
/* Adds a value. Of more than PENDING_VALUES the first one and the last ones are kept. */
void tr_pending_add(struct pending *p, uint64_t value);
/* Returns value `i`, the newest first; after the oldest, `sp`. */
uint64_t tr_pending_value(const struct pending *p, unsigned i, uint64_t sp);

/* Returns the number of values that are kept. */
static inline unsigned pending_count(const struct pending *p)
{
	return p->count;
}
/* Returns sp before the write. */
static inline uint64_t pending_before(const struct pending *p)
{
	return p->before;
}
/* Sets it, and keeps the values. */
static inline void pending_set_before(struct pending *p, uint64_t sp)
{
	p->before = sp;
}
static inline bool pending_floats(const struct pending *p)
{
	return p->floats;
}
/* Only what tr_pending_begin() was told about the trap is replaced. */
static inline void pending_set_floats(struct pending *p, bool floats)
{
	p->floats = floats;
}
/* Control is transferred with the write pending; `leaves`: to another function. */
static inline void pending_transfer(struct pending *p, bool leaves)
{
	p->has_branched = true;
	p->has_jumped |= leaves;
}
/* Returns true if control has been transferred since the write. */
static inline bool pending_was_transferred(const struct pending *p)
{
	return p->has_branched;
}
/* Returns true if it was to another function. */
static inline bool pending_has_jumped(const struct pending *p)
{
	return p->has_jumped;
}

#endif
