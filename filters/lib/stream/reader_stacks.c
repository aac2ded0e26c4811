/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes and verifies frames of stacks. */
#include <string.h>

#include "stream/reader_state.h"

/* Limits that bound the memory a hostile stream can use. */
enum {
	MAX_NAME = 1 << 16,
	MAX_NAMES = 256 << 20, /* bytes of all names together */
	MAX_FUNCS = 4 << 20,
	MAX_NODES = 16 << 20,
	MAX_THREADS = 4 << 20,
	MAX_SROWS = 8 << 20, /* in a frame */
};

static int report_bad_stacks(struct tr_reader *r, const char *reason)
{
	return tr_reader_fail(r, TR_E_CORRUPT, reason);
}

static int fail_stacks_memory(struct tr_reader *r)
{
	return tr_reader_fail(r, TR_E_NOMEM, "out of memory");
}

/* Reads a string, which lives as long as the arena. Returns NULL if it is damaged. */
static const char *take_name_string(struct tr_bytes *in, struct tr_arena *arena)
{
	uint64_t size = tr_varint_below(in, MAX_NAME);
	const uint8_t *text = tr_bytes_take(in, size);
	if (in->bad || memchr(text, 0, size) || arena->total > MAX_NAMES)
		return NULL;
	char *copy = tr_arena_take(arena, size + 1);
	if (!copy)
		return NULL;
	memcpy(copy, text, size);
	copy[size] = '\0';
	return tr_name_good(copy) ? copy : NULL;
}

const char *tr_reader_string(struct tr_reader *r, struct tr_bytes *in)
{
	return take_name_string(in, &r->stacks.names);
}

static int take_funcs(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		struct tr_func func;
		func.kind = (uint8_t)tr_varint_below(in, TR_FRAME_LINE + 1);
		func.address = tr_varint(in);
		func.name = tr_reader_string(r, in);
		func.binary = func.name ? tr_reader_string(r, in) : NULL;
		if (!func.binary || in->bad || s->nfuncs == MAX_FUNCS)
			return report_bad_stacks(r, "damaged function definition");
		if (!tr_grow(&s->funcs, &s->func_room, s->nfuncs + 1, sizeof(*s->funcs)))
			return fail_stacks_memory(r);
		s->funcs[s->nfuncs++] = func;
	}
	return TR_OK;
}

static int take_stack_nodes(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		struct tr_node node;
		node.parent = (uint32_t)tr_varint_below(in, s->nnodes);
		node.func = (uint32_t)tr_varint_below(in, s->nfuncs);
		if (in->bad || s->nnodes == MAX_NODES)
			return report_bad_stacks(r, "damaged node definition");
		if (!tr_grow(&s->nodes, &s->node_room, s->nnodes + 1, sizeof(*s->nodes)))
			return fail_stacks_memory(r);
		s->nodes[s->nnodes++] = node;
	}
	return TR_OK;
}

static int take_threads(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		struct tr_thread thread;
		thread.tp = tr_varint(in);
		thread.satp = tr_varint(in);
		thread.name = tr_reader_string(r, in);
		if (!thread.name || in->bad || s->nthreads == MAX_THREADS)
			return report_bad_stacks(r, "damaged thread definition");
		if (!tr_grow(&s->threads, &s->thread_room, s->nthreads + 1,
			     sizeof(*s->threads)))
			return fail_stacks_memory(r);
		s->threads[s->nthreads++] = thread;
	}
	return TR_OK;
}

/* A target may rename its tasks for ever, so that names are those of this frame. */
static int take_tasks(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		struct tr_stask task;
		task.number = (uint32_t)tr_varint_below(in, s->ntasks + 1ULL);
		task.pid = (uint32_t)tr_varint_below(in, UINT32_MAX + 1ULL);
		task.tgid = (uint32_t)tr_varint_below(in, UINT32_MAX + 1ULL);
		task.name = take_name_string(in, &r->runs);
		if (!task.name || in->bad || task.number == MAX_THREADS ||
		    (task.pid == TR_TASK_NO_PID) != (task.tgid == TR_TASK_NO_PID))
			return report_bad_stacks(r, "damaged task definition");
		if (!tr_grow(&s->tasks, &s->task_room, s->frame.ntasks + 1UL,
			     sizeof(*s->tasks)))
			return fail_stacks_memory(r);
		s->ntasks += task.number == s->ntasks;
		s->tasks[s->frame.ntasks++] = task;
	}
	s->frame.tasks = s->tasks;
	return TR_OK;
}

static int take_uses(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		uint64_t id = tr_varint_below(in, UINT64_C(1) << 33);
		struct tr_stask_use use = {.id = (uint32_t)(id >> 1),
					   .is_process = id & 1};
		use.task = (uint32_t)tr_varint_below(in, s->ntasks);
		if (in->bad || (!use.is_process && use.id >= s->nthreads))
			return report_bad_stacks(r, "damaged use of a task");
		if (!tr_grow(&s->uses, &s->use_room, s->frame.nuses + 1UL,
			     sizeof(*s->uses)))
			return fail_stacks_memory(r);
		s->uses[s->frame.nuses++] = use;
	}
	s->frame.uses = s->uses;
	return TR_OK;
}

static int take_names(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		struct tr_sname name = {.thread =
					    (uint32_t)tr_varint_below(in, s->nthreads)};
		name.name = take_name_string(in, &r->runs);
		if (!name.name || in->bad)
			return report_bad_stacks(r, "damaged name of a thread");
		if (!tr_grow(&s->renames, &s->name_room, s->frame.nnames + 1UL,
			     sizeof(*s->renames)))
			return fail_stacks_memory(r);
		s->renames[s->frame.nnames++] = name;
	}
	s->frame.names = s->renames;
	return TR_OK;
}

/* Changes the definitions of threads. */
static int take_thread_tps(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	while (in->at != in->end) {
		struct tr_stp tp = {.thread = (uint32_t)tr_varint_below(in, s->nthreads)};
		tp.tp = tr_varint(in);
		if (in->bad)
			return report_bad_stacks(r, "damaged tp of a thread");
		if (!tr_grow(&s->tps, &s->tp_room, s->frame.ntps + 1UL, sizeof(*s->tps)))
			return fail_stacks_memory(r);
		s->threads[tp.thread].tp = tp.tp;
		s->tps[s->frame.ntps++] = tp;
	}
	s->frame.tps = s->tps;
	return TR_OK;
}

int tr_reader_take_classes(struct tr_reader *r, struct tr_bytes *in, uint32_t h,
			   struct tr_srow *row, size_t *used, uint64_t left)
{
	struct reader_stacks *s = &r->stacks;
	row->nclasses = (uint8_t)tr_varint_below(in, TR_MAX_CLASSES + 1);
	row->first_class = (uint32_t)*used;
	if (!tr_grow(&s->classes[h], &s->class_room[h], *used + row->nclasses + 1,
		     sizeof(*s->classes[h])))
		return fail_stacks_memory(r);
	for (unsigned c = 0; c < row->nclasses; c++) {
		struct tr_class_cycles *part = &s->classes[h][(*used)++];
		part->class = (uint8_t)tr_varint_below(in, TR_MAX_CLASSES);
		part->cycles = tr_varint_below(in, left + 1);
		left -= part->cycles;
	}
	return TR_OK;
}

static int take_stack_row(struct tr_reader *r, struct tr_bytes *in, uint32_t h,
			  uint32_t i, size_t *classes)
{
	struct reader_stacks *s = &r->stacks;
	struct tr_srow *row = &s->rows[h][i];
	uint64_t code = tr_varint_below(in, (uint64_t)s->nnodes << 3);
	uint32_t thread = i ? row[-1].thread : 0;
	if (i == 0 && !(code & SROW_THREAD))
		return report_bad_stacks(r, "a stack row without a thread");
	if (code & SROW_THREAD)
		thread = (uint32_t)tr_varint_below(in, s->nthreads);
	*row = (struct tr_srow){
	    .node = (uint32_t)(code >> 3), .thread = thread, .fresh = code & SROW_FRESH};
	row->cycles = tr_varint_below(in, INT64_MAX);
	row->instructions = tr_varint_below(in, INT64_MAX);
	if (code & SROW_CLASSES &&
	    tr_reader_take_classes(r, in, h, row, classes,
				   r->commit_width == 1
				       ? row->cycles
				       : tr_srow_lost_limit(row, r->commit_width)))
		return r->status;
	return in->bad ? report_bad_stacks(r, "damaged stack row") : TR_OK;
}

static int take_srows(struct tr_reader *r, struct tr_bytes *in, uint32_t h)
{
	struct reader_stacks *s = &r->stacks;
	struct tr_bytes bytes = *in;
	uint64_t cycle = s->cycle[h], tokens = 0;
	size_t classes = 0;
	for (uint32_t i = 0; i < s->harts[h].nrows; i++) {
		int status = take_stack_row(r, &bytes, h, i, &classes);
		if (status)
			return status;
		cycle += s->rows[h][i].cycles;
		tokens += s->rows[h][i].instructions;
		if (cycle > INT64_MAX)
			return report_bad_stacks(r, "more cycles than possible");
	}
	if (s->is_summary && (cycle != s->cycle[h] || tokens))
		return report_bad_stacks(r, "cycles in an index");
	r->totals.cycles += cycle - s->cycle[h];
	r->totals.tokens += tokens;
	s->cycle[h] = cycle;
	s->harts[h].classes = s->classes[h];
	return bytes.at == bytes.end ? TR_OK
				     : report_bad_stacks(r, "bytes after the stack rows");
}

static int take_context_runs(struct tr_reader *r, struct tr_bytes *in, uint32_t h)
{
	struct reader_stacks *s = &r->stacks;
	const uint32_t nrows = s->harts[h].nrows;
	uint32_t count = (uint32_t)tr_varint_below(in, nrows + 1ULL), row = 0;
	if (!tr_grow(&s->contexts[h], &s->context_room[h], count + 1UL,
		     sizeof(*s->contexts[h])))
		return fail_stacks_memory(r);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t rows = (uint32_t)tr_varint_below(in, nrows - row + 1ULL);
		uint64_t who = tr_varint_below(in, UINT64_C(1) << SCONTEXT_BITS);
		s->contexts[h][i] =
		    (struct tr_scontext){.first_row = row,
					 .process = (uint32_t)(who >> SCONTEXT_PROCESS),
					 .priv = who & ((1U << SCONTEXT_PROCESS) - 1),
					 .triggers = (uint8_t)(who >> SCONTEXT_TRIGGERS)};
		row += rows;
		if (in->bad || !rows)
			return report_bad_stacks(r, "damaged context of stack rows");
	}
	if (in->bad || (count && row != nrows))
		return report_bad_stacks(r, "contexts do not match the stack rows");
	s->harts[h].contexts = s->contexts[h];
	s->harts[h].ncontexts = count;
	return TR_OK;
}

static int take_contexts(struct tr_reader *r, struct tr_bytes *in)
{
	int status = TR_OK;
	for (uint32_t h = 0; h < r->stacks.frame.nharts && !status; h++)
		if (r->stacks.harts[h].nrows)
			status = take_context_runs(r, in, h);
	if (!status && in->at != in->end)
		return report_bad_stacks(r, "contexts do not match the stack rows");
	return status;
}

static int take_hart_samples(struct tr_reader *r, struct tr_bytes *in, uint32_t h)
{
	struct reader_stacks *s = &r->stacks;
	uint32_t count = (uint32_t)tr_varint_below(in, r->chunk.size + 1);
	for (uint32_t i = 0; i < count; i++) {
		if (!tr_grow(&s->samples[h], &s->sample_room[h], i + 1UL,
			     sizeof(*s->samples[h])))
			return fail_stacks_memory(r);
		struct tr_sample *sample = &s->samples[h][i];
		s->sample_cycle[h] +=
		    tr_varint_below(in, INT64_MAX - s->sample_cycle[h] + 1);
		int status =
		    tr_decode_sample(in, sample, &r->counters, &s->last[h], &r->runs);
		if (status == TR_E_NOMEM)
			return fail_stacks_memory(r);
		if (status)
			return report_bad_stacks(r, "damaged sample of counters");
		sample->cycle = s->sample_cycle[h];
	}
	s->harts[h].samples = s->samples[h];
	s->harts[h].nsamples = count;
	return in->bad ? report_bad_stacks(r, "damaged sample of counters") : TR_OK;
}

static int take_counter_samples(struct tr_reader *r, struct tr_bytes *in)
{
	int status = TR_OK;
	if (r->stacks.has_samples)
		return report_bad_stacks(r, "samples of counters twice");
	r->stacks.has_samples = true;
	for (uint32_t h = 0; h < r->stacks.frame.nharts && !status; h++)
		status = take_hart_samples(r, in, h);
	if (!status && in->at != in->end)
		return report_bad_stacks(r, "bytes after the samples of counters");
	return status;
}

static int take_hart_hits(struct tr_reader *r, struct tr_bytes *in, uint32_t h)
{
	struct reader_stacks *s = &r->stacks;
	uint32_t count = (uint32_t)tr_varint_below(in, r->chunk.size + 1);
	for (uint32_t i = 0; i < count; i++) {
		if (!tr_grow(&s->hits[h], &s->hit_room[h], i + 1UL, sizeof(*s->hits[h])))
			return fail_stacks_memory(r);
		s->hit_cycle[h] += tr_varint_below(in, INT64_MAX - s->hit_cycle[h] + 1);
		uint64_t size = tr_varint(in);
		const uint8_t *p = tr_bytes_take(in, size);
		if (in->bad)
			return report_bad_stacks(r, "damaged hit of a probe");
		struct tr_bytes body = {.at = p, .end = p + size};
		if (!tr_decode_hit(&body, &s->hits[h][i], &r->probes))
			return report_bad_stacks(r, "damaged hit of a probe");
		s->hits[h][i].cycle = s->hit_cycle[h];
	}
	s->harts[h].hits = s->hits[h];
	s->harts[h].nhits = count;
	return in->bad ? report_bad_stacks(r, "damaged hit of a probe") : TR_OK;
}

static int take_probe_hits(struct tr_reader *r, struct tr_bytes *in)
{
	int status = TR_OK;
	if (r->stacks.has_hits)
		return report_bad_stacks(r, "hits of probes twice");
	r->stacks.has_hits = true;
	for (uint32_t h = 0; h < r->stacks.frame.nharts && !status; h++)
		status = take_hart_hits(r, in, h);
	if (!status && in->at != in->end)
		return report_bad_stacks(r, "bytes after the hits of probes");
	return status;
}

static int take_stacks_head(struct tr_reader *r, struct tr_bytes *in)
{
	struct reader_stacks *s = &r->stacks;
	s->frame.number = tr_varint(in);
	s->frame.nharts = (uint32_t)tr_varint_below(in, TR_MAX_HARTS + 1);
	s->frame.harts = s->harts;
	s->frame.is_index = s->is_summary;
	s->has_samples = s->has_hits = false;
	s->frame.ntasks = s->frame.nuses = s->frame.nnames = s->frame.ntps = 0;
	tr_arena_reset(&r->runs);
	if (in->bad || (s->frame.number != r->totals.frames && !s->is_summary))
		return report_bad_stacks(r, "frame out of order");
	uint32_t before = s->nharts;
	uint64_t rows = 0;
	for (uint32_t h = 0; h < s->frame.nharts; h++) {
		struct tr_shart *hart = &s->harts[h];
		uint32_t number = (uint32_t)tr_varint_below(in, UINT32_MAX);
		uint64_t start = tr_varint_below(in, INT64_MAX);
		hart->nrows = (uint32_t)tr_varint_below(in, r->chunk.size + 1);
		rows += hart->nrows;
		if (in->bad || rows > MAX_SROWS)
			return report_bad_stacks(r, "damaged frame head");
		if (h < before &&
		    (hart->hart != number || (s->cycle[h] != start && !s->is_summary)))
			return report_bad_stacks(
			    r, "a hart does not continue where it ended");
		if (h >= before || s->is_summary)
			s->cycle[h] = start;
		hart->hart = number;
		hart->start_cycle = start;
		if (!tr_grow(&s->rows[h], &s->row_room[h], hart->nrows + 1UL,
			     sizeof(*s->rows[h])))
			return fail_stacks_memory(r);
		hart->rows = s->rows[h];
		hart->ncontexts = hart->nsamples = hart->nhits = 0;
	}
	if (s->frame.nharts > s->nharts)
		s->nharts = s->frame.nharts;
	return TR_OK;
}

static int take_stacks_section(struct tr_reader *r, unsigned kind, bool must,
			       struct tr_bytes *body, uint32_t *hart)
{
	switch (kind) {
	case TR_SECTION_FUNCS:
		return take_funcs(r, body);
	case TR_SECTION_NODES:
		return take_stack_nodes(r, body);
	case TR_SECTION_THREADS:
		return take_threads(r, body);
	case TR_SECTION_STASKS:
		return take_tasks(r, body);
	case TR_SECTION_STASKUSES:
		return take_uses(r, body);
	case TR_SECTION_SNAMES:
		return take_names(r, body);
	case TR_SECTION_STPS:
		return take_thread_tps(r, body);
	case TR_SECTION_SCONTEXTS:
		return take_contexts(r, body);
	case TR_SECTION_SSAMPLES:
		return take_counter_samples(r, body);
	case TR_SECTION_SPROBES:
		return take_probe_hits(r, body);
	case TR_SECTION_SCOPES:
	case TR_SECTION_SPANS:
	case TR_SECTION_SITES:
	case TR_SECTION_COUNTS:
	case TR_SECTION_BRANCHES:
		return tr_reader_take_spans(r, kind, body);
	case TR_SECTION_SROWS:
		while (*hart < r->stacks.frame.nharts && !r->stacks.harts[*hart].nrows)
			++*hart;
		return *hart < r->stacks.frame.nharts
			   ? take_srows(r, body, (*hart)++)
			   : report_bad_stacks(r, "stack rows without a hart");
	default:
		return must ? tr_reader_fail(r, TR_E_UNSUPPORTED,
					     "a section that this version does not know")
			    : TR_OK;
	}
}

static int root_node(struct reader_stacks *s)
{
	if (s->nnodes)
		return TR_OK;
	if (!tr_grow(&s->nodes, &s->node_room, 1, sizeof(*s->nodes)))
		return TR_E_NOMEM;
	s->nodes[s->nnodes++] = (struct tr_node){0};
	return TR_OK;
}

int tr_reader_next_stacks(struct tr_reader *r, const struct tr_sframe **frame)
{
	int status = r->status;
	enum tr_seek_frame next = TR_SEEK_CHUNK;
	if (!status && root_node(&r->stacks))
		return fail_stacks_memory(r);
	if (!status && r->seek)
		status = tr_reader_seek_frame(r, &next);
	*frame = &r->stacks.frame;
	if (status || next == TR_SEEK_SECTION)
		return status;
	if (next == TR_SEEK_CHUNK)
		status = tr_reader_chunk(r, TR_CHUNK_STACKS);
	if (status)
		return status;
	r->stacks.is_summary = next == TR_SEEK_DEFINITIONS;
	tr_reader_begin_spans(r);
	struct tr_bytes body,
	    in = {.at = r->chunk.payload, .end = r->chunk.payload + r->chunk.size};
	status = take_stacks_head(r, &in);
	unsigned kind;
	bool must;
	uint32_t hart = 0;
	while (!status && tr_decode_section(&in, &kind, &must, &body))
		status = take_stacks_section(r, kind, must, &body, &hart);
	if (status)
		return status;
	while (hart < r->stacks.frame.nharts && !r->stacks.harts[hart].nrows)
		hart++;
	if (in.bad || hart != r->stacks.frame.nharts)
		return report_bad_stacks(r, "damaged or missing section");
	r->totals.frames += !r->stacks.is_summary;
	return TR_OK;
}

const struct tr_func *tr_reader_func(const struct tr_reader *r, uint32_t id)
{
	return &r->stacks.funcs[id];
}

const struct tr_node *tr_reader_node(const struct tr_reader *r, uint32_t id)
{
	return &r->stacks.nodes[id];
}

const struct tr_thread *tr_reader_thread(const struct tr_reader *r, uint32_t id)
{
	return &r->stacks.threads[id];
}

uint32_t tr_reader_func_count(const struct tr_reader *r)
{
	return (uint32_t)r->stacks.nfuncs;
}

uint32_t tr_reader_node_count(const struct tr_reader *r)
{
	return (uint32_t)r->stacks.nnodes;
}

uint32_t tr_reader_thread_count(const struct tr_reader *r)
{
	return (uint32_t)r->stacks.nthreads;
}
