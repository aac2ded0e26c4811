/* SPDX-License-Identifier: Apache-2.0 */
/* Inlined calls and lines, on top of functions. */
#include "unwind/unwind_leaves.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"

/* An inlined call or a line, on top of another leaf, or of a function (0). */
struct leaf {
	uint32_t below;
	uint32_t sym;
};

struct tr_leaves {
	const struct tr_unwind_source *source;
	struct tr_names *names;
	struct tr_nodes *nodes;
	struct unwind_status *status;
	uint32_t nbinaries;
	struct leaf *all; /* from 1 */
	uint32_t count, capacity;
	struct tr_map ids;	    /* by (below, symbol) */
	struct tr_map calls, lines; /* by (binary, number): leaf, symbol */
	struct tr_map syms;	    /* inlined functions by name */
	struct tr_arena texts;
};

struct tr_leaves *tr_leaves_new(const struct tr_unwind_source *source,
				const struct tr_unwind_options *options,
				struct tr_names *names, struct tr_nodes *nodes,
				struct unwind_status *status)
{
	struct tr_leaves *leaves = calloc(1, sizeof(*leaves));
	if (!leaves)
		return NULL;
	leaves->source = source;
	leaves->names = names;
	leaves->nodes = nodes;
	leaves->status = status;
	leaves->nbinaries = options->nprograms;
	return leaves;
}

void tr_leaves_free(struct tr_leaves *leaves)
{
	if (!leaves)
		return;
	free(leaves->all);
	tr_map_free(&leaves->ids);
	tr_map_free(&leaves->calls);
	tr_map_free(&leaves->lines);
	tr_map_free(&leaves->syms);
	tr_arena_reset(&leaves->texts);
	free(leaves);
}

/* Returns a leaf, added if new; 0 when out of memory. */
static uint32_t leaf_on(struct tr_leaves *leaves, uint32_t below, uint32_t sym)
{
	uint64_t key = tr_pair_key(below, sym);
	uint32_t leaf = tr_map_get(&leaves->ids, key);
	if (leaf != TR_MAP_NONE)
		return leaf;
	if (!tr_unwind_reserve(leaves->status, (void **)&leaves->all, &leaves->capacity,
			       leaves->count + 2ULL, sizeof(*leaves->all)))
		return 0;
	leaves->all[++leaves->count] = (struct leaf){below, sym};
	if (!tr_map_set(&leaves->ids, key, leaves->count))
		unwind_fail(leaves->status, TR_E_NOMEM);
	return leaves->count;
}

static uint32_t keep_sym(struct tr_leaves *leaves, uint32_t binary, const char *text,
			 enum tr_frame_kind kind)
{
	size_t size = strlen(text) + 1;
	char *name = tr_arena_take(&leaves->texts, size);
	if (!name) {
		unwind_fail(leaves->status, TR_E_NOMEM);
		return SYM_UNKNOWN;
	}
	memcpy(name, text, size);
	return tr_names_leaf(leaves->names, binary, name, kind);
}

static uint32_t sym_of_call(struct tr_leaves *leaves, uint32_t binary,
			    const char *function)
{
	char text[1100];
	uint64_t key = (uintptr_t)function;
	uint32_t sym = tr_map_get(&leaves->syms, key);
	if (sym != TR_MAP_NONE)
		return sym;
	snprintf(text, sizeof(text), "%s (inlined)", function);
	sym = keep_sym(leaves, binary, text, TR_FRAME_INLINED);
	if (!tr_map_set(&leaves->syms, key, sym))
		unwind_fail(leaves->status, TR_E_NOMEM);
	return sym;
}

static uint32_t leaf_of_call(struct tr_leaves *leaves, uint32_t binary, uint32_t call)
{
	uint64_t key = tr_pair_key(binary, call);
	uint32_t around = 0, leaf = call ? tr_map_get(&leaves->calls, key) : 0;
	if (leaf != TR_MAP_NONE)
		return leaf;
	const char *function =
	    leaves->source->call(leaves->source->user, binary, call, &around);
	leaf = leaf_on(leaves, leaf_of_call(leaves, binary, around),
		       sym_of_call(leaves, binary, function));
	if (!tr_map_set(&leaves->calls, key, leaf))
		unwind_fail(leaves->status, TR_E_NOMEM);
	return leaf;
}

static uint32_t sym_of_line(struct tr_leaves *leaves, uint32_t binary, uint32_t line)
{
	char text[1100];
	uint64_t key = tr_pair_key(binary, line);
	uint32_t number, sym = tr_map_get(&leaves->lines, key);
	if (sym != TR_MAP_NONE)
		return sym;
	const char *file =
	    leaves->source->line(leaves->source->user, binary, line, &number);
	snprintf(text, sizeof(text), "%s:%" PRIu32, file, number);
	sym = keep_sym(leaves, binary, text, TR_FRAME_LINE);
	if (!tr_map_set(&leaves->lines, key, sym))
		unwind_fail(leaves->status, TR_E_NOMEM);
	return sym;
}

uint32_t tr_leaves_at(struct tr_leaves *leaves, uint32_t binary, uint64_t address,
		      struct tr_source_place *place)
{
	*place = (struct tr_source_place){.high = UINT64_MAX};
	if (!leaves->source->place || binary >= leaves->nbinaries)
		return 0;
	leaves->source->place(leaves->source->user, binary, address, place);
	uint32_t leaf = leaf_of_call(leaves, binary, place->call);
	return place->line
		   ? leaf_on(leaves, leaf, sym_of_line(leaves, binary, place->line))
		   : leaf;
}

uint32_t tr_leaves_node(struct tr_leaves *leaves, uint32_t node, uint32_t leaf)
{
	if (!leaf)
		return node;
	node = tr_leaves_node(leaves, node, leaves->all[leaf].below);
	return tr_nodes_on(leaves->nodes, node, leaves->all[leaf].sym);
}

uint32_t tr_leaves_calls(const struct tr_leaves *leaves, uint32_t leaf)
{
	bool is_line =
	    leaf && tr_names_kind(leaves->names, leaves->all[leaf].sym) == TR_FRAME_LINE;
	return is_line ? leaves->all[leaf].below : leaf;
}

uint32_t tr_leaves_site(struct tr_leaves *leaves, uint32_t leaf, uint32_t spot)
{
	return leaf_on(leaves, leaf, SYM_SITE | spot);
}

uint32_t tr_leaves_spot(const struct tr_leaves *leaves, uint32_t leaf)
{
	const uint32_t sym = leaf ? leaves->all[leaf].sym : SYM_NONE;
	return sym_is_site(sym) ? sym_site(sym) : TR_NO_SPOT;
}

uint32_t tr_leaves_in(struct tr_leaves *leaves, uint32_t binary, uint64_t address,
		      uint32_t sym)
{
	const struct tr_unwind_source *source = leaves->source;
	struct tr_function range;
	struct tr_source_place place;
	if (!source->place || binary >= leaves->nbinaries ||
	    !source->function(source->user, binary, address, &range) ||
	    tr_names_function(leaves->names, binary, &range) != sym)
		return 0;
	return tr_leaves_at(leaves, binary, address, &place);
}
