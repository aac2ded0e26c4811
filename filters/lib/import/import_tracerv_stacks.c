/* SPDX-License-Identifier: Apache-2.0 */
/* The call stacks that FireSim's TracerV unwinds itself, TRACEFILE-C<n>
 * (tracerv/trace_tracker.cc):
 *
 *     Indent: 1, Start label: start_kernel, At cycle: 1234
 *     Indent: 1, End label: start_kernel, End cycle: 5678
 *
 * A frame starts at the commit of its first instruction and ends at that of its last one,
 * so the cycle before the first commit is the caller's last. All frames of user code are
 * one, USERSPACE_ALL. Frames that are open at the end have no line of their end. After
 * "WARN: STACK ZEROED" no frame is open; these cycles belong to the frame that starts
 * next. */
#include "import/import_formats.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buffer.h"
#include "import/import_parse.h"
#include "profile/folded.h"

enum { FLUSH_ROWS = 1 << 12, LABEL_BYTES = 1000, MAX_DEPTH = 1 << 16 };

struct stacks {
	struct tr_folded *tree; /* its nodes and names have the ids of the stream */
	uint32_t *open;		/* nodes from the root to the top */
	size_t depth, room;
	uint32_t funcs, rows;
	uint64_t now;  /* what is before it has been charged */
	uint64_t last; /* cycle of the log */
	bool begun, fresh;
	uint64_t discarded; /* stacks */
};

/* A line that was parsed. */
struct edge {
	uint64_t depth, cycle;
	const char *label;
	size_t size;
	bool is_start;
};

static bool tracerv_stacks_recognises(const struct import_line *line)
{
	struct import_line l = *line;
	uint64_t depth;
	return import_text(&l, "Indent: ") && import_decimal(&l, &depth);
}

static const char *tracerv_stacks_lacks(const struct tr_import *im)
{
	(void)im;
	return "insn,priv,satp,traps,classes,instructions";
}

static struct stacks *tracerv_stacks_state(struct tr_import *im)
{
	struct stacks *s = im->own;
	if (s)
		return s;
	s = im->own = calloc(1, sizeof(*s));
	if (s)
		s->tree = tr_folded_new();
	if (!s || !s->tree)
		im->status = TR_E_NOMEM;
	return s;
}

static void tracerv_stacks_release(struct tr_import *im)
{
	struct stacks *s = im->own;
	if (!s)
		return;
	tr_folded_free(s->tree);
	free(s->open);
	free(s);
}

static bool keep_write_status(struct tr_import *im, int status)
{
	if (status && !im->status)
		im->status = status;
	return !im->status;
}

static bool take_label(struct tr_import *im, struct import_line *line, const char *before,
		       struct edge *edge)
{
	const size_t size = strlen(before);
	const char *end = line->end;
	while (end - line->at >= (ptrdiff_t)size && memcmp(end - size, before, size) != 0)
		end--;
	if (end - line->at < (ptrdiff_t)size)
		return tr_import_expect(im, line, "a label, \", \", and the cycle");
	edge->label = line->at;
	edge->size = (size_t)(end - line->at) - size;
	if (!edge->size || edge->size > LABEL_BYTES)
		return tr_import_expect(im, line, "a label of 1 to 1000 bytes");
	line->at = end;
	return true;
}

/* Parses a line, which has no effect yet. */
static bool parse_stack_edge(struct tr_import *im, struct import_line *line,
			     struct edge *edge)
{
	if (!import_text(line, "Indent: ") || !import_decimal(line, &edge->depth))
		return tr_import_expect(im, line, "\"Indent: N\"");
	edge->is_start = import_text(line, ", Start label: ");
	if (!edge->is_start && !import_text(line, ", End label: "))
		return tr_import_expect(im, line, "\", Start label: \" or \", End…\"");
	if (!take_label(im, line,
			edge->is_start ? ", At cycle: " : ", End cycle: ", edge))
		return false;
	if (!import_decimal(line, &edge->cycle))
		return tr_import_expect(im, line, "a decimal cycle");
	return true;
}

/* Copies a label; what no name may contain becomes '?'. */
static const char *clean_label(const struct edge *edge, char name[LABEL_BYTES + 1])
{
	for (size_t i = 0; i < edge->size; i++) {
		const unsigned char c = (unsigned char)edge->label[i];
		name[i] = c < ' ' || c == ';' || c >= 0x7f ? '?' : (char)c;
	}
	name[edge->size] = '\0';
	return name;
}

/* Checks that a line fits what is open. */
static bool check_edge_fits(struct tr_import *im, const struct stacks *s,
			    const struct import_line *line, const struct edge *edge)
{
	char name[LABEL_BYTES + 1], what[64];
	const uint64_t depth = s->depth + edge->is_start;
	const struct import_line start = {line->start, line->start, line->end};
	if (!depth)
		return tr_import_expect(im, line, "the start of a frame before its end");
	snprintf(what, sizeof(what), "\"Indent: %" PRIu64 "\"", depth);
	if (edge->depth != depth)
		return tr_import_expect(im, &start, what);
	if (depth > MAX_DEPTH)
		return tr_import_expect(im, &start, "at most 65536 frames");
	if (!edge->is_start &&
	    strcmp(tr_folded_node(s->tree, s->open[s->depth - 1])->name,
		   clean_label(edge, name)) != 0)
		return tr_import_expect(im, line, "the label of the innermost frame");
	if (s->begun && edge->cycle < s->last)
		return tr_import_expect(im, line, "a later cycle");
	return true;
}

/* Writes the time up to `cycle` for the frame on top; without one it is left to the
 * next. */
static void charge_top_frame(struct tr_import *im, struct stacks *s, uint64_t cycle)
{
	struct import_sink *sink = im->sink;
	if (!s->depth)
		return;
	if (im->options.max_cycles < cycle - sink->first_cycle) {
		sink->limited = true;
		cycle = sink->first_cycle + im->options.max_cycles;
	}
	struct tr_srow row = {
	    .cycles = cycle - s->now, .node = s->open[s->depth - 1], .fresh = s->fresh};
	if (row.cycles || (row.fresh && !sink->limited))
		keep_write_status(
		    im, tr_writer_srow(im->sink->writer, im->first_hart, &row, NULL));
	s->now = cycle;
	s->fresh = false;
	if (++s->rows % FLUSH_ROWS == 0)
		keep_write_status(im, tr_writer_stacks_flush(im->sink->writer));
}

static void begin_stacks(struct tr_import *im, struct stacks *s, uint64_t cycle)
{
	const struct tr_thread thread = {.name = ""};
	s->begun = true;
	s->now = im->sink->first_cycle = cycle ? cycle - 1 : 0;
	keep_write_status(
	    im, tr_writer_stacks_begin(im->sink->writer, im->first_hart, s->now));
	keep_write_status(im, tr_writer_thread(im->sink->writer, &thread));
}

static uint8_t kind_of(const char *name)
{
	return strcmp(name, "USERSPACE_ALL") == 0 ? TR_FRAME_PROGRAM : TR_FRAME_FUNCTION;
}

static void push_stack_label(struct tr_import *im, struct stacks *s,
			     const struct edge *edge)
{
	char name[LABEL_BYTES + 1];
	const uint32_t parent = s->depth ? s->open[s->depth - 1] : 0;
	const uint32_t known = tr_folded_count(s->tree);
	uint32_t id;
	if (!tr_grow(&s->open, &s->room, s->depth + 1, sizeof(*s->open)) ||
	    tr_folded_child(s->tree, parent, clean_label(edge, name), edge->size, 0,
			    &id)) {
		im->status = TR_E_NOMEM;
		return;
	}
	const struct tr_node node = {parent, tr_folded_node(s->tree, id)->name_id};
	const struct tr_func func = {.name = name, .binary = "", .kind = kind_of(name)};
	if (node.func == s->funcs && ++s->funcs)
		keep_write_status(im, tr_writer_func(im->sink->writer, &func));
	if (id == known)
		keep_write_status(im, tr_writer_node(im->sink->writer, &node));
	s->open[s->depth++] = id;
	im->sink->tokens++;
	s->fresh = true;
}

static bool tracerv_stacks_take_line(struct tr_import *im, struct import_line *line)
{
	struct stacks *s = tracerv_stacks_state(im);
	struct edge edge;
	if (im->status || line->at == line->end || *line->at == '#')
		return true;
	if (import_text(line, "WARN: ")) {
		s->discarded += import_text(line, "STACK ZEROED");
		return true;
	}
	if (!parse_stack_edge(im, line, &edge) || !check_edge_fits(im, s, line, &edge))
		return false;
	if (!s->begun)
		begin_stacks(im, s, edge.cycle);
	s->last = edge.cycle;
	charge_top_frame(
	    im, s, edge.is_start && edge.cycle > s->now ? edge.cycle - 1 : edge.cycle);
	if (im->sink->limited || im->status)
		return true;
	if (edge.is_start)
		push_stack_label(im, s, &edge);
	else
		s->depth--;
	return true;
}

static void tracerv_stacks_end(struct tr_import *im)
{
	struct stacks *s = im->own;
	if (s && s->begun && !im->sink->limited)
		charge_top_frame(im, s, s->last);
	keep_write_status(im, tr_writer_stacks_flush(im->sink->writer));
}

static void tracerv_stacks_remark(const struct tr_import *im, char *text, size_t size)
{
	const struct stacks *s = im->own;
	if (s && s->discarded)
		snprintf(text, size, "stacks that TracerV discarded: %" PRIu64,
			 s->discarded);
}

/* A cycle has no fixed number of digits. */
static bool tracerv_stacks_is_whole(const struct tr_import *im,
				    const struct import_line *line)
{
	(void)im;
	return *line->at == '#';
}

const struct import_kind tr_import_tracerv_stacks = {
    .format = {"tracerv-stacks", "FireSim's TracerV, stacks that it unwound"},
    .has_cycles = true,
    .has_stacks = true,
    .recognises = tracerv_stacks_recognises,
    .lacks = tracerv_stacks_lacks,
    .take = tracerv_stacks_take_line,
    .is_whole = tracerv_stacks_is_whole,
    .end = tracerv_stacks_end,
    .remark = tracerv_stacks_remark,
    .release = tracerv_stacks_release,
};
