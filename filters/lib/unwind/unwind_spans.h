/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by address. All functions but tr_spans_free() may call unwind_fail(). */
#ifndef TR_UNWIND_SPANS_H
#define TR_UNWIND_SPANS_H

#include "unwind/unwind_pairs.h"

struct spans;

/* What spans are counted with. */
struct span_parts {
	const struct tr_unwind_source *source;
	const struct tr_unwind_sink *sink;
	struct tr_names *names;
	struct tr_nodes *nodes;
	struct tr_leaves *leaves;
	struct unwind_status *status;
};

/* Keeps the parts, but not `options`. Returns NULL when out of memory. tr_spans_free()
 * accepts NULL. */
struct spans *tr_spans_new(const struct span_parts *parts,
			   const struct tr_unwind_options *options);
void tr_spans_free(struct spans *s);

/* Returns the spot of a classified pair's last instruction, TR_NO_SPOT if it has no
 * address. */
uint32_t tr_spans_last_spot(struct spans *s, const struct pair *p);
/* The pair becomes the last one of its block, of which there are `nblocks`. */
void tr_spans_use(struct spans *s, const struct pair *p, uint32_t nblocks);

/* Counts the nth function of a row, which runs on the stack of `node`. */
void tr_spans_count(struct spans *s, uint32_t node, const struct tr_row *row,
		    uint32_t nth);
/* Counts the branch, if it is one, from one pair to the next. */
void tr_spans_branch(struct spans *s, const struct pair *from, const struct pair *to);

/* Writes the counts, except those of stacks whose root is not known yet. */
void tr_spans_write(struct spans *s);
/* Writes the counts at the end of a frame if there are many. */
void tr_spans_end_frame(struct spans *s);

#endif
