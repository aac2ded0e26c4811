/* SPDX-License-Identifier: Apache-2.0 */
/* Builds an index from the rows of a profile. */
#include <stdlib.h>
#include <string.h>

#include "explore/explore_state.h"
#include "flame/tint.h"

/* Slices behind the current one that stay open for the rows of other harts. */
enum { OPEN_SLICES = 2 };

/* Where a cell's sum is in the list with this serial number. */
struct last {
	uint64_t serial;
	size_t index;
};

struct explore_build {
	struct tr_profile *profile;
	const struct tr_reader *reader;
	struct tr_profile_slicer slicer;
	struct explore_marks *marks;
	struct tr_map context_index; /* by number, probing key + 1, … */
	struct tr_map cell_index;    /* by context and node */
	struct last *last;	     /* of each cell */
	size_t last_room;
	uint32_t *called; /* nodes of functions that were called where a row begins */
	size_t ncalled, called_room;
	uint32_t context, cell; /* of the row */
	uint64_t serial;
	size_t oldest; /* no slice before it is open */
	size_t newest; /* slice in which the last row began */
};

/* ------------------------------------------------------------ cells */

static bool is_context(const struct explore_context *a, const struct explore_context *b)
{
	return a->hart == b->hart && a->thread == b->thread && a->process == b->process;
}

/* Finds or adds a context. Returns UINT32_MAX when out of memory. */
static uint32_t find_context(struct tr_explore *x, const struct explore_context *wanted)
{
	struct explore_build *b = x->build;
	uint64_t key =
	    tr_mix(tr_pair_key(wanted->thread, wanted->process)) ^ wanted->hart;
	uint32_t id;
	for (; (id = tr_map_get(&b->context_index, key)) != TR_MAP_NONE; key++)
		if (is_context(&x->contexts[id], wanted))
			return id;
	if (!tr_grow(&x->contexts, &x->context_room, x->ncontexts + 1,
		     sizeof(*x->contexts)) ||
	    !tr_map_set(&b->context_index, key, (uint32_t)x->ncontexts))
		return UINT32_MAX;
	x->contexts[x->ncontexts] = *wanted;
	return (uint32_t)x->ncontexts++;
}

/* Finds or adds the cell of a node in the row's context. Returns UINT32_MAX when out of
 * memory. */
static uint32_t find_cell(struct tr_explore *x, uint32_t node)
{
	struct explore_build *b = x->build;
	const uint64_t key = tr_pair_key(b->context, node);
	const uint32_t id = tr_map_get(&b->cell_index, key);
	if (id != TR_MAP_NONE)
		return id;
	if (!tr_grow(&x->cells, &x->cell_room, x->ncells + 1, sizeof(*x->cells)) ||
	    !tr_grow(&b->last, &b->last_room, x->ncells + 1, sizeof(*b->last)) ||
	    !tr_map_set(&b->cell_index, key, (uint32_t)x->ncells))
		return UINT32_MAX;
	x->cells[x->ncells] = (struct explore_cell){b->context, node};
	b->last[x->ncells] = (struct last){0};
	return (uint32_t)x->ncells++;
}

/* Returns the index of the sum of a cell in the list of a slice, which is opened;
 * SIZE_MAX if that fails, with *status set. */
static size_t find_sum(struct tr_explore *x, size_t slice, uint32_t cell, int *status)
{
	struct explore_build *b = x->build;
	struct explore_list *list = &x->levels[0][slice];
	struct last *last = &b->last[cell];
	if (!list->serial && (*status = tr_explore_open_list(x, slice, ++b->serial)))
		return SIZE_MAX;
	if (slice < b->oldest)
		b->oldest = slice;
	if (last->serial == list->serial)
		return last->index;
	const size_t index = tr_sums_add(&list->raw, cell);
	*last = (struct last){index == SIZE_MAX ? 0 : list->serial, index};
	*status = index == SIZE_MAX ? TR_E_NOMEM : TR_OK;
	return index;
}

/* ------------------------------------------------------------ rows */

static int note_call(void *context, uint32_t node)
{
	struct tr_explore *x = context;
	struct explore_build *b = x->build;
	if (!tr_grow(&b->called, &b->called_room, b->ncalled + 1, sizeof(*b->called)))
		return TR_E_NOMEM;
	b->called[b->ncalled++] = node;
	return TR_OK;
}

/* Makes slices long enough for a run up to `end`. Returns a status. */
static int fit_slices(struct tr_explore *x, uint64_t end)
{
	struct explore_build *b = x->build;
	int status = TR_OK;
	while ((end - 1) / x->length >= TR_EXPLORE_SLICES && !status) {
		status = tr_explore_double(x, &b->serial);
		b->oldest = 0;
	}
	b->slicer.length = x->length;
	return status;
}

static int begin_row(void *context, const struct tr_profile_step *row)
{
	struct tr_explore *x = context;
	struct explore_build *b = x->build;
	uint64_t end;
	int status = TR_OK;
	if (__builtin_add_overflow(row->cycle, row->cycles + 1, &end))
		return TR_E_CORRUPT;
	if (end - 1 > x->end)
		x->end = end - 1;
	if ((status = fit_slices(x, end)))
		return status;
	const struct explore_context wanted = {
	    .hart = row->hart,
	    .thread = tr_explore_name(&x->threads,
				      tr_profile_thread_group(b->profile, row->thread)),
	    .process = tr_explore_name(&x->processes, row->group)};
	if (wanted.thread == UINT32_MAX || wanted.process == UINT32_MAX)
		return TR_E_NOMEM;
	if (!x->ncontexts || !is_context(&x->contexts[b->context], &wanted))
		b->context = find_context(x, &wanted);
	b->cell = b->context == UINT32_MAX ? UINT32_MAX : find_cell(x, row->node);
	if (b->cell == UINT32_MAX)
		return TR_E_NOMEM;
	b->newest = (size_t)(row->cycle / x->length);
	for (size_t i = 0; i < b->ncalled && !status; i++) {
		const uint32_t cell = find_cell(x, b->called[i]);
		const size_t at =
		    cell == UINT32_MAX ? SIZE_MAX : find_sum(x, b->newest, cell, &status);
		if (at == SIZE_MAX)
			return status ? status : TR_E_NOMEM;
		x->levels[0][b->newest].raw.list[at].calls++;
	}
	b->ncalled = 0;
	return status;
}

static int take_part(void *context, const struct tr_profile_part *part)
{
	struct tr_explore *x = context;
	int status = TR_OK;
	const size_t slice = (size_t)part->slice;
	const size_t at = find_sum(x, slice, x->build->cell, &status);
	if (at == SIZE_MAX)
		return status;
	struct tr_sums *sums = &x->levels[0][slice].raw;
	sums->list[at].cycles += part->cycles;
	sums->list[at].instructions += part->instructions;
	x->cycles += part->cycles;
	x->instructions += part->instructions;
	for (unsigned i = 0; i < part->nclasses; i++)
		if (part->classes[i].class && part->classes[i].class <= sums->columns)
			sums->lost[at * sums->columns + part->classes[i].class - 1] +=
			    part->classes[i].cycles;
	return TR_OK;
}

/* ------------------------------------------------------------ frames */

/* Reads from the header what answers tell. Returns a status. */
static int take_header(struct tr_explore *x, const struct tr_header *header)
{
	const char *precision = tr_header_get(header, "precision");
	const char *classes = tr_header_get(header, "classes");
	x->is_untimed = precision && strcmp(precision, "instructions") == 0;
	if (!classes)
		return TR_OK;
	x->width = tr_header_commit_width(header);
	x->class_list = tr_explore_text(x, classes);
	return x->class_list ? tr_classes_read(&x->classes, header) : TR_E_NOMEM;
}

int tr_explore_begin(struct tr_explore *x, struct tr_profile *profile,
		     const struct tr_reader *reader)
{
	struct explore_build *b = calloc(1, sizeof(*b));
	if (!b)
		return TR_E_NOMEM;
	x->build = b;
	b->profile = profile;
	b->reader = reader;
	b->slicer = (struct tr_profile_slicer){.length = x->length,
					       .context = x,
					       .call = note_call,
					       .row = begin_row,
					       .part = take_part};
	tr_profile_slice(profile, &b->slicer);
	b->marks = tr_explore_marks_new(x, profile, reader);
	if (!b->marks)
		return TR_E_NOMEM;
	return take_header(x, tr_reader_header(reader));
}

void tr_explore_build_free(struct tr_explore *x)
{
	struct explore_build *b = x->build;
	if (!b)
		return;
	tr_map_free(&b->context_index);
	tr_map_free(&b->cell_index);
	tr_explore_marks_free(b->marks);
	free(b->last);
	free(b->called);
	free(b);
	x->build = NULL;
}

static int copy_functions(struct tr_explore *x)
{
	const struct tr_reader *r = x->build->reader;
	const uint32_t count = tr_reader_func_count(r);
	if (!tr_grow(&x->funcs, &x->func_room, count, sizeof(*x->funcs)))
		return TR_E_NOMEM;
	for (; x->nfuncs < count; x->nfuncs++) {
		const struct tr_func *func = tr_reader_func(r, (uint32_t)x->nfuncs);
		struct explore_func *copy = &x->funcs[x->nfuncs];
		*copy =
		    (struct explore_func){.name = tr_explore_text(x, func->name),
					  .binary = tr_explore_text(x, func->binary),
					  .address = func->address,
					  .kind = func->kind,
					  .tint = tr_tint_of(tr_reader_header(r), func)};
		if (!copy->name || !copy->binary)
			return TR_E_NOMEM;
	}
	return TR_OK;
}

static int copy_nodes(struct tr_explore *x)
{
	const struct tr_reader *r = x->build->reader;
	const uint32_t count = tr_reader_node_count(r);
	if (!tr_grow(&x->nodes, &x->node_room, count, sizeof(*x->nodes)))
		return TR_E_NOMEM;
	for (; x->nnodes < count; x->nnodes++) {
		const struct tr_node *node = tr_reader_node(r, (uint32_t)x->nnodes);
		x->nodes[x->nnodes] = (struct explore_node){node->parent, node->func};
	}
	return TR_OK;
}

/* Copies labels, which may have changed. Returns a status. */
static int copy_labels(struct tr_explore *x, struct explore_names *names,
		       const char *(*label)(const struct tr_profile *, uint32_t))
{
	for (size_t i = 0; i < names->count; i++) {
		struct explore_name *one = &names->list[i];
		const char *now = label(x->build->profile, one->number);
		if (strcmp(one->name, now) != 0 && !(one->name = tr_explore_text(x, now)))
			return TR_E_NOMEM;
	}
	return TR_OK;
}

/* Packs open slices before `end`. Returns a status. */
static int pack_slices(struct tr_explore *x, size_t end)
{
	struct explore_build *b = x->build;
	int status = TR_OK;
	for (; b->oldest < end && !status; b->oldest++)
		if (x->levels[0][b->oldest].serial)
			status = tr_explore_pack_list(x, b->oldest);
	return status;
}

int tr_explore_announce(struct tr_explore *x, const struct tr_sframe *frame)
{
	return tr_explore_marks_frame(x->build->marks, frame);
}

int tr_explore_frame(struct tr_explore *x)
{
	const size_t newest = x->build->newest;
	int status = copy_functions(x);
	if (!status)
		status = copy_nodes(x);
	if (!status)
		status = copy_labels(x, &x->processes, tr_profile_label);
	if (!status)
		status = copy_labels(x, &x->threads, tr_profile_thread_label);
	if (status)
		return status;
	return pack_slices(x, newest > OPEN_SLICES ? newest - OPEN_SLICES : 0);
}

int tr_explore_finish(struct tr_explore *x, const char *cut_off)
{
	int status = tr_explore_marks_finish(x->build->marks);
	if (!status)
		status = pack_slices(x, TR_EXPLORE_SLICES);
	if (!status)
		status = copy_labels(x, &x->processes, tr_profile_label);
	if (!status)
		status = copy_labels(x, &x->threads, tr_profile_thread_label);
	if (!status && cut_off && !(x->cut_off = tr_explore_text(x, cut_off)))
		status = TR_E_NOMEM;
	tr_explore_build_free(x);
	x->is_done = true;
	return status;
}
