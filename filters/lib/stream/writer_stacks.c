/* SPDX-License-Identifier: Apache-2.0 */
/* Writes stacks: definitions and time-ordered rows. */
#include <string.h>

#include "stream/writer_state.h"

/* A frame ends when it may come near the limit of a chunk, if each of its parts, which
 * are the rows of a hart or definitions, is as large as the largest one. */
enum { FRAME_BYTES = TR_CHUNK_MAX / 4 * 3, DEFINITIONS = 8 };

void tr_writer_put_string(struct tr_buffer *out, const char *text)
{
	tr_buffer_sized(out, text, strlen(text));
}

/* Samples and hits may be of rows that follow, which belong into their frame. */
static bool may_end_frame(const struct writer_stacks *s)
{
	for (uint32_t i = 0; i < s->nharts; i++)
		if (s->harts[i].nsamples || s->harts[i].nhits)
			return false;
	return true;
}

int tr_writer_full(struct tr_writer *w, const struct tr_buffer *buffer)
{
	w->stacks.full_at = FRAME_BYTES / (w->stacks.nharts + DEFINITIONS);
	if (buffer->failed)
		return tr_writer_status(w, TR_E_NOMEM);
	if (buffer->size > w->stacks.full_at && may_end_frame(&w->stacks))
		return tr_writer_stacks_flush(w);
	return w->status;
}

int tr_writer_func(struct tr_writer *w, const struct tr_func *func)
{
	struct tr_buffer *out = &w->stacks.funcs;
	if (!tr_name_good(func->name) || !tr_name_good(func->binary))
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, func->kind);
	tr_buffer_varint(out, func->address);
	tr_writer_put_string(out, func->name);
	tr_writer_put_string(out, func->binary);
	if (w->index.is_on)
		tr_writer_sums_func(w, func);
	return tr_writer_defined(w, out);
}

int tr_writer_node(struct tr_writer *w, const struct tr_node *node)
{
	struct tr_buffer *out = &w->stacks.nodes;
	tr_buffer_varint(out, node->parent);
	tr_buffer_varint(out, node->func);
	w->stacks.nnodes++;
	if (w->index.is_on)
		tr_writer_sums_node(w, w->stacks.nnodes, node);
	return tr_writer_defined(w, out);
}

int tr_writer_thread(struct tr_writer *w, const struct tr_thread *thread)
{
	struct tr_buffer *out = &w->stacks.threads;
	if (!tr_name_good(thread->name))
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, thread->tp);
	tr_buffer_varint(out, thread->satp);
	tr_writer_put_string(out, thread->name);
	w->stacks.nthreads++;
	return tr_writer_defined(w, out);
}

int tr_writer_task(struct tr_writer *w, const struct tr_stask *task)
{
	struct tr_buffer *out = &w->stacks.tasks;
	if (!tr_name_good(task->name) || task->number > w->stacks.ntasks ||
	    (task->pid == TR_TASK_NO_PID) != (task->tgid == TR_TASK_NO_PID))
		return tr_writer_status(w, TR_E_ARGUMENT);
	w->stacks.ntasks += task->number == w->stacks.ntasks;
	tr_buffer_varint(out, task->number);
	tr_buffer_varint(out, task->pid);
	tr_buffer_varint(out, task->tgid);
	tr_writer_put_string(out, task->name);
	return tr_writer_defined(w, out);
}

int tr_writer_thread_name(struct tr_writer *w, const struct tr_sname *name)
{
	struct tr_buffer *out = &w->stacks.names;
	if (!tr_name_good(name->name) || name->thread >= w->stacks.nthreads)
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, name->thread);
	tr_writer_put_string(out, name->name);
	return tr_writer_defined(w, out);
}

int tr_writer_thread_tp(struct tr_writer *w, const struct tr_stp *tp)
{
	struct tr_buffer *out = &w->stacks.tps;
	if (tp->thread >= w->stacks.nthreads)
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, tp->thread);
	tr_buffer_varint(out, tp->tp);
	return tr_writer_defined(w, out);
}

int tr_writer_task_use(struct tr_writer *w, const struct tr_stask_use *use)
{
	struct tr_buffer *out = &w->stacks.uses;
	if (use->task >= w->stacks.ntasks ||
	    (!use->is_process && use->id >= w->stacks.nthreads))
		return tr_writer_status(w, TR_E_ARGUMENT);
	tr_buffer_varint(out, (uint64_t)use->id << 1 | use->is_process);
	tr_buffer_varint(out, use->task);
	return tr_writer_defined(w, out);
}

static uint32_t find_stacks_hart(struct writer_stacks *s, uint32_t hart)
{
	uint32_t i = 0;
	while (i < s->nharts && s->harts[i].hart != hart)
		i++;
	if (i == s->nharts && i < TR_MAX_HARTS) {
		s->harts[s->nharts++].hart = hart;
		s->full_at = 0; /* computed by the next look at it */
	}
	return i;
}

int tr_writer_stacks_begin(struct tr_writer *w, uint32_t number, uint64_t cycle)
{
	uint32_t i = find_stacks_hart(&w->stacks, number);
	if (i == TR_MAX_HARTS || w->stacks.harts[i].count || w->stacks.harts[i].cycle)
		return tr_writer_status(w, TR_E_ARGUMENT);
	w->stacks.harts[i].start_cycle = w->stacks.harts[i].cycle = cycle;
	return w->status;
}

/* Ends the run of rows in the current context. */
static void end_run(struct writer_stacks *s, uint32_t i)
{
	const struct tr_scontext *context = &s->harts[i].context;
	if (!s->harts[i].has_context || context->first_row == s->harts[i].count)
		return;
	tr_buffer_varint(&s->harts[i].contexts, s->harts[i].count - context->first_row);
	tr_buffer_varint(&s->harts[i].contexts,
			 (uint64_t)context->triggers << SCONTEXT_TRIGGERS |
			     (uint64_t)context->process << SCONTEXT_PROCESS |
			     context->priv);
	s->harts[i].nruns++;
	s->harts[i].context.triggers = 0;
}

int tr_writer_scontext(struct tr_writer *w, uint32_t number,
		       const struct tr_scontext *context)
{
	uint32_t i = find_stacks_hart(&w->stacks, number);
	if (i == TR_MAX_HARTS || context->priv >> SCONTEXT_PROCESS ||
	    context->triggers >> (SCONTEXT_BITS - SCONTEXT_TRIGGERS) ||
	    (!w->stacks.harts[i].has_context && w->stacks.harts[i].count))
		return tr_writer_status(w, TR_E_ARGUMENT);
	end_run(&w->stacks, i);
	/* Triggers of a context without rows carry over to the next one. */
	uint8_t triggers = w->stacks.harts[i].context.triggers | context->triggers;
	w->stacks.harts[i].context = *context;
	w->stacks.harts[i].context.triggers = triggers;
	w->stacks.harts[i].context.first_row = w->stacks.harts[i].count;
	w->stacks.harts[i].has_context = true;
	return tr_writer_defined(w, &w->stacks.harts[i].contexts);
}

int tr_writer_sample(struct tr_writer *w, uint32_t number, const struct tr_sample *sample)
{
	uint32_t i = find_stacks_hart(&w->stacks, number);
	if (i == TR_MAX_HARTS || !tr_sample_good(sample, &w->counters))
		return tr_writer_status(w, TR_E_ARGUMENT);
	uint64_t before = w->stacks.harts[i].sample_cycle;
	if (!tr_writer_sample_at(w, &w->stacks.harts[i].sample_cycle, sample->cycle))
		return w->status;
	tr_buffer_varint(&w->stacks.harts[i].samples, sample->cycle - before);
	tr_encode_sample(&w->stacks.harts[i].samples, sample, &w->counters,
			 &w->stacks.harts[i].last);
	w->stacks.harts[i].nsamples++;
	return tr_writer_defined(w, &w->stacks.harts[i].samples);
}

int tr_writer_hit(struct tr_writer *w, uint32_t number, const struct tr_hit *hit)
{
	uint32_t i = find_stacks_hart(&w->stacks, number);
	if (i == TR_MAX_HARTS || !tr_hit_good(hit, &w->probes))
		return tr_writer_status(w, TR_E_ARGUMENT);
	struct writer_shart *hart = &w->stacks.harts[i];
	uint64_t before = hart->hit_cycle;
	if (!tr_writer_sample_at(w, &hart->hit_cycle, hit->cycle))
		return w->status;
	tr_buffer_varint(&hart->hits, hit->cycle - before);
	tr_encode_sized_hit(&hart->hits, hit);
	hart->nhits++;
	return tr_writer_defined(w, &hart->hits);
}

/* Writes the contexts of all harts as one section, which readers may skip. */
static void put_contexts(struct tr_writer *w)
{
	struct writer_stacks *s = &w->stacks;
	struct tr_buffer *all = &s->contexts;
	bool any = false;
	all->size = 0;
	for (uint32_t i = 0; i < s->nharts; i++) {
		end_run(s, i);
		any = any || s->harts[i].nruns;
		if (s->harts[i].count)
			tr_buffer_varint(all, s->harts[i].nruns);
		tr_buffer_add(all, s->harts[i].contexts.data, s->harts[i].contexts.size);
		all->failed = all->failed || s->harts[i].contexts.failed;
		s->harts[i].contexts.size = 0;
		s->harts[i].nruns = s->harts[i].context.first_row = 0;
	}
	if (any)
		tr_encode_section(&w->chunk, TR_SECTION_SCONTEXTS, all);
}

/* Writes the samples of all harts as one section, which readers may skip. */
static void put_stack_samples(struct tr_writer *w)
{
	struct writer_stacks *s = &w->stacks;
	struct tr_buffer *all = &s->all_samples;
	bool any = false;
	all->size = 0;
	for (uint32_t i = 0; i < s->nharts; i++) {
		struct tr_buffer *samples = &s->harts[i].samples;
		any = any || s->harts[i].nsamples;
		tr_buffer_varint(all, s->harts[i].nsamples);
		tr_buffer_add(all, samples->data, samples->size);
		samples->size = 0;
		s->harts[i].nsamples = 0;
	}
	if (any)
		tr_encode_section(&w->chunk, TR_SECTION_SSAMPLES, all);
}

/* Writes the hits of all harts as one section, which readers may skip. */
static void put_stack_hits(struct tr_writer *w)
{
	struct writer_stacks *s = &w->stacks;
	struct tr_buffer *all = &s->all_hits;
	bool any = false;
	all->size = 0;
	for (uint32_t i = 0; i < s->nharts; i++) {
		struct tr_buffer *hits = &s->harts[i].hits;
		any = any || s->harts[i].nhits;
		tr_buffer_varint(all, s->harts[i].nhits);
		tr_buffer_add(all, hits->data, hits->size);
		hits->size = 0;
		s->harts[i].nhits = 0;
	}
	if (any)
		tr_encode_section(&w->chunk, TR_SECTION_SPROBES, all);
}

int tr_writer_srow(struct tr_writer *w, uint32_t number, const struct tr_srow *row,
		   const struct tr_class_cycles *classes)
{
	uint32_t i = find_stacks_hart(&w->stacks, number);
	if (i == TR_MAX_HARTS)
		return tr_writer_status(w, TR_E_ARGUMENT);
	struct writer_shart *hart = &w->stacks.harts[i];
	struct tr_buffer *out = &hart->rows;
	uint8_t *p = tr_buffer_room(out, (5 + 2 * (size_t)row->nclasses) * TR_VARINT_MAX);
	if (!p)
		return tr_writer_status(w, TR_E_NOMEM);
	bool thread = hart->count == 0 || hart->thread != row->thread;
	p = tr_varint_put(p, (uint64_t)row->node << 3 | (thread ? SROW_THREAD : 0) |
				 (row->fresh ? SROW_FRESH : 0) |
				 (row->nclasses ? SROW_CLASSES : 0));
	if (thread)
		p = tr_varint_put(p, row->thread);
	p = tr_varint_put(p, row->cycles);
	p = tr_varint_put(p, row->instructions);
	if (row->nclasses)
		p = tr_varint_put(p, row->nclasses);
	for (unsigned c = 0; c < row->nclasses; c++) {
		p = tr_varint_put(p, classes[c].class);
		p = tr_varint_put(p, classes[c].cycles);
	}
	out->size = (size_t)(p - out->data);
	if (w->index.is_on) {
		tr_writer_index_row(w, hart, row);
		tr_writer_sums_row(w, i, row, classes);
	}
	hart->thread = row->thread;
	hart->cycle += row->cycles;
	hart->count++;
	w->cycles += row->cycles;
	w->instructions += row->instructions;
	return tr_writer_defined(w, out);
}

int tr_writer_stacks_flush(struct tr_writer *w)
{
	struct writer_stacks *s = &w->stacks;
	if (!s->pending || w->status)
		return w->status;
	tr_writer_index_frame(w);
	tr_writer_begin_chunk(w);
	tr_buffer_varint(&w->chunk, w->frames++);
	tr_buffer_varint(&w->chunk, s->nharts);
	for (uint32_t i = 0; i < s->nharts; i++) {
		tr_buffer_varint(&w->chunk, s->harts[i].hart);
		tr_buffer_varint(&w->chunk, s->harts[i].start_cycle);
		tr_buffer_varint(&w->chunk, s->harts[i].count);
	}
	tr_encode_section(&w->chunk, TR_SECTION_FUNCS, &s->funcs);
	tr_encode_section(&w->chunk, TR_SECTION_NODES, &s->nodes);
	tr_encode_section(&w->chunk, TR_SECTION_THREADS, &s->threads);
	tr_encode_section(&w->chunk, TR_SECTION_STASKS, &s->tasks);
	tr_encode_section(&w->chunk, TR_SECTION_STASKUSES, &s->uses);
	tr_encode_section(&w->chunk, TR_SECTION_SNAMES, &s->names);
	tr_encode_section(&w->chunk, TR_SECTION_STPS, &s->tps);
	put_contexts(w);
	put_stack_samples(w);
	put_stack_hits(w);
	for (uint32_t i = 0; i < s->nharts; i++) {
		tr_encode_section(&w->chunk, TR_SECTION_SROWS, &s->harts[i].rows);
		s->harts[i].rows.size = 0;
		s->harts[i].count = 0;
		s->harts[i].start_cycle = s->harts[i].cycle;
	}
	tr_writer_put_spans(w);
	s->funcs.size = s->nodes.size = s->threads.size = 0;
	s->tasks.size = s->uses.size = s->names.size = s->tps.size = 0;
	s->pending = false;
	tr_writer_put_chunk(w, TR_CHUNK_STACKS);
	tr_writer_sums_frame(w);
	return w->status;
}
