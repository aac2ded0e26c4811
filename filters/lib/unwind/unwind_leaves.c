/* SPDX-License-Identifier: Apache-2.0 */
/* Leaves: the inlined calls and the source line of an instruction, on top of its
 * function. Functions called from an inlined call are above it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unwind/unwind_internal.h"

void tr_leaves_free(struct tr_unwind *u)
{
	free(u->leaves);
	tr_map_free(&u->leaf_ids);
	tr_map_free(&u->leaf_calls);
	tr_map_free(&u->leaf_lines);
	tr_map_free(&u->leaf_syms);
	tr_arena_reset(&u->leaf_names);
}

/* Returns a leaf, added if new; 0 when out of memory. */
static uint32_t leaf_on(struct tr_unwind *u, uint32_t below, uint32_t sym)
{
	uint64_t key = tr_pair_key(below, sym);
	uint32_t leaf = tr_map_get(&u->leaf_ids, key);
	if (leaf != TR_MAP_NONE)
		return leaf;
	if (!tr_unwind_reserve(status_of(u), (void **)&u->leaves, &u->leaves_capacity,
			       u->nleaves + 2ULL, sizeof(*u->leaves)))
		return 0;
	u->leaves[++u->nleaves] = (struct leaf){below, sym};
	if (!tr_map_set(&u->leaf_ids, key, u->nleaves))
		unwind_fail(status_of(u), TR_E_NOMEM);
	return u->nleaves;
}

static uint32_t keep_sym(struct tr_unwind *u, uint32_t binary, const char *text,
			 enum tr_frame_kind kind)
{
	size_t size = strlen(text) + 1;
	char *name = tr_arena_take(&u->leaf_names, size);
	if (!name) {
		unwind_fail(status_of(u), TR_E_NOMEM);
		return SYM_UNKNOWN;
	}
	memcpy(name, text, size);
	return tr_names_leaf(names_of(u), binary, name, kind);
}

static uint32_t sym_of_call(struct tr_unwind *u, uint32_t binary, const char *function)
{
	char text[1100];
	uint64_t key = (uintptr_t)function;
	uint32_t sym = tr_map_get(&u->leaf_syms, key);
	if (sym != TR_MAP_NONE)
		return sym;
	snprintf(text, sizeof(text), "%s (inlined)", function);
	sym = keep_sym(u, binary, text, TR_FRAME_INLINED);
	if (!tr_map_set(&u->leaf_syms, key, sym))
		unwind_fail(status_of(u), TR_E_NOMEM);
	return sym;
}

static uint32_t leaf_of_call(struct tr_unwind *u, uint32_t binary, uint32_t call)
{
	uint64_t key = tr_pair_key(binary, call);
	uint32_t around = 0, leaf = call ? tr_map_get(&u->leaf_calls, key) : 0;
	if (leaf != TR_MAP_NONE)
		return leaf;
	const char *function = u->source.call(u->source.user, binary, call, &around);
	leaf =
	    leaf_on(u, leaf_of_call(u, binary, around), sym_of_call(u, binary, function));
	if (!tr_map_set(&u->leaf_calls, key, leaf))
		unwind_fail(status_of(u), TR_E_NOMEM);
	return leaf;
}

static uint32_t sym_of_line(struct tr_unwind *u, uint32_t binary, uint32_t line)
{
	char text[1100];
	uint64_t key = tr_pair_key(binary, line);
	uint32_t number, sym = tr_map_get(&u->leaf_lines, key);
	if (sym != TR_MAP_NONE)
		return sym;
	const char *file = u->source.line(u->source.user, binary, line, &number);
	snprintf(text, sizeof(text), "%s:%" PRIu32, file, number);
	sym = keep_sym(u, binary, text, TR_FRAME_LINE);
	if (!tr_map_set(&u->leaf_lines, key, sym))
		unwind_fail(status_of(u), TR_E_NOMEM);
	return sym;
}

uint32_t tr_leaves_at(struct tr_unwind *u, uint32_t binary, uint64_t address,
		      struct tr_source_place *place)
{
	*place = (struct tr_source_place){.high = UINT64_MAX};
	if (!u->source.place || binary >= u->options.nprograms)
		return 0;
	u->source.place(u->source.user, binary, address, place);
	uint32_t leaf = leaf_of_call(u, binary, place->call);
	return place->line ? leaf_on(u, leaf, sym_of_line(u, binary, place->line)) : leaf;
}

uint32_t tr_leaves_node(struct tr_unwind *u, uint32_t node, uint32_t leaf)
{
	if (!leaf)
		return node;
	node = tr_leaves_node(u, node, u->leaves[leaf].below);
	return tr_nodes_on(nodes_of(u), node, u->leaves[leaf].sym);
}

uint32_t tr_leaves_calls(const struct tr_unwind *u, uint32_t leaf)
{
	bool is_line =
	    leaf && tr_names_kind(names_of(u), u->leaves[leaf].sym) == TR_FRAME_LINE;
	return is_line ? u->leaves[leaf].below : leaf;
}

uint32_t tr_leaves_site(struct tr_unwind *u, uint32_t leaf, uint32_t spot)
{
	return leaf_on(u, leaf, SYM_SITE | spot);
}

/* Returns the leaf at `pc`, if a file with this bias has the top
 * function there. */
static uint32_t leaf_in(struct tr_unwind *u, const struct hart *h, uint32_t binary,
			uint64_t bias, uint64_t pc)
{
	struct tr_function range;
	struct tr_source_place place;
	if (binary >= u->options.nprograms ||
	    !u->source.function(u->source.user, binary, pc - bias, &range) ||
	    tr_names_function(names_of(u), binary, &range) != h->here.top)
		return 0;
	return tr_leaves_at(u, binary, pc - bias, &place);
}

struct segment tr_leaves_near(struct tr_unwind *u, const struct hart *h, uint64_t pc)
{
	struct segment segment = {.base = UINT32_MAX};
	if (!u->source.place || pc == TR_EPC_UNKNOWN)
		return segment;
	segment.leaf = leaf_in(u, h, h->near_binary, h->near_bias, pc);
	const struct space *s = tr_spaces_find(u, hart_space(h));
	if (!segment.leaf && s)
		segment.leaf = leaf_in(u, h, s->binary, s->bias, pc);
	return segment;
}
