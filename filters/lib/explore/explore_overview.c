/* SPDX-License-Identifier: Apache-2.0 */
/* The answers about the whole run: what there is, and what there is of it over time. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"
#include "flame/picture.h"
#include "profile/tma.h"

enum {
	LANES = 10,	 /* processes with a lane */
	MOST_NAMES = 500 /* in a list of processes or threads, which tells the number */
};

static void write_colour(struct flame_colour colour, FILE *file)
{
	fprintf(file, "[%u,%u,%u]", colour.hue, colour.saturation, colour.light);
}

/* Writes the groups of classes with their colours, retiring first, and of each class its
 * group. */
static void write_groups(const struct tr_classes *classes, FILE *file)
{
	fputs(",\"groups\":[[\"retiring\",", file);
	write_colour(tr_flame_retiring_colour(), file);
	putc(']', file);
	for (unsigned group = 0; group < classes->ngroups; group++) {
		fputs(",[", file);
		tr_flame_quoted(file, tr_tma_group(classes->group_name[group]));
		putc(',', file);
		write_colour(tr_flame_group_colour(classes, group), file);
		putc(']', file);
	}
	fputs("],\"group_of\":[", file);
	for (unsigned c = 1; c <= classes->count; c++)
		fprintf(file, "%s%u", c > 1 ? "," : "", classes->group[c] + 1U);
	putc(']', file);
}

int tr_explore_run(struct tr_explore *x, FILE *file)
{
	fprintf(file,
		"{\"done\":%s,\"end\":%" PRIu64 ",\"cycles\":%" PRIu64
		",\"instructions\":%" PRIu64 ",\"length\":%" PRIu64
		",\"slices\":%zu,\"width\":%u,\"untimed\":%s,\"functions\":%zu,"
		"\"stacks\":%zu,\"marks\":%zu,\"cut_off\":",
		x->is_done ? "true" : "false", x->end, x->cycles, x->instructions,
		x->length, tr_explore_slices(x), x->width,
		x->is_untimed ? "true" : "false", x->nfuncs, x->nnodes - 1, x->nmarks);
	tr_flame_quoted(file, x->cut_off ? x->cut_off : "");
	fputs(",\"classes\":[", file);
	for (unsigned c = 1; c <= x->classes.count; c++) {
		fputs(c > 1 ? "," : "", file);
		tr_flame_quoted(file, x->classes.name[c]);
	}
	putc(']', file);
	write_groups(&x->classes, file);
	fputs("}\n", file);
	return TR_OK;
}

int tr_explore_names(struct tr_explore *x, uint32_t since, FILE *file)
{
	putc('[', file);
	for (size_t i = since; i < x->nfuncs; i++) {
		const struct explore_func *f = &x->funcs[i];
		fputs(i > since ? ",\n[" : "\n[", file);
		tr_flame_quoted(file, f->name);
		putc(',', file);
		tr_flame_quoted(file, f->binary);
		fprintf(file, ",%u,%u,\"%" PRIx64 "\"]", f->kind, f->tint, f->address);
	}
	fputs("]\n", file);
	return TR_OK;
}

/* ------------------------------------------------------------ lanes */

/* Cycles of each context, slice by slice, and sums of those that are chosen. */
struct lanes {
	const struct tr_explore *x;
	const struct tr_explore_choice *choice;
	size_t slices, slice;
	struct explore_tally *tally; /* by slice */
	uint64_t *lost;		     /* by slice and class */
	uint64_t *by_process, *by_thread;
	uint64_t *lane;	   /* by lane and slice */
	uint32_t *lane_of; /* of a process: 1 + its lane, or 0 */
	uint64_t *hart;	   /* by hart and slice */
	uint32_t harts[TR_MAX_HARTS];
	uint32_t nharts;
};

/* Returns the index of a hart, which may be new. */
static uint32_t index_of_hart(struct lanes *l, uint32_t hart)
{
	uint32_t i = 0;
	while (i < l->nharts && l->harts[i] != hart)
		i++;
	if (i == l->nharts && i < TR_MAX_HARTS)
		l->harts[l->nharts++] = hart;
	return i;
}

static int sum_names(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	struct lanes *l = context;
	const struct explore_context *of = &l->x->contexts[sum->key];
	(void)lost;
	l->by_process[of->process] += sum->cycles;
	l->by_thread[of->thread] += sum->cycles;
	return index_of_hart(l, of->hart) < TR_MAX_HARTS ? TR_OK : TR_E_CORRUPT;
}

static int sum_lanes(void *context, const struct tr_sum *sum, const uint64_t *lost)
{
	struct lanes *l = context;
	const struct explore_context *of = &l->x->contexts[sum->key];
	const unsigned columns = explore_columns(l->x);
	const uint32_t lane = l->lane_of[of->process];
	if (lane)
		l->lane[(lane - 1) * l->slices + l->slice] += sum->cycles;
	l->hart[index_of_hart(l, of->hart) * l->slices + l->slice] += sum->cycles;
	if (!tr_explore_chooses(l->choice, of))
		return TR_OK;
	l->tally[l->slice].cycles += sum->cycles;
	l->tally[l->slice].instructions += sum->instructions;
	for (unsigned c = 0; c < columns; c++)
		l->lost[l->slice * columns + c] += lost[c];
	return TR_OK;
}

static int each_slice(struct tr_explore *x, struct lanes *l,
		      int (*take)(void *, const struct tr_sum *, const uint64_t *))
{
	int status = TR_OK;
	for (l->slice = 0; l->slice < l->slices && !status; l->slice++)
		status = tr_explore_lanes(x, l->slice, take, l);
	return status;
}

static const uint64_t *sorted_cycles; /* qsort() has no argument */

static int by_cycles(const void *left, const void *right)
{
	const uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	const uint64_t x = sorted_cycles[a], y = sorted_cycles[b];
	return x != y ? (x > y ? -1 : 1) : (a > b) - (a < b);
}

/* Returns the names in order of their cycles, which the caller frees, or NULL. */
static uint32_t *order_names(const struct explore_names *names, const uint64_t *cycles)
{
	uint32_t *order = calloc(names->count + 1, sizeof(*order));
	for (size_t i = 0; order && i < names->count; i++)
		order[i] = (uint32_t)i;
	sorted_cycles = cycles;
	if (order)
		qsort(order, names->count, sizeof(*order), by_cycles);
	return order;
}

static void write_names(const char *key, const struct explore_names *names,
			const uint32_t *order, const uint64_t *cycles, FILE *file)
{
	fprintf(file, ",\n\"%s\":[", key);
	for (size_t i = 0; i < names->count && i < MOST_NAMES; i++) {
		fprintf(file, "%s[%" PRIu32 ",", i ? "," : "", order[i]);
		tr_flame_quoted(file, names->list[order[i]].name);
		fprintf(file, ",%" PRIu64 "]", cycles[order[i]]);
	}
	fprintf(file, "],\n\"all_%s\":%zu", key, names->count);
}

static void write_series(const uint64_t *values, size_t step, size_t count, FILE *file)
{
	putc('[', file);
	for (size_t i = 0; i < count; i++)
		fprintf(file, "%s%" PRIu64, i ? "," : "", values[i * step]);
	putc(']', file);
}

static void write_tallies(const struct lanes *l, FILE *file)
{
	const size_t step = sizeof(*l->tally) / sizeof(uint64_t);
	const unsigned columns = explore_columns(l->x);
	fprintf(file, "{\"length\":%" PRIu64 ",\n\"cycles\":", l->x->length);
	write_series(&l->tally[0].cycles, step, l->slices, file);
	fputs(",\n\"instructions\":", file);
	write_series(&l->tally[0].instructions, step, l->slices, file);
	fputs(",\n\"lost\":[", file);
	for (unsigned c = 0; c < columns; c++) {
		fputs(c ? ",\n" : "\n", file);
		write_series(l->lost + c, columns, l->slices, file);
	}
	fputs("],\n\"harts\":[", file);
	for (uint32_t i = 0; i < l->nharts; i++) {
		fprintf(file, "%s[%" PRIu32 ",", i ? ",\n" : "\n", l->harts[i]);
		write_series(l->hart + i * l->slices, 1, l->slices, file);
		putc(']', file);
	}
	putc(']', file);
}

/* Gives the processes with most cycles a lane each. Returns a status. */
static int choose_lanes(struct lanes *l, const uint32_t *order, size_t *count)
{
	const size_t all = l->x->processes.count;
	*count = all < LANES ? all : LANES;
	l->lane = calloc(*count * l->slices + 1, sizeof(*l->lane));
	l->hart = calloc(l->nharts * l->slices + 1, sizeof(*l->hart));
	for (size_t i = 0; i < *count; i++)
		l->lane_of[order[i]] = (uint32_t)i + 1;
	return l->lane && l->hart ? TR_OK : TR_E_NOMEM;
}

static int write_overview(struct tr_explore *x, struct lanes *l, FILE *file)
{
	size_t count = 0;
	uint32_t *processes = order_names(&x->processes, l->by_process);
	uint32_t *threads = order_names(&x->threads, l->by_thread);
	int status =
	    processes && threads ? choose_lanes(l, processes, &count) : TR_E_NOMEM;
	if (!status)
		status = each_slice(x, l, sum_lanes);
	if (!status) {
		write_tallies(l, file);
		write_names("processes", &x->processes, processes, l->by_process, file);
		write_names("threads", &x->threads, threads, l->by_thread, file);
		fputs(",\n\"lanes\":[", file);
		for (size_t i = 0; i < count; i++) {
			fprintf(file, "%s[%" PRIu32 ",", i ? ",\n" : "\n", processes[i]);
			write_series(l->lane + i * l->slices, 1, l->slices, file);
			putc(']', file);
		}
		fputs("]}\n", file);
	}
	free(processes);
	free(threads);
	return status;
}

int tr_explore_overview(struct tr_explore *x, const struct tr_explore_choice *choice,
			FILE *file)
{
	struct lanes l = {.x = x, .choice = choice, .slices = tr_explore_slices(x)};
	l.tally = calloc(l.slices + 1, sizeof(*l.tally));
	l.lost = calloc(l.slices * explore_columns(x) + 1, sizeof(*l.lost));
	l.by_process = calloc(x->processes.count + 1, sizeof(*l.by_process));
	l.by_thread = calloc(x->threads.count + 1, sizeof(*l.by_thread));
	l.lane_of = calloc(x->processes.count + 1, sizeof(*l.lane_of));
	int status = TR_E_NOMEM;
	if (l.tally && l.lost && l.by_process && l.by_thread && l.lane_of)
		status = each_slice(x, &l, sum_names);
	if (!status)
		status = write_overview(x, &l, file);
	free(l.tally);
	free(l.lost);
	free(l.by_process);
	free(l.by_thread);
	free(l.lane_of);
	free(l.lane);
	free(l.hart);
	return status;
}
