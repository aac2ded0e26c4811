/* SPDX-License-Identifier: Apache-2.0 */
/* Sums counts by address. */
#include "export/export_code.h"

#include <stdlib.h>
#include <string.h>

bool tr_export_code_fits(const struct tr_export *export)
{
	const struct tr_profile_options *o = tr_profile_options_of(export->profile);
	return o->by <= TR_BY_PROGRAM && !tr_profile_window(export->profile).is_cut &&
	       !o->idle && !o->nfocus;
}

bool tr_export_code_same(const struct tr_func *a, const struct tr_func *b)
{
	return a->address == b->address && a->kind == b->kind &&
	       strcmp(a->name, b->name) == 0 && strcmp(a->binary, b->binary) == 0;
}

/* Takes what is new of the stream's nodes: whether they are shown, and the site of the
 * call. */
static int take_new_nodes(struct tr_export_code *code, const struct tr_export *export)
{
	const uint32_t count = tr_reader_node_count(code->reader);
	const uint32_t nodes = tr_profile_node_count(export->profile);
	const size_t before = code->nnodes;
	if (!tr_grow(&code->shown, &code->shown_room, count, sizeof(*code->shown)) ||
	    !tr_grow(&code->calls, &code->calls_room, nodes, sizeof(*code->calls)) ||
	    !tr_grow(&code->sites, &code->sites_room, nodes, sizeof(*code->sites)))
		return TR_E_NOMEM;
	memset(code->calls + before, 0, (nodes - before) * sizeof(*code->calls));
	memset(code->sites + before, 0xff, (nodes - before) * sizeof(*code->sites));
	code->nnodes = nodes;
	for (uint32_t i = (uint32_t)code->nshown; i < count; i++) {
		uint32_t node = tr_profile_node_of(export->profile, i), parent;
		code->shown[i] =
		    i && node &&
		    tr_export_code_same(
			tr_profile_frame(export->profile, node, &parent),
			tr_reader_func(code->reader,
				       tr_reader_node(code->reader, i)->func));
		if (code->shown[i] && code->sites[node] == TR_NO_SPOT)
			code->sites[node] = tr_reader_site(code->reader, i);
	}
	code->nshown = count;
	return TR_OK;
}

/* Counts the functions that the rows in the window enter. */
static void take_calls(struct tr_export_code *code, const struct tr_export *export,
		       const struct tr_sframe *frame)
{
	const struct tr_profile_window window = tr_profile_window(export->profile);
	for (uint32_t h = 0; h < frame->nharts; h++) {
		uint64_t time = frame->harts[h].start_cycle;
		for (uint32_t i = 0; i < frame->harts[h].nrows; i++) {
			const struct tr_srow *row = &frame->harts[h].rows[i];
			if (row->fresh && code->shown[row->node] && time >= window.from &&
			    time < window.to)
				code->calls[tr_profile_node_of(export->profile,
							       row->node)]++;
			time += row->cycles;
		}
	}
}

/* Returns the sum for a node and a span, which may be new; NULL when out of memory. */
static struct tr_export_count *find_span_count(struct tr_export_code *code, uint32_t node,
					       uint32_t span)
{
	const uint32_t many = tr_reader_span(code->reader, span)->count;
	uint32_t id = tr_map_get(&code->count_ids, tr_pair_key(node, span));
	if (id != TR_MAP_NONE)
		return &code->counts[id];
	if (!tr_grow(&code->counts, &code->counts_room, code->ncounts + 1,
		     sizeof(*code->counts)) ||
	    !tr_grow(&code->cycles, &code->cycles_room, code->ncycles + many,
		     sizeof(*code->cycles)) ||
	    !tr_map_set(&code->count_ids, tr_pair_key(node, span),
			(uint32_t)code->ncounts))
		return NULL;
	struct tr_export_count *count = &code->counts[code->ncounts++];
	*count = (struct tr_export_count){
	    .node = node, .span = span, .first = (uint32_t)code->ncycles};
	memset(&code->cycles[code->ncycles], 0, many * sizeof(*code->cycles));
	code->ncycles += many;
	return count;
}

static int add_span_count(struct tr_export_code *code, uint32_t node,
			  const struct tr_span_count *from,
			  const struct tr_span_stall *stalls)
{
	struct tr_export_count *count = find_span_count(code, node, from->span);
	const uint32_t many = tr_reader_span(code->reader, from->span)->count;
	if (!count)
		return TR_E_NOMEM;
	if (__builtin_add_overflow(count->executions, from->executions,
				   &count->executions))
		return TR_E_CORRUPT;
	for (uint32_t i = 0, stall = 0; i < many; i++) {
		uint64_t more = from->executions, *cycles = &code->cycles[count->first];
		if (stall < from->nstalls && stalls[stall].index == i)
			more += stalls[stall++].cycles;
		if (__builtin_add_overflow(cycles[i], more, &cycles[i]))
			return TR_E_CORRUPT;
	}
	return TR_OK;
}

static int add_branch_count(struct tr_export_code *code, const struct tr_branch *from)
{
	const uint64_t key = tr_pair_key(from->from, from->to);
	uint32_t id = tr_map_get(&code->branch_ids, key);
	if (id == TR_MAP_NONE) {
		id = (uint32_t)code->nbranches;
		if (!tr_grow(&code->branches, &code->branches_room, id + 1UL,
			     sizeof(*code->branches)) ||
		    !tr_map_set(&code->branch_ids, key, id))
			return TR_E_NOMEM;
		code->branches[code->nbranches++] =
		    (struct tr_branch){.from = from->from, .to = from->to};
	}
	return __builtin_add_overflow(code->branches[id].count, from->count,
				      &code->branches[id].count)
		   ? TR_E_CORRUPT
		   : TR_OK;
}

static int take_frame_counts(struct tr_export_code *code, const struct tr_export *export)
{
	const struct tr_span_counts all = tr_reader_counts(code->reader);
	int status = TR_OK;
	for (uint32_t i = 0; i < all.ncounts && !status; i++) {
		const struct tr_span_count *count = &all.counts[i];
		if (code->shown[count->node])
			status = add_span_count(
			    code, tr_profile_node_of(export->profile, count->node), count,
			    &all.stalls[count->first_stall]);
	}
	for (uint32_t i = 0; i < all.nbranches && !status; i++)
		status = add_branch_count(code, &all.branches[i]);
	return status;
}

int tr_export_code_take(struct tr_export_code *code, const struct tr_export *export,
			const struct tr_reader *reader, const struct tr_sframe *frame,
			bool with_counts)
{
	code->reader = reader;
	int status = take_new_nodes(code, export);
	if (status)
		return status;
	take_calls(code, export, frame);
	return with_counts ? take_frame_counts(code, export) : TR_OK;
}

static int compare_span_counts(const void *a, const void *b)
{
	const struct tr_export_count *x = a, *y = b;
	if (x->node != y->node)
		return x->node < y->node ? -1 : 1;
	return (x->span > y->span) - (x->span < y->span);
}

void tr_export_code_sort(struct tr_export_code *code)
{
	if (code->ncounts)
		qsort(code->counts, code->ncounts, sizeof(*code->counts),
		      compare_span_counts);
	tr_map_free(&code->count_ids);
}

void tr_export_code_release(struct tr_export_code *code)
{
	free(code->counts);
	free(code->cycles);
	free(code->branches);
	free(code->calls);
	free(code->sites);
	free(code->shown);
	tr_map_free(&code->count_ids);
	tr_map_free(&code->branch_ids);
}
