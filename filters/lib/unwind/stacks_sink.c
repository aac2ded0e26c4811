/* SPDX-License-Identifier: Apache-2.0 */
#include "unwind/stacks_sink.h"

#include <stdlib.h>

#include "stream/kernel_tasks.h"
#include "unwind/task_names.h"

struct tr_stacks_sink {
	struct tr_writer *writer;
	struct tr_task_names *tasks; /* NULL: no probe tells of any */
	struct sink_hart {
		uint32_t hart;
		uint32_t process;		  /* of the rows that come */
		const struct tr_hart_frame *part; /* of the frame */
		uint32_t event;			  /* the first that was not copied */
	} harts[TR_MAX_HARTS];			  /* seen so far */
	uint32_t nharts;
	struct tr_unwind_where where; /* of the next row */
	struct tr_buffer mark;
};

struct tr_stacks_sink *tr_stacks_sink_new(const struct tr_probe_names *probes,
					  struct tr_writer *writer)
{
	struct tr_stacks_sink *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->writer = writer;
	if (!tr_kernel_tasks_possible(probes))
		return s;
	s->tasks = tr_task_names_new(probes, writer);
	if (s->tasks)
		return s;
	free(s);
	return NULL;
}

void tr_stacks_sink_free(struct tr_stacks_sink *s)
{
	if (!s)
		return;
	tr_task_names_free(s->tasks);
	tr_buffer_free(&s->mark);
	free(s);
}

/* ------------------------------------------------------------ callbacks */

static int writer_put_scope(void *user, const struct tr_scope *scope)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_scope(s->writer, scope);
}

static int writer_put_span(void *user, const struct tr_span *span,
			   const struct tr_spot *spots)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_span(s->writer, span, spots);
}

static int writer_put_site(void *user, uint32_t spot)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_site(s->writer, spot);
}

static int writer_put_count(void *user, const struct tr_span_count *count,
			    const struct tr_span_stall *stalls)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_count(s->writer, count, stalls);
}

static int writer_put_branch(void *user, const struct tr_branch *branch)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_branch(s->writer, branch);
}

static int writer_put_func(void *user, const struct tr_func *func)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_func(s->writer, func);
}

static int writer_put_node(void *user, const struct tr_node *node)
{
	const struct tr_stacks_sink *s = user;
	return tr_writer_node(s->writer, node);
}

static int writer_put_thread(void *user, const struct tr_thread *thread)
{
	const struct tr_stacks_sink *s = user;
	return s->tasks ? tr_task_names_thread(s->tasks, thread)
			: tr_writer_thread(s->writer, thread);
}

static int writer_put_thread_name(void *user, const struct tr_sname *name)
{
	const struct tr_stacks_sink *s = user;
	return s->tasks ? tr_task_names_rename(s->tasks, name)
			: tr_writer_thread_name(s->writer, name);
}

static int writer_put_thread_tp(void *user, uint32_t thread, uint64_t tp)
{
	const struct tr_stacks_sink *s = user;
	const struct tr_stp found = {thread, tp};
	return s->tasks ? tr_task_names_tp(s->tasks, &found)
			: tr_writer_thread_tp(s->writer, &found);
}

/* Returns a hart, and sets *is_new if it was not seen before. */
static struct sink_hart *find_sink_hart(struct tr_stacks_sink *s, uint32_t hart,
					bool *is_new)
{
	uint32_t i = 0;
	while (i < s->nharts && s->harts[i].hart != hart)
		i++;
	*is_new = i == s->nharts;
	if (*is_new)
		s->harts[s->nharts++].hart = hart;
	return &s->harts[i];
}

static int writer_put_context(void *user, uint32_t hart,
			      const struct tr_scontext *context)
{
	struct tr_stacks_sink *s = user;
	bool is_new;
	find_sink_hart(s, hart, &is_new)->process = context->process;
	return tr_writer_scontext(s->writer, hart, context);
}

static void take_where(void *user, uint32_t hart, const struct tr_unwind_where *where)
{
	struct tr_stacks_sink *s = user;
	(void)hart;
	s->where = *where;
}

static int writer_put_srow(void *user, uint32_t hart, const struct tr_srow *row,
			   const struct tr_class_cycles *classes)
{
	struct tr_stacks_sink *s = user;
	return tr_writer_srow(s->writer, hart, row, classes);
}

/* The same, on the thread of the task that a probe has named. */
static int writer_put_task_srow(void *user, uint32_t hart, const struct tr_srow *row,
				const struct tr_class_cycles *classes)
{
	struct tr_stacks_sink *s = user;
	struct tr_srow named = *row;
	bool is_new;
	const struct sink_hart *of = find_sink_hart(s, hart, &is_new);
	int status = tr_task_names_row(s->tasks, hart, of->process, &s->where, &named);
	return status ? status : tr_writer_srow(s->writer, hart, &named, classes);
}

/* Copies an event whose cycles place it among the stacks. */
static int copy_stacks_event(struct tr_stacks_sink *s, uint32_t hart,
			     const struct tr_event *event)
{
	if (event->kind == TR_EV_COUNTERS)
		return tr_writer_sample(s->writer, hart, &event->u.counters);
	if (event->kind == TR_EV_PROBE)
		return tr_writer_hit(s->writer, hart, &event->u.probe);
	return TR_OK;
}

/* Copies the events of a hart's frame up to the first hit after `cycle`. */
static int copy_events_until(struct tr_stacks_sink *s, struct sink_hart *of,
			     uint64_t cycle)
{
	int status = TR_OK;
	for (; of->part && of->event < of->part->nevents && !status; of->event++) {
		const struct tr_event *event = &of->part->events[of->event];
		if (event->kind == TR_EV_PROBE && event->u.probe.cycle > cycle)
			return TR_OK;
		status = copy_stacks_event(s, of->hart, event);
	}
	return status;
}

/* Writes a mark at once, so that the frame of stacks does not end before it. */
static int writer_put_mark(void *user, const struct tr_unwind_mark *mark)
{
	struct tr_stacks_sink *s = user;
	char text[TR_MARK_NAME];
	bool is_new;
	struct sink_hart *of = find_sink_hart(s, mark->hart, &is_new);
	int status = copy_events_until(s, of, mark->cycle);
	s->mark.size = 0;
	tr_mark_encode(&s->mark, &mark->mark,
		       mark->name ? mark->name : tr_mark_default_name(&mark->mark, text));
	if (status || s->mark.failed)
		return status ? status : TR_E_NOMEM;
	return tr_writer_hit(s->writer, mark->hart,
			     &(struct tr_hit){.cycle = mark->cycle,
					      .probe = TR_PROBE_MARK,
					      .count = TR_MARK_FIELDS,
					      .values = s->mark.data,
					      .size = (uint32_t)s->mark.size});
}

struct tr_unwind_sink tr_stacks_sink_calls(struct tr_stacks_sink *s)
{
	return (struct tr_unwind_sink){.user = s,
				       .put_scope = writer_put_scope,
				       .put_span = writer_put_span,
				       .site = writer_put_site,
				       .count = writer_put_count,
				       .branch = writer_put_branch,
				       .func = writer_put_func,
				       .node = writer_put_node,
				       .thread = writer_put_thread,
				       .thread_name = writer_put_thread_name,
				       .thread_tp = writer_put_thread_tp,
				       .mark = writer_put_mark,
				       .scontext = writer_put_context,
				       .srow = s->tasks ? writer_put_task_srow
							: writer_put_srow,
				       .where = s->tasks ? take_where : NULL};
}

/* ------------------------------------------------------------ frames */

int tr_stacks_sink_begin(struct tr_stacks_sink *s, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		const struct tr_hart_frame *hart = &frame->harts[i];
		bool is_new;
		struct sink_hart *of = find_sink_hart(s, hart->hart, &is_new);
		of->part = hart;
		of->event = 0;
		int status = is_new ? tr_writer_stacks_begin(s->writer, hart->hart,
							     hart->start_cycle)
				    : TR_OK;
		if (status)
			return status;
	}
	return s->tasks ? tr_task_names_frame(s->tasks, frame) : TR_OK;
}

int tr_stacks_sink_end(struct tr_stacks_sink *s, const struct tr_frame *frame)
{
	for (uint32_t i = 0; i < frame->nharts; i++) {
		bool is_new;
		struct sink_hart *of = find_sink_hart(s, frame->harts[i].hart, &is_new);
		int status = copy_events_until(s, of, UINT64_MAX);
		of->part = NULL;
		if (status)
			return status;
	}
	return tr_writer_stacks_flush(s->writer);
}
