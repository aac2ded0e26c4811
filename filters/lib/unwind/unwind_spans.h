/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by address, with options.addresses; else u->spans is NULL and nothing here is
 * called. All functions may call unwind_fail(). */
#ifndef TR_UNWIND_SPANS_H
#define TR_UNWIND_SPANS_H

#include "unwind/unwind_internal.h"

/* Returns false when out of memory. */
bool tr_spans_init(struct tr_unwind *u);
void tr_spans_free(struct tr_unwind *u);

/* Returns the spot of a classified pair's last instruction, TR_NO_SPOT if it has no
 * address. */
uint32_t tr_spans_last_spot(struct tr_unwind *u, const struct pair *p);
/* The pair becomes the last one of its block. */
void tr_spans_use(struct tr_unwind *u, const struct pair *p);

/* Counts the nth function of a row, which runs on the hart's stack. */
void tr_spans_count(struct tr_unwind *u, const struct hart *h, const struct tr_row *row,
		    uint32_t nth);
/* Counts the branch, if it is one, from one pair to the next. */
void tr_spans_branch(struct tr_unwind *u, const struct pair *from, const struct pair *to);

/* Writes the counts, except those of stacks whose root is not known yet. */
void tr_spans_write(struct tr_unwind *u);
/* Writes the counts at the end of a frame if there are many. */
void tr_spans_end_frame(struct tr_unwind *u);

#endif
