/* SPDX-License-Identifier: Apache-2.0 */
/* Callgrind's format, version 1, for KCachegrind and callgrind_annotate.
 *
 * The inclusive cost of a stack is charged to a call if it is the outermost one of the
 * called function, so that the calls of a function add up to its total although it
 * recurs. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "export/export_events.h"
#include "export/export_formats.h"

/* A position in the source and the code. */
struct position {
	const char *file;
	uint64_t address;
	uint32_t line;
};

/* Cost of a function at a position, by itself or in a call. */
struct cost {
	struct position at;
	const struct tr_func *func, *callee; /* callee NULL: by itself */
	uint64_t calls;
	uint32_t values; /* index of the first */
};

struct callgrind {
	const struct tr_export *export;
	struct tr_export_events events;
	struct cost *costs;
	uint64_t *values;
	size_t ncosts, costs_room, nvalues, values_room;
	struct tr_map ids;   /* costs by hash */
	struct tr_map files; /* file of each function, by its address in memory */
	const char **file_list;
	size_t nfiles, files_room;
	struct tr_map names[3]; /* of objects, files, functions: the number */
	uint32_t nnames[3];
	FILE *file;
};

static const char UNKNOWN[] = "???";

static bool same_cost(const struct cost *a, const struct cost *b)
{
	return a->func == b->func && a->callee == b->callee &&
	       a->at.address == b->at.address && a->at.line == b->at.line &&
	       strcmp(a->at.file, b->at.file) == 0;
}

/* Adds values (NULL: zero) to a cost, which may be new. Returns a status. */
static int add_cost(struct callgrind *c, const struct cost *cost, const uint64_t *values)
{
	const unsigned n = c->events.count;
	uint64_t key = tr_mix((uintptr_t)cost->func) + tr_mix(~(uintptr_t)cost->callee) +
		       tr_mix(cost->at.address * 2 + 1) + cost->at.line +
		       XXH3_64bits(cost->at.file, strlen(cost->at.file));
	uint32_t id;
	while ((id = tr_map_get(&c->ids, key)) != TR_MAP_NONE &&
	       !same_cost(&c->costs[id], cost))
		key++;
	if (id == TR_MAP_NONE) {
		id = (uint32_t)c->ncosts;
		if (!tr_map_set(&c->ids, key, id) ||
		    !tr_grow(&c->costs, &c->costs_room, id + 1UL, sizeof(*c->costs)) ||
		    !tr_grow(&c->values, &c->values_room, c->nvalues + n,
			     sizeof(*c->values)))
			return TR_E_NOMEM;
		c->costs[c->ncosts++] = *cost;
		c->costs[id].values = (uint32_t)c->nvalues;
		c->costs[id].calls = 0;
		memset(&c->values[c->nvalues], 0, n * sizeof(*c->values));
		c->nvalues += n;
	}
	c->costs[id].calls += cost->calls;
	for (unsigned k = 0; values && k < n; k++)
		c->values[c->costs[id].values + k] += values[k];
	return TR_OK;
}

/* Returns the position of an instruction. Notes the file of its function. */
static struct position position_of(struct callgrind *c, uint32_t id,
				   const struct tr_func *func)
{
	const struct tr_reader *r = c->events.code.reader;
	const struct tr_spot *spot = tr_reader_spot(r, id);
	struct position at = {
	    .file = UNKNOWN, .address = tr_export_address(r, id), .line = spot->line};
	uint32_t root = spot->scope;
	if (!root)
		return at;
	if (*tr_reader_scope(r, root)->file)
		at.file = tr_reader_scope(r, root)->file;
	while (tr_reader_scope(r, root)->around)
		root = tr_reader_scope(r, root)->around;
	const char *file = tr_reader_scope(r, root)->file;
	if (*file && tr_map_get(&c->files, tr_mix((uintptr_t)func)) == TR_MAP_NONE &&
	    tr_grow(&c->file_list, &c->files_room, c->nfiles + 1,
		    sizeof(*c->file_list))) {
		tr_map_set(&c->files, tr_mix((uintptr_t)func), (uint32_t)c->nfiles);
		c->file_list[c->nfiles++] = file;
	}
	return at;
}

static const char *file_of(const struct callgrind *c, const struct tr_func *func)
{
	uint32_t id = tr_map_get(&c->files, tr_mix((uintptr_t)func));
	return id == TR_MAP_NONE ? UNKNOWN : c->file_list[id];
}

static int add_part_cost(void *context, const struct tr_export_part *part)
{
	struct callgrind *c = context;
	uint32_t parent;
	struct cost cost = {.at = {.file = ""}};
	cost.func = tr_profile_frame(
	    c->export->profile, tr_export_base(c->export->profile, part->node), &parent);
	if (part->spot != TR_NO_SPOT)
		cost.at = position_of(c, part->spot, cost.func);
	return add_cost(c, &cost, part->values);
}

/* --- calls */

/* Returns true if the function of a node is also below it on the stack. */
static bool is_recursive_node(const struct tr_profile *profile, uint32_t node)
{
	uint32_t parent, next;
	const struct tr_func *func = tr_profile_frame(profile, node, &parent);
	for (; parent; parent = next)
		if (tr_profile_frame(profile, parent, &next) == func)
			return true;
	return false;
}

/* Adds the call of a node, given the sums of its stacks. */
static int add_call(struct callgrind *c, uint32_t node, const uint64_t *sums)
{
	const struct tr_profile *profile = c->export->profile;
	const struct tr_reader *r = c->events.code.reader;
	const uint32_t site = tr_export_site(&c->events.code, node);
	uint32_t parent, ignored;
	struct cost cost = {.callee = tr_profile_frame(profile, node, &parent),
			    .at = {.file = ""}};
	bool any = false;
	for (unsigned k = 0; k < c->events.count; k++)
		any |= sums[k] != 0;
	if (!parent || !any)
		return TR_OK;
	parent = tr_export_base(profile, parent);
	cost.func = tr_profile_frame(profile, parent, &ignored);
	if (node < c->events.code.nnodes)
		cost.calls = c->events.code.calls[node];
	if (site != TR_NO_SPOT) {
		const struct tr_span *span =
		    tr_reader_span(r, tr_reader_spot(r, site)->span);
		if (tr_export_code_same(cost.func, tr_reader_func(r, span->func)))
			cost.at = position_of(c, site, cost.func);
	}
	return add_cost(c, &cost, is_recursive_node(profile, node) ? NULL : sums);
}

static int add_call_costs(struct callgrind *c)
{
	const struct tr_profile *profile = c->export->profile;
	const unsigned n = c->events.count;
	const uint32_t nodes = tr_profile_node_count(profile);
	uint64_t *sums = calloc((size_t)nodes * n, sizeof(*sums));
	uint64_t values[TR_EXPORT_EVENTS];
	struct tr_profile_stack stack;
	int status = sums ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0;
	     !status && tr_export_events_stack(&c->events, c->export, i, &stack, values);
	     i++)
		for (unsigned k = 0; k < n; k++)
			sums[(size_t)stack.node * n + k] += values[k];
	for (uint32_t node = nodes; node-- > 1 && !status;) {
		uint32_t parent;
		tr_profile_frame(profile, node, &parent);
		for (unsigned k = 0; k < n; k++)
			sums[(size_t)parent * n + k] += sums[(size_t)node * n + k];
		if (tr_export_base(profile, node) == node)
			status = add_call(c, node, &sums[(size_t)node * n]);
	}
	free(sums);
	return status;
}

/* --- output */

static int compare_funcs(const struct tr_func *a, const struct tr_func *b)
{
	int order = strcmp(a->binary, b->binary);
	if (!order)
		order = strcmp(a->name, b->name);
	if (!order)
		order = (a->address > b->address) - (a->address < b->address);
	return order ? order : a->kind - b->kind;
}

static int compare_costs(const void *a, const void *b)
{
	const struct cost *x = a, *y = b;
	int order = compare_funcs(x->func, y->func);
	if (!order && (!x->callee || !y->callee))
		order = (x->callee != NULL) - (y->callee != NULL);
	if (!order && x->callee)
		order = compare_funcs(x->callee, y->callee);
	if (!order)
		order = strcmp(x->at.file, y->at.file);
	if (!order)
		order = (x->at.address > y->at.address) - (x->at.address < y->at.address);
	return order ? order : (x->at.line > y->at.line) - (x->at.line < y->at.line);
}

enum { OBJECTS, FILES, FUNCTIONS };
enum { NEAR = 1 << 16 };

/* Writes "KEY=(3) name", or "KEY=(3)" again. */
static void write_compressed_name(struct callgrind *c, unsigned kind, const char *key,
				  const char *name, uint64_t address)
{
	uint64_t hash = XXH3_64bits_withSeed(name, strlen(name), address);
	uint32_t id = tr_map_get(&c->names[kind], hash);
	if (id != TR_MAP_NONE) {
		fprintf(c->file, "%s=(%" PRIu32 ")\n", key, id);
		return;
	}
	id = ++c->nnames[kind];
	tr_map_set(&c->names[kind], hash, id);
	fprintf(c->file, "%s=(%" PRIu32 ") %s\n", key, id, name);
}

static void put_object(struct callgrind *c, const char *key, const struct tr_func *func)
{
	write_compressed_name(c, OBJECTS, key, *func->binary ? func->binary : UNKNOWN, 0);
}

/* Writes a position relative to one near it, "+3", else as it is. */
static void put_difference(FILE *file, uint64_t value, uint64_t before, bool is_address)
{
	if (value == before)
		fputs("* ", file);
	else if (value - before < NEAR)
		fprintf(file, "+%" PRIu64 " ", value - before);
	else if (before - value < NEAR)
		fprintf(file, "-%" PRIu64 " ", before - value);
	else
		fprintf(file, is_address ? "0x%" PRIx64 " " : "%" PRIu64 " ", value);
}

/* Writes a line of costs; positions are relative to those of the line before, if it is of
 * the same function and file. */
static void write_cost_line(struct callgrind *c, const struct cost *cost,
			    const struct position *before)
{
	const bool has_addresses = c->events.is_split;
	if (has_addresses && before)
		put_difference(c->file, cost->at.address, before->address, true);
	else if (has_addresses)
		fprintf(c->file, "0x%" PRIx64 " ", cost->at.address);
	if (before)
		put_difference(c->file, cost->at.line, before->line, false);
	else
		fprintf(c->file, "%" PRIu32 " ", cost->at.line);
	for (unsigned k = 0; k < c->events.count; k++)
		fprintf(c->file, "%s%" PRIu64, k ? " " : "", c->values[cost->values + k]);
	fputc('\n', c->file);
}

static void put_function(struct callgrind *c, const struct tr_func *func)
{
	fputc('\n', c->file);
	put_object(c, "ob", func);
	write_compressed_name(c, FILES, "fl", file_of(c, func), 0);
	write_compressed_name(c, FUNCTIONS, "fn", func->name, func->address + 1);
}

/* A call whose beginning was not traced counts as one: 0 is not in the format. */
static void write_call_cost(struct callgrind *c, const struct cost *cost)
{
	put_object(c, "cob", cost->callee);
	write_compressed_name(c, FILES, "cfi", file_of(c, cost->callee), 0);
	write_compressed_name(c, FUNCTIONS, "cfn", cost->callee->name,
			      cost->callee->address + 1);
	fprintf(c->file, "calls=%" PRIu64 " ", cost->calls ? cost->calls : 1);
	if (c->events.is_split)
		fprintf(c->file, "0x%" PRIx64 " ", cost->callee->address);
	fputs("0\n", c->file);
}

static void put_costs(struct callgrind *c)
{
	const struct cost *before = NULL;
	const char *file = NULL;
	for (size_t i = 0; i < c->ncosts; i++) {
		const struct cost *cost = &c->costs[i];
		if (!before || before->func != cost->func) {
			put_function(c, cost->func);
			file = file_of(c, cost->func);
			before = NULL;
		}
		const char *own = *cost->at.file ? cost->at.file : file_of(c, cost->func);
		if (strcmp(own, file) != 0) {
			write_compressed_name(c, FILES, "fi", own, 0);
			before = NULL;
		}
		file = own;
		if (cost->callee)
			write_call_cost(c, cost);
		write_cost_line(c, cost, before ? &before->at : NULL);
		before = cost;
	}
}

/* Writes the name of an event, which spaces separate. */
static void write_event_name(struct callgrind *c, unsigned k)
{
	const char *name = k == TR_EXPORT_CYCLES	 ? "Cycles"
			   : k == TR_EXPORT_INSTRUCTIONS ? "Instructions"
							 : c->events.names[k];
	fputc(' ', c->file);
	for (; *name; name++)
		fputc((unsigned char)*name <= ' ' ? '_' : *name, c->file);
}

static void write_callgrind_head(struct callgrind *c)
{
	uint64_t sums[TR_EXPORT_EVENTS] = {0};
	fprintf(c->file, "# callgrind format\nversion: 1\ncreator: tr-fold\n");
	fprintf(c->file, "desc: Note: %s\n", c->export->note);
	fprintf(c->file,
		"positions: %sline\nevents:", c->events.is_split ? "instr " : "");
	for (unsigned k = 0; k < c->events.count; k++)
		write_event_name(c, k);
	for (size_t i = 0; i < c->ncosts; i++)
		for (unsigned k = 0; k < c->events.count && !c->costs[i].callee; k++)
			sums[k] += c->values[c->costs[i].values + k];
	fputs("\nsummary:", c->file);
	for (unsigned k = 0; k < c->events.count; k++)
		fprintf(c->file, " %" PRIu64, sums[k]);
	fputc('\n', c->file);
}

static int callgrind_begin(const struct tr_export *export, void **state, FILE *file)
{
	struct callgrind *c = calloc(1, sizeof(*c));
	(void)file;
	*state = c;
	return c ? tr_export_events_begin(&c->events, export) : TR_E_NOMEM;
}

static int callgrind_take_frame(const struct tr_export *export, void *state,
				const struct tr_reader *reader,
				const struct tr_sframe *frame, FILE *file)
{
	struct callgrind *c = state;
	(void)file;
	return tr_export_events_take(&c->events, export, reader, frame);
}

static int write_callgrind(const struct tr_export *export, void *state, FILE *file)
{
	struct callgrind *c = state;
	c->export = export;
	c->file = file;
	int status = tr_export_events_end(&c->events, export);
	if (!status)
		status = tr_export_events_parts(&c->events, export, add_part_cost, c);
	if (!status)
		status = add_call_costs(c);
	if (status)
		return status;
	if (c->ncosts)
		qsort(c->costs, c->ncosts, sizeof(*c->costs), compare_costs);
	write_callgrind_head(c);
	put_costs(c);
	return TR_OK;
}

static void callgrind_release(void *state)
{
	struct callgrind *c = state;
	tr_export_events_release(&c->events);
	tr_map_free(&c->ids);
	tr_map_free(&c->files);
	for (unsigned i = 0; i < 3; i++)
		tr_map_free(&c->names[i]);
	free(c->costs);
	free(c->values);
	free(c->file_list);
	free(c);
}

const struct tr_export_format tr_export_callgrind = {
    .name = "callgrind",
    .suffix = ".callgrind",
    .summary = "for KCachegrind; by line with tr-unwind --addresses",
    .has_no_parts = true,
    .write = write_callgrind,
    .begin = callgrind_begin,
    .take = callgrind_take_frame,
    .release = callgrind_release,
};
