/* SPDX-License-Identifier: Apache-2.0 */
/* Rows in order of time, and those that wait for a root. */
#include "unwind/unwind_queue.h"

#include <stdlib.h>
#include <string.h>

void tr_queue_init(struct row_queue *q, const struct tr_unwind_sink *sink,
		   struct tr_nodes *nodes, struct shells *shells,
		   struct unwind_status *status)
{
	*q = (struct row_queue){
	    .sink = sink, .nodes = nodes, .shells = shells, .status = status};
	tr_queue_watch(q);
}

void tr_queue_release(struct row_queue *q)
{
	free(q->rows);
	free(q->classes);
}

void tr_queue_watch(struct row_queue *q)
{
	q->is_watched = q->sink->where || (q->shells && tr_shells_wait(q->shells));
}

/* A row that is to be written. */
__attribute__((noinline)) static void watch_row(struct row_queue *q, uint32_t hart,
						const struct tr_srow *row,
						const struct tr_unwind_where *where,
						bool is_begin)
{
	if (!is_begin && q->shells)
		tr_shells_row(q->shells, nodes_thread(q->nodes, row->thread), row);
	if (q->sink->where)
		q->sink->where(q->sink->user, hart, where);
}

static inline void write_row(struct row_queue *q, uint32_t hart, struct tr_srow *row,
			     const struct tr_unwind_where *where,
			     const struct tr_class_cycles *classes, bool is_begin)
{
	if (__builtin_expect(q->is_watched, 0))
		watch_row(q, hart, row, where, is_begin);
	row->node = is_begin ? tr_nodes_write_root(q->nodes, row->node)
			     : nodes_written(q->nodes, row->node);
	row->thread = nodes_thread(q->nodes, row->thread);
	q->cycles += row->cycles;
	q->instructions += row->instructions;
	unwind_fail(q->status, q->sink->srow(q->sink->user, hart, row, classes));
}

static void write_context(struct row_queue *q, uint32_t hart,
			  const struct tr_scontext *context)
{
	struct tr_scontext out = *context;
	out.process = nodes_process(q->nodes, context->process);
	unwind_fail(q->status, q->sink->scontext(q->sink->user, hart, &out));
}

/* Reuses the memory of written rows. */
static void reuse_room(struct row_queue *q)
{
	uint32_t class = q->rows[q->next].first_class;
	q->count -= q->next;
	memmove(q->rows, &q->rows[q->next], q->count * sizeof(*q->rows));
	q->nclasses -= class;
	if (q->nclasses)
		memmove(q->classes, &q->classes[class],
			q->nclasses * sizeof(*q->classes));
	for (uint32_t i = 0; i < q->count; i++)
		q->rows[i].first_class -= class;
	q->next = 0;
}

static void hold_stack_row(struct row_queue *q, const struct queued_row *row,
			   const struct tr_class_cycles *classes)
{
	uint32_t nclasses = row->row.nclasses;
	if (q->count == q->capacity && q->next > q->count / 2)
		reuse_room(q);
	if (!tr_unwind_reserve(q->status, (void **)&q->rows, &q->capacity,
			       q->count + 1ULL, sizeof(*q->rows)) ||
	    !tr_unwind_reserve(q->status, (void **)&q->classes, &q->classes_capacity,
			       (uint64_t)q->nclasses + nclasses, sizeof(*classes)))
		return;
	if (nclasses)
		memcpy(&q->classes[q->nclasses], classes, nclasses * sizeof(*classes));
	q->rows[q->count] = *row;
	q->rows[q->count++].first_class = q->nclasses;
	q->nclasses += nclasses;
}

/* Writes the held rows up to the first one that still has to wait. */
static void write_queued_rows(struct row_queue *q)
{
	for (; q->next < q->count; q->next++) {
		struct queued_row *h = &q->rows[q->next];
		if (tr_nodes_is_open(q->nodes, h->context.process) ||
		    tr_nodes_is_open(q->nodes, h->row.thread))
			return;
		if (h->is_context)
			write_context(q, h->hart, &h->context);
		else
			write_row(q, h->hart, &h->row, &h->where,
				  q->classes ? q->classes + h->first_class : NULL,
				  h->is_begin);
	}
	q->next = q->count = q->nclasses = 0;
}

void tr_queue_row(struct row_queue *q, uint32_t hart, struct tr_srow *row,
		  const struct tr_unwind_where *where,
		  const struct tr_class_cycles *classes, bool is_begin)
{
	if (nodes_are_held(q->nodes))
		hold_stack_row(
		    q,
		    &(struct queued_row){
			.row = *row, .where = *where, .hart = hart, .is_begin = is_begin},
		    classes);
	else
		write_row(q, hart, row, where, classes, is_begin);
}

void tr_queue_context(struct row_queue *q, uint32_t hart,
		      const struct tr_scontext *context)
{
	if (nodes_are_held(q->nodes))
		hold_stack_row(q,
			       &(struct queued_row){
				   .context = *context, .hart = hart, .is_context = true},
			       NULL);
	else
		write_context(q, hart, context);
}

void tr_queue_resolve(struct row_queue *q, uint32_t hold, const struct hold *known)
{
	tr_nodes_release(q->nodes, hold, known);
	write_queued_rows(q);
}

uint32_t tr_queue_length(const struct row_queue *q)
{
	return q->count - q->next;
}

void tr_queue_add_totals(const struct row_queue *q, struct tr_unwind_totals *totals)
{
	totals->out_cycles += q->cycles;
	totals->out_instructions += q->instructions;
}
