/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes text as a stream of stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "text/text_encode.h"
#include "text/text_encode_spans.h"
#include "text/text_names.h"

struct stacks_encoder {
	struct tr_text_source *source;
	struct tr_writer *writer;
	struct tr_header *end;
	uint32_t funcs, nodes, threads, tasks;
	struct text_hart harts[TR_MAX_HARTS];
	struct text_hart *hart;
	unsigned nharts;
	bool ended;
	struct text_spans spans;
};

/* Definitions are numbered in order, and a reference must be to an earlier one. */
static void take_own_id(struct stacks_encoder *e, const char *prefix, uint32_t next)
{
	const char *word = tr_line_want(e->source, "the number");
	uint64_t id = tr_line_number(e->source, word, prefix, UINT32_MAX - 1);
	if (id != next)
		tr_line_fail(e->source, "%.60s where %s%" PRIu32 " is next", word, prefix,
			     next);
}

static uint32_t take_id(struct stacks_encoder *e, const char *word, const char *prefix,
			uint32_t count)
{
	uint64_t id = tr_line_number(e->source, word, prefix, UINT32_MAX - 1);
	if (id >= count)
		tr_line_fail(e->source, "no %.60s so far", word);
	return (uint32_t)id;
}

static const char *require_value(struct stacks_encoder *e, const char *key)
{
	const char *value = tr_line_value(e->source, key);
	if (!value)
		tr_line_fail(e->source, "%s= is missing", key);
	return value ? value : "";
}

/* Returns a name; fails if readers would refuse it. */
static const char *good_name(struct stacks_encoder *e, const char *name)
{
	if (!tr_name_good(name))
		tr_line_fail(e->source, "a control character or a semicolon in a name");
	return name;
}

static void take_func_line(struct stacks_encoder *e)
{
	struct tr_func func = {.binary = ""};
	take_own_id(e, "f", e->funcs);
	const char *kind = require_value(e, "kind");
	const char *binary = tr_line_value(e->source, "binary");
	func.name = good_name(e, require_value(e, "name"));
	func.binary = good_name(e, binary ? binary : "");
	func.address = tr_line_address(e->source, tr_line_value(e->source, "address"));
	if (!tr_frame_kind_from_name(kind, &func.kind))
		tr_line_fail(e->source, "no such kind: \"%.60s\"", kind);
	if (tr_line_done(e->source))
		return;
	tr_line_status(e->source, tr_writer_func(e->writer, &func));
	e->funcs++;
}

static void take_node_line(struct stacks_encoder *e)
{
	struct tr_node node;
	take_own_id(e, "n", e->nodes);
	node.parent = take_id(e, require_value(e, "parent"), "n", e->nodes);
	node.func = take_id(e, require_value(e, "func"), "f", e->funcs);
	uint32_t site = tr_text_take_site(&e->spans);
	if (tr_line_done(e->source))
		return;
	tr_line_status(e->source, tr_writer_node(e->writer, &node));
	if (site != TR_NO_SPOT)
		tr_line_status(e->source, tr_writer_site(e->writer, site));
	e->nodes++;
}

static void take_thread_line(struct stacks_encoder *e)
{
	struct tr_thread thread;
	take_own_id(e, "t", e->threads);
	thread.tp = tr_line_u64(e->source, "tp", UINT64_MAX, 0);
	thread.satp = tr_line_u64(e->source, "satp", UINT64_MAX, 0);
	thread.name = good_name(e, require_value(e, "name"));
	if (tr_line_done(e->source))
		return;
	tr_line_status(e->source, tr_writer_thread(e->writer, &thread));
	e->threads++;
}

static void take_task_line(struct stacks_encoder *e)
{
	struct tr_stask task;
	const char *word = tr_line_want(e->source, "the number");
	task.number = take_id(e, word, "k", e->tasks + 1);
	task.pid =
	    (uint32_t)tr_line_u64(e->source, "pid", UINT32_MAX - 1, TR_TASK_NO_PID);
	task.tgid =
	    (uint32_t)tr_line_u64(e->source, "tgid", UINT32_MAX - 1,
				  task.pid == TR_TASK_NO_PID ? TR_TASK_NO_PID : 0);
	task.name = good_name(e, require_value(e, "name"));
	if (tr_line_done(e->source))
		return;
	tr_line_status(e->source, tr_writer_task(e->writer, &task));
	e->tasks += task.number == e->tasks;
}

static void take_use_line(struct stacks_encoder *e)
{
	const char *process = tr_line_value(e->source, "process");
	struct tr_stask_use use = {.is_process = process};
	if (process)
		use.id = (uint32_t)tr_line_number(e->source, process, "", UINT32_MAX - 1);
	else
		use.id =
		    take_id(e, tr_line_want(e->source, "the thread"), "t", e->threads);
	use.task = take_id(e, require_value(e, "task"), "k", e->tasks);
	if (!tr_line_done(e->source))
		tr_line_status(e->source, tr_writer_task_use(e->writer, &use));
}

static void take_rename_line(struct stacks_encoder *e)
{
	struct tr_sname name;
	name.thread = take_id(e, tr_line_want(e->source, "the thread"), "t", e->threads);
	name.name = good_name(e, require_value(e, "name"));
	if (!tr_line_done(e->source))
		tr_line_status(e->source, tr_writer_thread_name(e->writer, &name));
}

static void take_thread_tp_line(struct stacks_encoder *e)
{
	struct tr_stp tp;
	tp.thread = take_id(e, tr_line_want(e->source, "the thread"), "t", e->threads);
	tp.tp = tr_line_number(e->source, require_value(e, "tp"), "", UINT64_MAX);
	if (!tr_line_done(e->source))
		tr_line_status(e->source, tr_writer_thread_tp(e->writer, &tp));
}

static struct text_hart *find_encoder_hart(struct stacks_encoder *e, uint32_t number,
					   bool *is_new)
{
	unsigned i = 0;
	while (i < e->nharts && e->harts[i].number != number)
		i++;
	*is_new = i == e->nharts;
	if (i == TR_MAX_HARTS) {
		tr_line_fail(e->source, "more than %d harts", TR_MAX_HARTS);
		return &e->harts[0];
	}
	if (*is_new)
		e->harts[e->nharts++].number = number;
	return &e->harts[i];
}

static void take_hart_line(struct stacks_encoder *e)
{
	bool is_new;
	const char *word = tr_line_want(e->source, "the number of the hart");
	uint64_t number = tr_line_number(e->source, word, "", UINT32_MAX - 1);
	e->hart = find_encoder_hart(e, (uint32_t)number, &is_new);
	uint64_t cycle = tr_line_u64(e->source, "cycle", TR_MAX_SUM, e->hart->cycle);
	if (!is_new && cycle != e->hart->cycle)
		tr_line_fail(e->source, "cycle is %" PRIu64 " here on hart %" PRIu32,
			     e->hart->cycle, e->hart->number);
	if (tr_line_done(e->source) || !is_new)
		return;
	e->hart->cycle = cycle;
	tr_line_status(e->source,
		       tr_writer_stacks_begin(e->writer, e->hart->number, cycle));
}

static void take_class_cycles(struct stacks_encoder *e, struct tr_srow *row,
			      struct tr_class_cycles *classes)
{
	const char *text = tr_line_value(e->source, "classes");
	if (!text)
		return;
	row->nclasses = (uint8_t)tr_line_runs(e->source, text, classes, TR_MAX_CLASSES);
	const uint32_t width = e->source->commit_width;
	uint64_t left = tr_srow_lost_limit(row, width);
	for (unsigned i = 0; i < row->nclasses; i++) {
		if (classes[i].cycles > left) {
			tr_line_fail(e->source, "more %s in classes than in all",
				     width == 1 ? "cycles" : "slots");
			return;
		}
		left -= classes[i].cycles;
	}
}

static void take_context_line(struct stacks_encoder *e)
{
	struct tr_scontext context = {0};
	bool is_new;
	if (!e->hart)
		e->hart = find_encoder_hart(e, 0, &is_new);
	context.priv = tr_text_priv(e->source, require_value(e, "priv"));
	context.triggers = (uint8_t)tr_line_u64(e->source, "triggers",
						TR_TRIGGER_START | TR_TRIGGER_STOP, 0);
	context.process = (uint32_t)tr_line_u64(e->source, "process", UINT32_MAX, 0);
	if (tr_line_done(e->source))
		return;
	tr_line_status(e->source,
		       tr_writer_scontext(e->writer, e->hart->number, &context));
}

static void take_srow_line(struct stacks_encoder *e)
{
	struct tr_class_cycles classes[TR_MAX_CLASSES];
	struct tr_srow row = {0};
	bool is_new;
	if (!e->hart)
		e->hart = find_encoder_hart(e, 0, &is_new);
	row.node = take_id(e, tr_line_want(e->source, "the node"), "n", e->nodes);
	row.thread = take_id(e, tr_line_want(e->source, "the thread"), "t", e->threads);
	row.cycles = tr_line_u64(e->source, "cycles", TR_MAX_SUM, 0);
	row.instructions = tr_line_u64(e->source, "instructions", TR_MAX_SUM, 0);
	take_class_cycles(e, &row, classes);
	const char *word = tr_line_word(e->source);
	row.fresh = word && strcmp(word, "fresh") == 0;
	if (word && !row.fresh)
		tr_line_fail(e->source, "what is \"%.60s\" here?", word);
	if (e->hart->cycle + row.cycles > TR_MAX_SUM ||
	    tr_writer_instructions(e->writer) + row.instructions > TR_MAX_SUM)
		tr_line_fail(e->source, "too many cycles or instructions");
	if (tr_line_done(e->source))
		return;
	e->hart->cycle += row.cycles;
	tr_line_status(e->source,
		       tr_writer_srow(e->writer, e->hart->number, &row, classes));
}

static void take_sample_line(struct stacks_encoder *e)
{
	struct tr_arena arena = {0};
	struct tr_sample sample = {0};
	bool is_new;
	if (!e->hart)
		e->hart = find_encoder_hart(e, 0, &is_new);
	tr_text_take_sample(e->source, &arena, &sample);
	sample.cycle = tr_line_u64(e->source, "cycle", INT64_MAX, 0);
	if (!tr_line_done(e->source)) {
		int status = tr_writer_sample(e->writer, e->hart->number, &sample);
		if (status == TR_E_ARGUMENT)
			tr_line_fail(e->source, "samples out of order");
		tr_line_status(e->source, status);
	}
	tr_arena_reset(&arena);
}

static void take_hit_line(struct stacks_encoder *e)
{
	struct tr_arena arena = {0};
	struct tr_hit hit = {0};
	bool is_new;
	if (!e->hart)
		e->hart = find_encoder_hart(e, 0, &is_new);
	tr_text_take_hit(e->source, &arena, &hit);
	hit.cycle = tr_line_u64(e->source, "cycle", INT64_MAX, 0);
	if (!tr_line_done(e->source)) {
		int status = tr_writer_hit(e->writer, e->hart->number, &hit);
		if (status == TR_E_ARGUMENT)
			tr_line_fail(e->source, "hits of probes out of order");
		tr_line_status(e->source, status);
	}
	tr_arena_reset(&arena);
}

static void take_stacks_frame(struct stacks_encoder *e)
{
	tr_line_word(e->source);
	if (tr_line_done(e->source) == TR_OK)
		tr_line_status(e->source, tr_writer_stacks_flush(e->writer));
}

static void take_stacks_end(struct stacks_encoder *e)
{
	e->ended = true;
	tr_text_end_line(e->source, e->end);
}

static void take_scope_line(struct stacks_encoder *e)
{
	tr_text_take_scope(&e->spans);
}

static void take_span_line(struct stacks_encoder *e)
{
	tr_text_take_span(&e->spans, e->funcs);
}

static void take_count_line(struct stacks_encoder *e)
{
	tr_text_take_count(&e->spans, e->nodes);
}

static void take_branch_line(struct stacks_encoder *e)
{
	tr_text_take_branch(&e->spans);
}

static const struct {
	const char *name;
	void (*take)(struct stacks_encoder *);
} records[] = {
    {"frame", take_stacks_frame},   {"func", take_func_line},
    {"node", take_node_line},	    {"thread", take_thread_line},
    {"hart", take_hart_line},	    {"srow", take_srow_line},
    {"end", take_stacks_end},	    {"scontext", take_context_line},
    {"counters", take_sample_line}, {"scope", take_scope_line},
    {"span", take_span_line},	    {"count", take_count_line},
    {"branch", take_branch_line},   {"probe", take_hit_line},
    {"task", take_task_line},	    {"use", take_use_line},
    {"rename", take_rename_line},   {"thread_tp", take_thread_tp_line},
};

static void take_stacks_record(struct stacks_encoder *e)
{
	const char *record = tr_line_record(e->source);
	for (unsigned i = 0; i < sizeof(records) / sizeof(records[0]); i++) {
		if (strcmp(records[i].name, record) != 0)
			continue;
		if (e->ended && records[i].take != take_stacks_end)
			break;
		records[i].take(e);
		return;
	}
	if (e->ended)
		tr_line_fail(e->source, "a line after the end");
	else
		tr_line_fail(e->source, "no such record of stacks: \"%.60s\"", record);
}

int tr_text_encode_stacks(struct tr_text_source *source, struct tr_writer *writer,
			  struct tr_header *end)
{
	struct stacks_encoder e = {.source = source,
				   .writer = writer,
				   .end = end,
				   .nodes = 1,
				   .spans = {.source = source, .writer = writer}};
	while (tr_line_next(source))
		take_stacks_record(&e);
	if (!e.ended)
		tr_line_fail(source, "truncated: no end line");
	free(e.spans.spans);
	return tr_text_check_totals(source, writer, end);
}
