/* SPDX-License-Identifier: Apache-2.0 */
/* Output of rows and contexts in order of time: they are emitted at once, or wait while a
 * hold is open (unwind_nodes.h). Functions that may fail call unwind_fail(). */
#ifndef TR_UNWIND_QUEUE_H
#define TR_UNWIND_QUEUE_H

#include "unwind/unwind_nodes.h"
#include "unwind/unwind_shells.h"

enum { QUEUE_LONG = 1 << 18 }; /* more should not wait */

/* A row or a context that waits. Only unwind_queue.c, and the functions below that are
 * called for each row, use the members. */
struct queued_row {
	struct tr_srow row;
	struct tr_unwind_where where;
	struct tr_scontext context;
	uint32_t hart, first_class;
	bool is_context, is_begin;
};
struct row_queue {
	const struct tr_unwind_sink *sink;
	struct tr_nodes *nodes;
	struct shells *shells;
	struct unwind_status *status;
	struct queued_row *rows; /* from `next` on */
	struct tr_class_cycles *classes;
	uint32_t count, capacity, next, nclasses, classes_capacity;
	uint64_t cycles, instructions; /* emitted */
	bool is_watched;
};

/* Keeps the pointers; `shells` may be NULL. */
void tr_queue_init(struct row_queue *q, const struct tr_unwind_sink *sink,
		   struct tr_nodes *nodes, struct shells *shells,
		   struct unwind_status *status);
void tr_queue_release(struct row_queue *q);

/* Finds out again whether rows are watched: for sink.where, or by shells. */
void tr_queue_watch(struct row_queue *q);
/* Returns true if `where` of tr_queue_row() is used. */
static inline bool queue_is_watched(const struct row_queue *q)
{
	return q->is_watched;
}

/* Emits a row of a hart, which this call may change, or holds it. `classes` are
 * row->nclasses. A row that begins a stack is at the root of its node. */
void tr_queue_row(struct row_queue *q, uint32_t hart, struct tr_srow *row,
		  const struct tr_unwind_where *where,
		  const struct tr_class_cycles *classes, bool is_begin);
/* The same, for a row that begins no stack; fast if it neither waits nor is watched. */
static inline void queue_row(struct row_queue *q, uint32_t hart, struct tr_srow *row,
			     const struct tr_unwind_where *where,
			     const struct tr_class_cycles *classes)
{
	if (__builtin_expect(nodes_are_held(q->nodes) || q->is_watched, 0)) {
		tr_queue_row(q, hart, row, where, classes, false);
		return;
	}
	row->node = nodes_written(q->nodes, row->node);
	row->thread = nodes_thread(q->nodes, row->thread);
	q->cycles += row->cycles;
	q->instructions += row->instructions;
	unwind_fail(q->status, q->sink->srow(q->sink->user, hart, row, classes));
}
/* Emits the context of a hart's following rows, or holds it. */
void tr_queue_context(struct row_queue *q, uint32_t hart,
		      const struct tr_scontext *context);
/* Resolves a hold and emits what waited for it. */
void tr_queue_resolve(struct row_queue *q, uint32_t hold, const struct hold *known);
/* Returns how many rows and contexts wait. */
uint32_t tr_queue_length(const struct row_queue *q);

/* Adds what was emitted. */
void tr_queue_add_totals(const struct row_queue *q, struct tr_unwind_totals *totals);

#endif
