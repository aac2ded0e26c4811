/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the text of `perf script`. */
#include "text/perf_script.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

__extension__ typedef unsigned __int128 u128;

enum {
	MOST_FRAMES = 1 << 14,
	MOST_SAMPLES = 100000000, /* of one row */
	/* Threads without a pid have numbers above Linux's PID_MAX_LIMIT, if the stream
	 * may also have tasks with one. */
	FIRST_OWN_PID = 1 << 22
};
#define NO_TASK UINT32_MAX

struct perf_thread {
	const char *name; /* of the stream, without its task */
	uint32_t task;
};

struct perf_task {
	const char *name;
	uint32_t pid, tgid;
};

/* A hart's rows on one stack of one thread. */
struct stretch {
	uint64_t from, cycles;
	uint32_t node, thread;
};

struct position {
	struct stretch now; /* of no cycles at the end of the frame */
	uint64_t cycle;	    /* behind it */
	uint32_t row;	    /* the next one */
};

struct tr_perf_script {
	struct tr_perf_options options;
	const struct tr_reader *reader;
	FILE *out;
	const char *event;
	uint32_t first_pid; /* of threads without a pid */
	struct tr_arena text;
	const char **lines; /* by function: its line */
	struct perf_thread *threads;
	struct perf_task *tasks;
	size_t line_room, thread_room, task_room;
	uint32_t nlines, nthreads, ntasks;
};

struct tr_perf_script *tr_perf_script_new(const struct tr_perf_options *options,
					  const struct tr_reader *reader, FILE *out)
{
	const struct tr_header *header = tr_reader_header(reader);
	const char *precision = tr_header_get(header, "precision");
	struct tr_perf_script *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	const bool is_counted = precision && strcmp(precision, "instructions") == 0;
	*s = (struct tr_perf_script){
	    .options = *options,
	    .reader = reader,
	    .out = out,
	    .event = is_counted ? "instructions" : "cycles",
	    .first_pid = tr_header_get(header, "probe.0") ? FIRST_OWN_PID : 1};
	return s;
}

void tr_perf_script_free(struct tr_perf_script *s)
{
	if (!s)
		return;
	tr_arena_reset(&s->text);
	free(s->lines);
	free(s->threads);
	free(s->tasks);
	free(s);
}

/* Names. */

/* Returns a name as one word, without a '#' at the beginning, where it would be a
 * comment. Returns NULL when out of memory. */
static const char *keep_word(struct tr_perf_script *s, const char *name)
{
	const size_t size = strlen(name) + 1;
	char *word = tr_arena_take(&s->text, size);
	if (!word)
		return NULL;
	memcpy(word, name, size);
	for (char *c = word; *c; c++)
		if ((unsigned char)*c <= ' ' || *c == '\x7f' || (c == word && *c == '#'))
			*c = '_';
	return word;
}

/* Returns true if the header has the binary as a kernel. */
static bool is_kernel(const struct tr_perf_script *s, const char *binary)
{
	const struct tr_header *header = tr_reader_header(s->reader);
	const char *name;
	for (uint32_t i = 0; (name = tr_header_bin(header, i, ".name")) != NULL; i++) {
		const char *role = tr_header_bin(header, i, ".role");
		if (role && strcmp(name, binary) == 0)
			return strcmp(role, "kernel") == 0;
	}
	return false;
}

/* Returns a function's binary as readers expect it. */
static const char *binary_of(const struct tr_perf_script *s, const struct tr_func *func)
{
	if (func->kind == TR_FRAME_INLINED)
		return "inlined";
	if (!*func->binary)
		return "[unknown]";
	return is_kernel(s, func->binary) ? "[kernel.kallsyms]" : func->binary;
}

/* Replaces what readers do not take as a part of the name: control characters, and the
 * parentheses at the beginning, with which they leave the frame out. */
static void mend_name(char *name)
{
	char *closing = *name == '(' ? strchr(name, ')') : NULL;
	if (*name == '(')
		*name = '{';
	if (closing)
		*closing = '}';
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == '\x7f')
			*name = '?';
}

/* Readers drop an offset at the end of a name, which would join what is only known by
 * its place: "libc.so.6+0x26b40". */
static bool ends_with_offset(const char *name)
{
	const char *plus = strrchr(name, '+');
	return plus && strncmp(plus, "+0x", 3) == 0 && plus[3] &&
	       plus[3 + strspn(plus + 3, "0123456789abcdef")] == '\0';
}

/* Returns the line of a function, or NULL when out of memory. */
static const char *make_line(struct tr_perf_script *s, const struct tr_func *func)
{
	static const char inlined[] = " (inlined)";
	const char *binary = keep_word(s, binary_of(s, func));
	size_t length = strlen(func->name);
	const size_t end = strlen(inlined);
	if (func->kind == TR_FRAME_INLINED && length > end &&
	    strcmp(func->name + length - end, inlined) == 0)
		length -= end;
	const size_t size = length + (binary ? strlen(binary) : 0) + 32;
	char *line = binary ? tr_arena_take(&s->text, size) : NULL;
	char *name = line ? tr_arena_take(&s->text, length + 1) : NULL;
	if (!name)
		return NULL;
	memcpy(name, func->name, length);
	name[length] = '\0';
	mend_name(name);
	const bool has_offset = ends_with_offset(name);
	snprintf(line, size, "\t%16" PRIx64 " %s%s%s (%s)\n", func->address,
		 has_offset ? "[" : "", *name ? name : "[unknown]", has_offset ? "]" : "",
		 binary);
	return line;
}

static int define_lines(struct tr_perf_script *s)
{
	while (s->nlines < tr_reader_func_count(s->reader)) {
		if (!tr_grow(&s->lines, &s->line_room, s->nlines + 1UL,
			     sizeof(*s->lines)))
			return TR_E_NOMEM;
		s->lines[s->nlines] = make_line(s, tr_reader_func(s->reader, s->nlines));
		if (!s->lines[s->nlines++])
			return TR_E_NOMEM;
	}
	return TR_OK;
}

static int define_perf_threads(struct tr_perf_script *s)
{
	while (s->nthreads < tr_reader_thread_count(s->reader)) {
		const char *name = tr_reader_thread(s->reader, s->nthreads)->name;
		if (!tr_grow(&s->threads, &s->thread_room, s->nthreads + 1UL,
			     sizeof(*s->threads)))
			return TR_E_NOMEM;
		struct perf_thread *t = &s->threads[s->nthreads];
		*t = (struct perf_thread){.name = keep_word(s, *name ? name : "thread"),
					  .task = NO_TASK};
		if (!t->name)
			return TR_E_NOMEM;
		s->nthreads++;
	}
	return TR_OK;
}

static int define_perf_task(struct tr_perf_script *s, const struct tr_stask *from)
{
	if (from->number == s->ntasks &&
	    !tr_grow(&s->tasks, &s->task_room, ++s->ntasks, sizeof(*s->tasks)))
		return TR_E_NOMEM;
	struct perf_task *task = &s->tasks[from->number];
	*task = (struct perf_task){
	    .name = keep_word(s, from->name), .pid = from->pid, .tgid = from->tgid};
	return task->name ? TR_OK : TR_E_NOMEM;
}

/* Takes what is new in the frame. */
static int define_names(struct tr_perf_script *s, const struct tr_sframe *frame)
{
	int status = define_lines(s);
	if (!status)
		status = define_perf_threads(s);
	for (uint32_t i = 0; i < frame->ntasks && !status; i++)
		status = define_perf_task(s, &frame->tasks[i]);
	for (uint32_t i = 0; i < frame->nuses && !status; i++)
		if (!frame->uses[i].is_process)
			s->threads[frame->uses[i].id].task = frame->uses[i].task;
	for (uint32_t i = 0; i < frame->nnames && !status; i++) {
		const struct tr_sname *from = &frame->names[i];
		const char *name = keep_word(s, *from->name ? from->name : "thread");
		s->threads[from->thread].name = name;
		status = name ? TR_OK : TR_E_NOMEM;
	}
	return status;
}

/* Samples. */

/* Writes the first line. Two spaces after the name are for readers whose pattern for it
 * is at least two characters long. */
static void write_event(const struct tr_perf_script *s, uint32_t hart, uint32_t thread,
			uint64_t cycle, uint64_t period)
{
	const struct perf_thread *t = &s->threads[thread];
	const struct perf_task *task = t->task == NO_TASK ? NULL : &s->tasks[t->task];
	const char *name = task && *task->name ? task->name : t->name;
	uint32_t pid = s->first_pid + thread, tid = pid;
	if (task && task->pid != TR_TASK_NO_PID) {
		pid = task->tgid;
		tid = task->pid;
	}
	const uint64_t hz = s->options.clock_hz;
	const uint64_t ns = (uint64_t)((u128)(cycle % hz) * 1000000000U / hz);
	fprintf(s->out,
		"%s  %" PRIu32 "/%" PRIu32 " [%03" PRIu32 "] %5" PRIu64 ".%09" PRIu64
		": %10" PRIu64 " %s:\n",
		name, pid, tid, hart, cycle / hz, ns, period, s->event);
}

static void write_sample(const struct tr_perf_script *s, uint32_t hart,
			 const struct stretch *on, uint64_t cycle, uint64_t period)
{
	write_event(s, hart, on->thread, cycle, period);
	for (uint32_t n = on->node; n; n = tr_reader_node(s->reader, n)->parent)
		fputs(s->lines[tr_reader_node(s->reader, n)->func], s->out);
	fputc('\n', s->out);
}

static bool is_too_deep(const struct tr_perf_script *s, uint32_t node)
{
	uint32_t depth = 0;
	for (; node && depth <= MOST_FRAMES; depth++)
		node = tr_reader_node(s->reader, node)->parent;
	return depth > MOST_FRAMES;
}

/* Writes the samples of a stretch. Returns NULL, or why there are none. */
static const char *write_stretch(const struct tr_perf_script *s, uint32_t hart,
				 const struct stretch *on)
{
	const uint64_t period = s->options.period, end = on->from + on->cycles;
	if (!on->node)
		return "a row without a stack";
	if (is_too_deep(s, on->node))
		return "a stack of more than 16384 frames";
	if (!period) {
		write_sample(s, hart, on, on->from, on->cycles);
		return NULL;
	}
	if (on->cycles / period > MOST_SAMPLES)
		return "more than 100,000,000 samples in a row: a longer --period is "
		       "needed";
	uint64_t cycle = on->from + (period - on->from % period) % period;
	for (; cycle >= on->from && cycle < end; cycle += period)
		write_sample(s, hart, on, cycle, period);
	return NULL;
}

/* Finds the hart's next stretch. Rows of no cycles are in none. Returns false if the sum
 * of the cycles exceeds 64 bits. */
static bool next_stretch(const struct tr_shart *hart, struct position *at)
{
	at->now = (struct stretch){.from = at->cycle};
	for (; at->row < hart->nrows; at->row++) {
		const struct tr_srow *row = &hart->rows[at->row];
		if (!row->cycles)
			continue;
		if (at->now.cycles &&
		    (row->node != at->now.node || row->thread != at->now.thread))
			return true;
		at->now.node = row->node;
		at->now.thread = row->thread;
		at->now.cycles += row->cycles;
		if (__builtin_add_overflow(at->cycle, row->cycles, &at->cycle))
			return false;
	}
	return true;
}

/* Returns the hart whose next stretch is the earliest, `nharts` if there is none. */
static uint32_t earliest_hart(const struct tr_sframe *frame,
			      const struct position *places)
{
	uint32_t best = frame->nharts;
	for (uint32_t h = 0; h < frame->nharts; h++)
		if (places[h].now.cycles &&
		    (best == frame->nharts || places[h].now.from < places[best].now.from))
			best = h;
	return best;
}

static int refuse_samples(const struct tr_sframe *frame, const char *reason,
			  char *message, size_t size)
{
	snprintf(message, size, "frame %" PRIu64 ": %s", frame->number, reason);
	return TR_E_CORRUPT;
}

int tr_perf_script_take(struct tr_perf_script *s, const struct tr_sframe *frame,
			char *message, size_t size)
{
	static const char too_large[] = "the sum of all rows exceeds 64 bits";
	struct position places[TR_MAX_HARTS];
	if (define_names(s, frame))
		return TR_E_NOMEM;
	for (uint32_t h = 0; h < frame->nharts; h++) {
		places[h] = (struct position){.cycle = frame->harts[h].start_cycle};
		if (!next_stretch(&frame->harts[h], &places[h]))
			return refuse_samples(frame, too_large, message, size);
	}
	for (uint32_t h; (h = earliest_hart(frame, places)) < frame->nharts;) {
		const struct tr_shart *hart = &frame->harts[h];
		const char *reason = write_stretch(s, hart->hart, &places[h].now);
		if (!reason && !next_stretch(hart, &places[h]))
			reason = too_large;
		if (reason)
			return refuse_samples(frame, reason, message, size);
	}
	return TR_OK;
}
