/* SPDX-License-Identifier: Apache-2.0 */
/* Formats frames of stacks. */
#include <inttypes.h>

#include "text/text.h"
#include "text/text_names.h"

void tr_text_quoted(FILE *out, const char *key, const char *value)
{
	fprintf(out, " %s=\"", key);
	for (; *value; value++) {
		unsigned char c = (unsigned char)*value;
		if (c < 0x20 || c == 0x7f || c == '"' || c == '\\')
			fprintf(out, "\\x%02x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void print_func_line(const struct tr_text *text, uint32_t id)
{
	const struct tr_func *func = tr_reader_func(text->reader, id);
	fprintf(text->out, "func f%" PRIu32 " kind=%s address=0x%" PRIx64, id,
		tr_frame_kind_name(func->kind), func->address);
	tr_text_quoted(text->out, "binary", func->binary);
	tr_text_quoted(text->out, "name", func->name);
	fputc('\n', text->out);
}

static void print_node_line(const struct tr_text *text, uint32_t id)
{
	const struct tr_node *node = tr_reader_node(text->reader, id);
	fprintf(text->out, "node n%" PRIu32 " parent=n%" PRIu32 " func=f%" PRIu32, id,
		node->parent, node->func);
	tr_text_site(text, id);
	fputc('\n', text->out);
}

static void print_thread_line(const struct tr_text *text, uint32_t id)
{
	const struct tr_thread *thread = tr_reader_thread(text->reader, id);
	fprintf(text->out, "thread t%" PRIu32 " tp=0x%" PRIx64 " satp=0x%" PRIx64, id,
		thread->tp, thread->satp);
	tr_text_quoted(text->out, "name", thread->name);
	fputc('\n', text->out);
}

static void print_task_line(const struct tr_text *text, const struct tr_stask *task)
{
	fprintf(text->out, "task k%" PRIu32, task->number);
	if (task->pid != TR_TASK_NO_PID)
		fprintf(text->out, " pid=%" PRIu32 " tgid=%" PRIu32, task->pid,
			task->tgid);
	tr_text_quoted(text->out, "name", task->name);
	fputc('\n', text->out);
}

static void print_use_line(const struct tr_text *text, const struct tr_stask_use *use)
{
	fprintf(text->out, "use %s%" PRIu32 " task=k%" PRIu32 "\n",
		use->is_process ? "process=" : "t", use->id, use->task);
}

static void print_rename(const struct tr_text *text, const struct tr_sname *name)
{
	fprintf(text->out, "rename t%" PRIu32, name->thread);
	tr_text_quoted(text->out, "name", name->name);
	fputc('\n', text->out);
}

static void print_thread_tp(const struct tr_text *text, const struct tr_stp *tp)
{
	fprintf(text->out, "thread_tp t%" PRIu32 " tp=0x%" PRIx64 "\n", tp->thread,
		tp->tp);
}

static void print_srow_line(FILE *out, const struct tr_shart *hart,
			    const struct tr_srow *row)
{
	fprintf(out,
		"srow n%" PRIu32 " t%" PRIu32 " cycles=%" PRIu64 " instructions=%" PRIu64,
		row->node, row->thread, row->cycles, row->instructions);
	if (row->nclasses)
		fputs(" classes=", out);
	for (unsigned i = 0; i < row->nclasses; i++) {
		const struct tr_class_cycles *part = &hart->classes[row->first_class + i];
		fprintf(out, "/%u*%" PRIu64, part->class, part->cycles);
	}
	fputs(row->fresh ? " fresh\n" : "\n", out);
}

/* Prints the samples before `cycle`, each before the row that contains it. Returns the
 * index of the next one. */
static uint32_t print_samples_before(const struct tr_text *text,
				     const struct tr_shart *hart, uint32_t next,
				     uint64_t cycle)
{
	for (; next < hart->nsamples && hart->samples[next].cycle < cycle; next++) {
		const struct tr_sample *sample = &hart->samples[next];
		fprintf(text->out, "counters %" PRIu32 " cycle=%" PRIu64, sample->set,
			sample->cycle);
		tr_text_values_of(text, sample->set, sample->values);
	}
	return next;
}

/* Prints the hits of probes up to `cycle`: one in the last cycle of a row belongs to the
 * row's last token. Returns the index of the next one. */
static uint32_t print_hits_until(const struct tr_text *text, const struct tr_shart *hart,
				 uint32_t next, uint64_t cycle)
{
	for (; next < hart->nhits && hart->hits[next].cycle <= cycle; next++) {
		tr_text_probe(text->out, hart->hits[next].probe);
		fprintf(text->out, " cycle=%" PRIu64, hart->hits[next].cycle);
		tr_text_hit(text, &hart->hits[next]);
	}
	return next;
}

static void print_hart_srows(const struct tr_text *text, const struct tr_shart *hart)
{
	FILE *out = text->out;
	char room[TR_NAME_ROOM];
	uint32_t next = 0, sample = 0, hit = 0;
	uint64_t cycle = hart->start_cycle;
	for (uint32_t r = 0; r < hart->nrows; r++) {
		cycle += hart->rows[r].cycles;
		sample = print_samples_before(text, hart, sample, cycle);
		hit = print_hits_until(text, hart, hit, cycle);
		if (next < hart->ncontexts && hart->contexts[next].first_row == r) {
			const struct tr_scontext *context = &hart->contexts[next];
			fprintf(out, "scontext priv=%s process=%" PRIu32,
				tr_priv_name(context->priv, room), context->process);
			if (context->triggers)
				fprintf(out, " triggers=%u", context->triggers);
			fputc('\n', out);
			next++;
		}
		print_srow_line(out, hart, &hart->rows[r]);
	}
	print_samples_before(text, hart, sample, UINT64_MAX);
	print_hits_until(text, hart, hit, UINT64_MAX);
}

void tr_text_stacks(struct tr_text *text, const struct tr_sframe *frame)
{
	fprintf(text->out, "frame %" PRIu64 "\n", frame->number);
	while (text->funcs < tr_reader_func_count(text->reader))
		print_func_line(text, text->funcs++);
	tr_text_span_definitions(text);
	while (text->nodes < tr_reader_node_count(text->reader))
		print_node_line(text, text->nodes++);
	while (text->threads < tr_reader_thread_count(text->reader))
		print_thread_line(text, text->threads++);
	for (uint32_t i = 0; i < frame->ntasks; i++)
		print_task_line(text, &frame->tasks[i]);
	for (uint32_t i = 0; i < frame->nuses; i++)
		print_use_line(text, &frame->uses[i]);
	for (uint32_t i = 0; i < frame->nnames; i++)
		print_rename(text, &frame->names[i]);
	for (uint32_t i = 0; i < frame->ntps; i++)
		print_thread_tp(text, &frame->tps[i]);
	for (uint32_t i = 0; i < frame->nharts; i++) {
		const struct tr_shart *hart = &frame->harts[i];
		if (hart->nrows == 0 && hart->nsamples == 0 && hart->nhits == 0)
			continue;
		fprintf(text->out, "hart %" PRIu32 " cycle=%" PRIu64 "\n", hart->hart,
			hart->start_cycle);
		print_hart_srows(text, hart);
	}
	tr_text_counts(text);
}
