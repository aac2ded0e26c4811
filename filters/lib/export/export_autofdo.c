/* SPDX-License-Identifier: Apache-2.0 */
/* AutoFDO's profile as text, as llvm-profdata reads it: for each function its lines,
 * counted from that of its declaration, with the executions of each; inlined calls are in
 * the lines of their callers. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "export/export_code.h"
#include "export/export_formats.h"

enum { OFFSETS = 0xffff };

/* A function, or an inlined call at a line of another one. */
struct context {
	const char *name;
	uint64_t total, head;
	uint32_t around; /* 0: a function */
	uint32_t binary, offset, discriminator;
};

/* Executions of a line, or, with a target, its calls of that function. */
struct sample {
	uint64_t count;
	const char *target; /* NULL: executions */
	uint32_t context, offset, discriminator;
};

/* Executions of an instruction. */
struct place {
	uint64_t address, count;
	uint32_t binary, spot;
};

struct autofdo {
	const struct tr_export *export;
	struct tr_export_code code;
	struct context *contexts; /* from 1 */
	struct sample *samples;
	struct place *places;
	size_t ncontexts, contexts_room, nsamples, samples_room, nplaces, places_room;
	struct tr_map by_scope, by_key; /* contexts */
	struct tr_map sample_ids;
	FILE *file;
};

static int refuse_autofdo(const struct tr_export *export, const char *reason)
{
	snprintf(export->message, export->size, "%s", reason);
	return TR_E_ARGUMENT;
}

static const char *linkage_of(const struct tr_scope *scope)
{
	return *scope->linkage ? scope->linkage : scope->name;
}

static uint32_t line_offset(const struct tr_reader *r, uint32_t scope, uint32_t line)
{
	return (line - tr_reader_scope(r, scope)->line) & OFFSETS;
}

/* Returns the context of a scope of a binary, which may be new; 0 when out of memory. */
static uint32_t find_context(struct autofdo *a, uint32_t binary, uint32_t id)
{
	const struct tr_reader *r = a->code.reader;
	const struct tr_scope *scope = tr_reader_scope(r, id);
	uint32_t known = tr_map_get(&a->by_scope, tr_pair_key(binary, id));
	if (known != TR_MAP_NONE)
		return known;
	struct context context = {.name = linkage_of(scope), .binary = binary};
	if (scope->around) {
		context.around = find_context(a, binary, scope->around);
		context.offset = line_offset(r, scope->around, scope->call_line);
		context.discriminator = scope->call_discriminator;
	}
	const uint32_t key[] = {binary, context.around, context.offset,
				context.discriminator};
	uint64_t hash = XXH3_64bits_withSeed(context.name, strlen(context.name),
					     XXH3_64bits(key, sizeof(key)));
	known = tr_map_get(&a->by_key, hash);
	if (known == TR_MAP_NONE) {
		known = (uint32_t)a->ncontexts + 1;
		if (!tr_grow(&a->contexts, &a->contexts_room, known + 1UL,
			     sizeof(*a->contexts)) ||
		    !tr_map_set(&a->by_key, hash, known))
			return 0;
		a->contexts[++a->ncontexts] = context;
	}
	return tr_map_set(&a->by_scope, tr_pair_key(binary, id), known) ? known : 0;
}

/* Returns the sample of a line, or of its calls of `target`; NULL when out of memory. */
static struct sample *sample_of(struct autofdo *a, uint32_t binary,
				const struct tr_spot *spot, const char *target)
{
	struct sample sample = {.target = target,
				.context = find_context(a, binary, spot->scope),
				.offset =
				    line_offset(a->code.reader, spot->scope, spot->line),
				.discriminator = spot->discriminator};
	const uint32_t key[] = {sample.context, sample.offset, sample.discriminator,
				target != NULL};
	uint64_t hash = XXH3_64bits(key, sizeof(key));
	if (target)
		hash = XXH3_64bits_withSeed(target, strlen(target), hash);
	uint32_t id = tr_map_get(&a->sample_ids, hash);
	if (id != TR_MAP_NONE)
		return &a->samples[id];
	id = (uint32_t)a->nsamples;
	if (!sample.context || !tr_map_set(&a->sample_ids, hash, id) ||
	    !tr_grow(&a->samples, &a->samples_room, id + 1UL, sizeof(*a->samples)))
		return NULL;
	a->samples[a->nsamples++] = sample;
	return &a->samples[id];
}

/* --- sums */

static int compare_places(const void *a, const void *b)
{
	const struct place *x = a, *y = b;
	if (x->binary != y->binary)
		return x->binary < y->binary ? -1 : 1;
	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->spot > y->spot) - (x->spot < y->spot);
}

/* Lists the instructions that are in a known line. */
static int list_places(struct autofdo *a)
{
	const struct tr_reader *r = a->code.reader;
	for (size_t i = 0; i < a->code.ncounts; i++) {
		const struct tr_export_count *count = &a->code.counts[i];
		const struct tr_span *span = tr_reader_span(r, count->span);
		if (!tr_grow(&a->places, &a->places_room, a->nplaces + span->count,
			     sizeof(*a->places)))
			return TR_E_NOMEM;
		for (uint32_t k = 0; k < span->count; k++) {
			const struct tr_spot *spot = tr_reader_spot(r, span->first + k);
			if (spot->scope && spot->line)
				a->places[a->nplaces++] = (struct place){
				    .address = span->address + spot->offset,
				    .count = count->executions,
				    .binary = span->binary,
				    .spot = span->first + k};
		}
	}
	if (a->nplaces)
		qsort(a->places, a->nplaces, sizeof(*a->places), compare_places);
	return TR_OK;
}

/* Adds the executions of an instruction to its line, and to the totals around it. */
static int add_line_executions(struct autofdo *a, const struct place *place,
			       uint64_t count)
{
	const struct tr_reader *r = a->code.reader;
	const struct tr_spot *spot = tr_reader_spot(r, place->spot);
	const struct tr_span *span = tr_reader_span(r, spot->span);
	struct sample *sample = sample_of(a, place->binary, spot, NULL);
	if (!sample)
		return TR_E_NOMEM;
	if (count > sample->count)
		sample->count = count;
	uint32_t at = sample->context, root = at;
	for (; at; root = at, at = a->contexts[at].around)
		if (__builtin_add_overflow(a->contexts[at].total, count,
					   &a->contexts[at].total))
			return TR_E_CORRUPT;
	if (tr_reader_func(r, span->func)->address == place->address)
		a->contexts[root].head += count;
	return TR_OK;
}

/* An instruction may be in several spans, and run with several stacks. */
static int add_all_executions(struct autofdo *a)
{
	int status = TR_OK;
	for (size_t i = 0, next; i < a->nplaces && !status; i = next) {
		uint64_t count = 0;
		for (next = i;
		     next < a->nplaces && a->places[next].binary == a->places[i].binary &&
		     a->places[next].address == a->places[i].address;
		     next++)
			if (__builtin_add_overflow(count, a->places[next].count, &count))
				return TR_E_CORRUPT;
		status = add_line_executions(a, &a->places[i], count);
	}
	return status;
}

/* Marks the instructions that called a function. Returns NULL when out of memory. */
static bool *find_sites(const struct autofdo *a)
{
	bool *sites = calloc(tr_reader_spot_count(a->code.reader) + 1UL, sizeof(*sites));
	for (size_t i = 0; sites && i < a->code.nnodes; i++)
		if (a->code.sites[i] != TR_NO_SPOT)
			sites[a->code.sites[i]] = true;
	return sites;
}

/* Returns the name of the function that a branch calls, or NULL. A branch to the
 * beginning of its own function is a call only if it made a frame. */
static const char *name_branch_target(const struct autofdo *a,
				      const struct tr_branch *branch, const bool *sites)
{
	const struct tr_reader *r = a->code.reader;
	const struct tr_spot *from = tr_reader_spot(r, branch->from);
	const struct tr_spot *to = tr_reader_spot(r, branch->to);
	const uint32_t func = tr_reader_span(r, to->span)->func;
	if (!from->scope || !from->line || !to->scope ||
	    tr_export_address(r, branch->to) != tr_reader_func(r, func)->address ||
	    (tr_reader_span(r, from->span)->func == func && !sites[branch->from]))
		return NULL;
	uint32_t scope = to->scope;
	while (tr_reader_scope(r, scope)->around)
		scope = tr_reader_scope(r, scope)->around;
	return linkage_of(tr_reader_scope(r, scope));
}

static int add_targets(struct autofdo *a)
{
	bool *sites = find_sites(a);
	int status = sites ? TR_OK : TR_E_NOMEM;
	for (size_t i = 0; i < a->code.nbranches && !status; i++) {
		const struct tr_branch *branch = &a->code.branches[i];
		const struct tr_spot *from = tr_reader_spot(a->code.reader, branch->from);
		const char *target = name_branch_target(a, branch, sites);
		if (!target)
			continue;
		uint32_t binary = tr_reader_span(a->code.reader, from->span)->binary;
		struct sample *sample = sample_of(a, binary, from, target);
		if (!sample)
			status = TR_E_NOMEM;
		else if (__builtin_add_overflow(sample->count, branch->count,
						&sample->count))
			status = TR_E_CORRUPT;
	}
	free(sites);
	return status;
}

/* --- output */

static int compare_samples(const void *a, const void *b)
{
	const struct sample *x = a, *y = b;
	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->discriminator != y->discriminator)
		return x->discriminator < y->discriminator ? -1 : 1;
	if (!x->target || !y->target)
		return (x->target != NULL) - (y->target != NULL);
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return strcmp(x->target, y->target);
}

/* Contexts by their own order, for qsort(). */
struct listed {
	const struct context *context;
	uint32_t id;
};

static int compare_contexts(const void *a, const void *b)
{
	const struct context *x = ((const struct listed *)a)->context;
	const struct context *y = ((const struct listed *)b)->context;
	if (x->around != y->around)
		return x->around < y->around ? -1 : 1;
	if (x->binary != y->binary)
		return x->binary < y->binary ? -1 : 1;
	if (!x->around && x->total != y->total)
		return x->total > y->total ? -1 : 1;
	if (x->offset != y->offset)
		return x->offset < y->offset ? -1 : 1;
	if (x->discriminator != y->discriminator)
		return x->discriminator < y->discriminator ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void put_place(FILE *file, unsigned depth, uint32_t offset, uint32_t discriminator)
{
	fprintf(file, "%*s%" PRIu32, (int)depth, "", offset);
	if (discriminator)
		fprintf(file, ".%" PRIu32, discriminator);
	fputs(": ", file);
}

/* Writes the lines of a context, each with the functions that it called. */
static void write_context_lines(const struct autofdo *a, uint32_t context, unsigned depth)
{
	size_t low = 0, high = a->nsamples;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (a->samples[middle].context < context)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < a->nsamples && a->samples[low].context == context; low++) {
		const struct sample *s = &a->samples[low];
		const struct sample *next = s + 1;
		if (s->target)
			continue;
		put_place(a->file, depth, s->offset, s->discriminator);
		fprintf(a->file, "%" PRIu64, s->count);
		for (; next < a->samples + a->nsamples && next->target &&
		       next->context == context && next->offset == s->offset &&
		       next->discriminator == s->discriminator;
		     next++)
			fprintf(a->file, " %s:%" PRIu64, next->target, next->count);
		fputc('\n', a->file);
	}
}

/* Writes the contexts in `around`, which are sorted. */
static void write_inner_contexts(const struct autofdo *a, const struct listed *list,
				 uint32_t around, unsigned depth)
{
	size_t low = 0, high = a->ncontexts;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (list[middle].context->around < around)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < a->ncontexts && list[low].context->around == around; low++) {
		const struct context *c = list[low].context;
		put_place(a->file, depth, c->offset, c->discriminator);
		fprintf(a->file, "%s:%" PRIu64 "\n", c->name, c->total);
		write_context_lines(a, list[low].id, depth + 1);
		write_inner_contexts(a, list, list[low].id, depth + 1);
	}
}

/* Names the binary of the following functions, in a comment. */
static void write_binary_comment(const struct autofdo *a, uint32_t binary)
{
	const char *name = tr_header_bin(a->export->header, binary, ".name");
	fprintf(a->file, "# %s\n", name ? name : "unknown");
}

static int write_all_contexts(struct autofdo *a)
{
	struct listed *list = calloc(a->ncontexts + 1, sizeof(*list));
	if (!list)
		return TR_E_NOMEM;
	for (uint32_t i = 1; i <= a->ncontexts; i++)
		list[i - 1] = (struct listed){&a->contexts[i], i};
	if (a->ncontexts)
		qsort(list, a->ncontexts, sizeof(*list), compare_contexts);
	if (a->nsamples)
		qsort(a->samples, a->nsamples, sizeof(*a->samples), compare_samples);
	uint32_t binary = UINT32_MAX;
	for (size_t i = 0; i < a->ncontexts && !list[i].context->around; i++) {
		const struct context *c = list[i].context;
		if (c->binary != binary)
			write_binary_comment(a, c->binary);
		binary = c->binary;
		fprintf(a->file, "%s:%" PRIu64 ":%" PRIu64 "\n", c->name, c->total,
			c->head);
		write_context_lines(a, list[i].id, 1);
		write_inner_contexts(a, list, list[i].id, 1);
	}
	free(list);
	return TR_OK;
}

static int autofdo_begin(const struct tr_export *export, void **state, FILE *file)
{
	(void)file;
	if (!tr_header_get(export->header, "addresses"))
		return refuse_autofdo(export,
				      "no counts by address in the stream; run tr-unwind "
				      "--addresses");
	if (!tr_export_code_fits(export))
		return refuse_autofdo(
		    export, "counts by address are of the whole run: not with --from, "
			    "--to, --idle, --focus, or --by process, thread, "
			    "privilege, hart");
	*state = calloc(1, sizeof(struct autofdo));
	return *state ? TR_OK : TR_E_NOMEM;
}

static int autofdo_take_frame(const struct tr_export *export, void *state,
			      const struct tr_reader *reader,
			      const struct tr_sframe *frame, FILE *file)
{
	struct autofdo *a = state;
	(void)file;
	return tr_export_code_take(&a->code, export, reader, frame, true);
}

static void free_autofdo_sums(struct autofdo *a)
{
	tr_map_free(&a->by_scope);
	tr_map_free(&a->by_key);
	tr_map_free(&a->sample_ids);
	free(a->contexts);
	free(a->samples);
	free(a->places);
}

static int write_autofdo(const struct tr_export *export, void *state, FILE *file)
{
	struct autofdo *a = state;
	int status;
	a->export = export;
	a->file = file;
	if ((status = list_places(a)))
		return status;
	if (!a->nplaces)
		return refuse_autofdo(export,
				      "no source lines: compile the program with -g, but "
				      "not with -gsplit-dwarf");
	if (!(status = add_all_executions(a)) && !(status = add_targets(a)))
		status = write_all_contexts(a);
	return status;
}

static void autofdo_release(void *state)
{
	struct autofdo *a = state;
	free_autofdo_sums(a);
	tr_export_code_release(&a->code);
	free(a);
}

const struct tr_export_format tr_export_autofdo = {
    .name = "autofdo",
    .suffix = ".afdo",
    .summary = "for llvm-profdata; needs tr-unwind --addresses, and -g",
    .has_no_parts = true,
    .write = write_autofdo,
    .begin = autofdo_begin,
    .take = autofdo_take_frame,
    .release = autofdo_release,
};
