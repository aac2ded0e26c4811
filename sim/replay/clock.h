/* SPDX-License-Identifier: Apache-2.0 */
/* Time and context of a hart at the beginning of a row of its view, and what it executed
 * before. The clock only moves forward; each function moves it to the row that it is
 * given, unless it says otherwise. Only clock.c uses what is in it, and it owns no
 * memory.
 */
#ifndef REPLAY_CLOCK_H
#define REPLAY_CLOCK_H

#include "carry.h"
#include "watch.h"

struct row_clock {
	uint32_t row, event; /* the next ones */
	uint64_t cycle;
	struct tr_context context;
	/* The instruction before the view; no bytes: a trap is, or it is not known. */
	struct before {
		uint64_t pc, insn;
		uint8_t bytes;
	} last;
};

/* Sets the clock to the beginning of a view, which may have grown. */
void clock_begin(struct row_clock *k, const struct carry *c);
/* The view will begin at this row: notes what is before it. */
void clock_cut(struct row_clock *k, const struct carry *c, uint32_t row);
/* Return the context there and the first event that the clock has not passed, without
 * moving it. */
struct tr_context clock_context(const struct row_clock *k);
uint32_t clock_event(const struct row_clock *k);

/* Returns the space at the row: tr_note_space(). */
uint32_t clock_space(struct row_clock *k, const struct carry *c, uint32_t row);
/* Returns the first token of the row from `from` on that commits in `cycle` or later, or
 * UINT16_MAX. */
unsigned clock_find_cycle(struct row_clock *k, const struct carry *c, uint32_t row,
			  unsigned from, uint64_t cycle);
/* Sets all of `reached` that time, context, code and events tell of a token, which is all
 * but its hart, its place in the trace, and its binary. Returns the address of the row.
 */
uint64_t clock_reach(struct row_clock *k, const struct carry *c, uint32_t row,
		     unsigned token, struct replay_reached *reached);

#endif
