/* SPDX-License-Identifier: Apache-2.0 */
/* The answers about a choice: its flame graph and functions, or its folded stacks. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"

enum {
	MOST_FRAMES = 100000, /* of a graph */
	MOST_FUNCTIONS = 5000,
	LEAST_PARTS = 2, /* a frame is shown if it has 1 / LEAST_PARTS pixels */
};

static bool is_empty(const struct explore_tally *tally)
{
	return !tally->cycles && !tally->instructions && !tally->calls;
}

/* ------------------------------------------------------------ frames */

/* Returns true if a frame is too narrow for a graph. */
static bool is_narrow(const struct explore_view *view, uint32_t node)
{
	return view->choice.width &&
	       (double)view->total[node].cycles * view->choice.width * LEAST_PARTS <
		   (double)view->sum.cycles;
}

static void write_path(const struct explore_view *view, FILE *file)
{
	const struct tr_explore *x = view->x;
	bool any = false;
	fputs(",\n\"path\":[", file);
	for (uint32_t node = view->choice.root; node; node = x->nodes[node].parent) {
		fprintf(file, "%s[%" PRIu32 ",%" PRIu32 "]", any ? "," : "", node,
			x->nodes[node].func);
		any = true;
	}
	putc(']', file);
}

/* Frames in depth-first order. Adjacent frames that are too narrow are one. */
struct graph {
	const struct explore_view *view;
	FILE *file;
	uint64_t *edges; /* by depth: cycles to the left of the next frame */
	uint64_t written, left_out, left_out_cycles;
	struct {
		uint64_t start, cycles, instructions, count;
		uint32_t depth;
	} narrow; /* those since the last frame; count 0: none */
};

static void begin_frame(struct graph *g)
{
	if (g->written)
		fputs(g->written % 4 ? "," : ",\n", g->file);
	g->written++;
}

/* Writes the narrow frames since the last one, if they are wide enough together, with
 * function -2 and their number in place of a node. */
static void end_narrow(struct graph *g)
{
	const double wide =
	    (double)g->narrow.cycles * g->view->choice.width * LEAST_PARTS;
	if (g->narrow.count && wide >= (double)g->view->sum.cycles &&
	    g->written < MOST_FRAMES) {
		begin_frame(g);
		fprintf(g->file,
			"%" PRIu32 ",-2,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",0,%" PRIu64
			",0,0",
			g->narrow.depth, g->narrow.count, g->narrow.start,
			g->narrow.cycles, g->narrow.instructions);
	}
	g->narrow.count = 0;
}

static void leave_out(struct graph *g, uint32_t depth, const struct explore_tally *total)
{
	const uint64_t start = g->edges[depth];
	if (g->narrow.count &&
	    (g->narrow.depth != depth || g->narrow.start + g->narrow.cycles != start))
		end_narrow(g);
	if (!g->narrow.count) {
		g->narrow.depth = depth;
		g->narrow.start = start;
		g->narrow.cycles = g->narrow.instructions = 0;
	}
	g->narrow.count++;
	g->narrow.cycles += total->cycles;
	g->narrow.instructions += total->instructions;
	g->left_out++;
	g->left_out_cycles += total->cycles;
	g->edges[depth] += total->cycles;
}

static void write_frame(struct graph *g, uint32_t depth, uint32_t node)
{
	const struct tr_explore *x = g->view->x;
	const struct explore_tally *total = &g->view->total[node];
	uint64_t slots;
	const unsigned top = tr_explore_top(
	    &x->classes, g->view->total_lost + (size_t)node * explore_columns(x), &slots);
	end_narrow(g);
	begin_frame(g);
	fprintf(g->file,
		"%" PRIu32 ",%" PRId64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",%" PRIu64 ",%u,%" PRIu64,
		depth, node ? (int64_t)x->nodes[node].func : -1, node, g->edges[depth],
		total->cycles, g->view->self[node].cycles, total->instructions, top,
		slots);
	g->edges[depth + 1] = g->edges[depth];
	g->edges[depth] += total->cycles;
}

/* Writes the frames from the root upwards: depth, function, node, cycles to the left,
 * total cycles, own cycles, total instructions, the group of classes that lost most, its
 * slots. */
static int write_frames(const struct explore_view *view, FILE *file)
{
	const struct tr_explore *x = view->x;
	const struct explore_place *from = &x->order[x->position[view->choice.root]];
	struct graph g = {.view = view, .file = file};
	g.edges = calloc(TR_PROFILE_DEPTH + 2, sizeof(*g.edges));
	if (!g.edges)
		return TR_E_NOMEM;
	fputs(",\n\"frames\":[\n", file);
	for (uint32_t at = x->position[view->choice.root]; at < from->end;) {
		const struct explore_place *place = &x->order[at];
		const struct explore_tally *total = &view->total[place->node];
		const uint32_t depth = place->depth - from->depth;
		const bool is_shown =
		    g.written < MOST_FRAMES && !is_narrow(view, place->node);
		if (total->cycles && is_shown)
			write_frame(&g, depth, place->node);
		else if (total->cycles)
			leave_out(&g, depth, total);
		at = total->cycles && is_shown ? at + 1 : place->end;
	}
	end_narrow(&g);
	free(g.edges);
	fprintf(file, "],\n\"left_out\":[%" PRIu64 ",%" PRIu64 "]", g.left_out,
		g.left_out_cycles);
	return TR_OK;
}

/* ------------------------------------------------------------ functions */

/* What a function has: `total` counts each cycle once, even if it recurs. */
struct function {
	struct explore_tally self;
	uint64_t total;
	uint64_t total_instructions;
	uint64_t *lost;
	uint32_t func, open; /* frames of it on the stack */
};

/* Returns the function that a node's own cycles are of: not a source line. */
static uint32_t owner_of(const struct tr_explore *x, uint32_t node)
{
	const uint32_t parent = x->nodes[node].parent;
	const bool is_line = x->funcs[x->nodes[node].func].kind == TR_FRAME_LINE;
	return x->nodes[is_line && parent ? parent : node].func;
}

static void add_own(const struct explore_view *view, struct function *functions,
		    uint32_t node)
{
	const struct tr_explore *x = view->x;
	const unsigned columns = explore_columns(x);
	struct function *f = &functions[owner_of(x, node)];
	f->self.cycles += view->self[node].cycles;
	f->self.instructions += view->self[node].instructions;
	f->self.calls += view->self[node].calls;
	for (unsigned c = 0; c < columns; c++)
		f->lost[c] += view->lost[(size_t)node * columns + c];
}

/* Sums by function; `stack` has room for the deepest stack. */
static void sum_functions(const struct explore_view *view, struct function *functions,
			  uint32_t *stack)
{
	const struct tr_explore *x = view->x;
	const uint32_t first = x->position[view->choice.root];
	uint32_t depth = 0;
	for (uint32_t at = first; at < x->order[first].end;) {
		const struct explore_place *place = &x->order[at];
		while (depth && place->depth <= x->order[stack[depth - 1]].depth)
			functions[x->nodes[x->order[stack[--depth]].node].func].open--;
		if (is_empty(&view->total[place->node])) {
			at = place->end;
			continue;
		}
		at++;
		if (!place->node)
			continue;
		struct function *f = &functions[x->nodes[place->node].func];
		add_own(view, functions, place->node);
		if (!f->open++) {
			f->total += view->total[place->node].cycles;
			f->total_instructions += view->total[place->node].instructions;
		}
		stack[depth++] = at - 1;
	}
}

static int by_cost(const void *left, const void *right)
{
	const struct function *a = left, *b = right;
	if (a->self.cycles != b->self.cycles)
		return a->self.cycles < b->self.cycles ? 1 : -1;
	if (a->total != b->total)
		return a->total < b->total ? 1 : -1;
	return (a->func > b->func) - (a->func < b->func);
}

/* Writes a function: its number, own cycles, total cycles, calls, own instructions, total
 * instructions, and pairs of class and slots. */
static void write_function(const struct function *f, unsigned columns, FILE *file)
{
	fprintf(file,
		"[%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
		",[",
		f->func, f->self.cycles, f->total, f->self.calls, f->self.instructions,
		f->total_instructions);
	bool any = false;
	for (unsigned c = 0; c < columns; c++)
		if (f->lost[c]) {
			fprintf(file, "%s%u,%" PRIu64, any ? "," : "", c, f->lost[c]);
			any = true;
		}
	fputs("]]", file);
}

static bool is_listed(const struct tr_explore *x, const struct function *f)
{
	return x->funcs[f->func].kind != TR_FRAME_LINE &&
	       (f->total || f->self.calls || f->self.instructions);
}

static void write_listed(const struct explore_view *view, struct function *functions,
			 FILE *file)
{
	const struct tr_explore *x = view->x;
	size_t count = 0, more = 0;
	uint64_t more_cycles = 0;
	qsort(functions, x->nfuncs, sizeof(*functions), by_cost);
	fputs(",\n\"functions\":[", file);
	for (size_t i = 0; i < x->nfuncs; i++) {
		const struct function *f = &functions[i];
		if (!is_listed(x, f))
			continue;
		if (view->choice.width && count == MOST_FUNCTIONS) {
			more++;
			more_cycles += f->self.cycles;
			continue;
		}
		fputs(count++ ? ",\n" : "\n", file);
		write_function(f, explore_columns(x), file);
	}
	fprintf(file, "],\n\"more\":[%zu,%" PRIu64 "]", more, more_cycles);
}

static int write_functions(const struct explore_view *view, FILE *file)
{
	const struct tr_explore *x = view->x;
	const unsigned columns = explore_columns(x);
	struct function *functions = calloc(x->nfuncs + 1, sizeof(*functions));
	uint64_t *lost = calloc(x->nfuncs * columns + 1, sizeof(*lost));
	uint32_t *stack = calloc(TR_PROFILE_DEPTH + 2, sizeof(*stack));
	const bool has_room = functions && lost && stack;
	for (size_t i = 0; i < x->nfuncs && has_room; i++) {
		functions[i].func = (uint32_t)i;
		functions[i].lost = lost + i * columns;
	}
	if (has_room) {
		sum_functions(view, functions, stack);
		write_listed(view, functions, file);
	}
	free(functions);
	free(lost);
	free(stack);
	return has_room ? TR_OK : TR_E_NOMEM;
}

/* ------------------------------------------------------------ answers */

int tr_explore_view(struct tr_explore *x, const struct tr_explore_choice *choice,
		    FILE *file)
{
	struct explore_view view;
	int status = tr_explore_sum(x, choice, &view);
	if (!status) {
		fprintf(file,
			"{\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"cycles\":%" PRIu64
			",\"instructions\":%" PRIu64 ",\"lost\":[",
			view.first * x->length, view.end * x->length, view.sum.cycles,
			view.sum.instructions);
		for (unsigned c = 0; c < explore_columns(x); c++)
			fprintf(file, "%s%" PRIu64, c ? "," : "", view.sum_lost[c]);
		putc(']', file);
		write_path(&view, file);
		status = write_frames(&view, file);
	}
	if (!status)
		status = write_functions(&view, file);
	if (!status)
		fputs("}\n", file);
	tr_explore_sum_release(&view);
	return status;
}

/* Adds the nodes that have cycles to a tree of names. Returns a status. */
static int fold_nodes(const struct explore_view *view, struct tr_folded *folded)
{
	const struct tr_explore *x = view->x;
	uint32_t *id = calloc(x->nnodes, sizeof(*id));
	int status = id ? TR_OK : TR_E_NOMEM;
	for (uint32_t node = 1; node < x->nnodes && !status; node++) {
		const struct explore_node *n = &x->nodes[node];
		const char *name = x->funcs[n->func].name;
		if (!view->total[node].cycles)
			continue;
		status = tr_folded_child(folded, id[n->parent], name, strlen(name), 0,
					 &id[node]);
		if (!status)
			status =
			    tr_folded_add(folded, id[node], 0, view->self[node].cycles);
	}
	free(id);
	return status;
}

int tr_explore_folded(struct tr_explore *x, const struct tr_explore_choice *choice,
		      FILE *file)
{
	struct explore_view view;
	struct tr_folded *folded = tr_folded_new();
	int status = tr_explore_sum(x, choice, &view);
	if (!status && !folded)
		status = TR_E_NOMEM;
	if (!status)
		status = fold_nodes(&view, folded);
	if (!status)
		status = tr_folded_write(folded, 0, 0, file);
	tr_explore_sum_release(&view);
	tr_folded_free(folded);
	return status;
}
