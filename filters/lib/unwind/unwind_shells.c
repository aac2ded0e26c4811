/* SPDX-License-Identifier: Apache-2.0 */
/* Names threads of kernels after their own function.
 *
 * The threads of many kernels begin with one function that calls what each is for, as
 * nxtask_start() does. A thread stays in the functions that it begins with: each of them
 * calls one function once, in which the thread spends most of its time. Where several
 * threads begin with the same functions and then stay in different ones, the former are
 * shells, and a thread is called after the first function above them. This is taken from
 * the first rows of each thread. */
#include "unwind/unwind_shells.h"

#include <stdlib.h>

#include "base/buffer.h"

enum {
	ROWS = 256,	/* of a thread, which count */
	DEPTH = 8,	/* shells below each other, at most */
	THREADS = 4096, /* beyond, threads keep their names */
	NONE = UINT32_MAX
};
#define LEFT (UINT32_C(1) << 31)

/* Cycles of a thread on a node and above it, and how often it was entered. */
struct sum {
	uint64_t cycles;
	uint32_t entries;
	uint32_t node;
	uint32_t next; /* of the thread, or NONE */
};

struct begun {
	uint32_t thread;
	uint32_t sums;	      /* the first, or NONE */
	uint32_t first, name; /* symbols: its first function, and its name */
	uint32_t chain[DEPTH]; /* nodes: its first function, that in which it stays, …; or
				* LEFT and the symbol of the first one, if another one
				* has replaced that */
	uint32_t depth;
};

struct shells {
	const struct tr_names *names;
	const struct tr_nodes *nodes;
	const struct tr_unwind_sink *sink;
	struct unwind_status *status;
	uint16_t *rows_left; /* by thread below nrows_left: rows that still count */
	uint32_t nrows_left, rows_left_capacity;
	struct begun *threads;
	size_t room;
	uint32_t count;
	struct tr_map ids; /* from thread */
	struct sum *sums;
	size_t sum_room;
	uint32_t nsums;
	struct tr_map by_node; /* sums, by (thread, node) */
	bool is_changed;
};

struct shells *tr_shells_new(const struct tr_names *names, const struct tr_nodes *nodes,
			     const struct tr_unwind_sink *sink,
			     struct unwind_status *status)
{
	struct shells *s = calloc(1, sizeof(*s));
	if (!s)
		return NULL;
	s->names = names;
	s->nodes = nodes;
	s->sink = sink;
	s->status = status;
	return s;
}

void tr_shells_free(struct shells *s)
{
	if (!s)
		return;
	free(s->rows_left);
	free(s->threads);
	free(s->sums);
	tr_map_free(&s->ids);
	tr_map_free(&s->by_node);
	free(s);
}

static bool sym_is_function(const struct shells *s, uint32_t sym)
{
	return !sym_is_site(sym) && tr_names_kind(s->names, sym) == TR_FRAME_FUNCTION &&
	       !names_is_blank(s->names, sym);
}

/* A thread that is called after its program needs no other name. */
void tr_shells_thread(struct shells *s, uint32_t thread, uint32_t sym)
{
	if (!sym_is_function(s, sym) || s->count == THREADS)
		return;
	if (!tr_grow(&s->threads, &s->room, s->count + 1UL, sizeof(*s->threads)) ||
	    !tr_map_set(&s->ids, thread, s->count)) {
		unwind_fail(s->status, TR_E_NOMEM);
		return;
	}
	if (!tr_unwind_reserve(s->status, (void **)&s->rows_left, &s->rows_left_capacity,
			       thread + 1ULL, sizeof(*s->rows_left)))
		return;
	while (s->nrows_left <= thread)
		s->rows_left[s->nrows_left++] = 0;
	s->rows_left[thread] = ROWS;
	s->threads[s->count++] =
	    (struct begun){.thread = thread, .sums = NONE, .first = sym, .name = sym};
}

static void add_shell_cycles(struct shells *s, struct begun *t, uint32_t node,
			     uint64_t cycles, bool is_entry)
{
	const uint64_t key = tr_pair_key(t->thread, node);
	const uint32_t known = tr_map_get(&s->by_node, key);
	if (known != TR_MAP_NONE) {
		s->sums[known].cycles += cycles;
		s->sums[known].entries += is_entry;
		return;
	}
	if (!tr_grow(&s->sums, &s->sum_room, s->nsums + 1UL, sizeof(*s->sums)) ||
	    !tr_map_set(&s->by_node, key, s->nsums)) {
		unwind_fail(s->status, TR_E_NOMEM);
		return;
	}
	s->sums[s->nsums] = (struct sum){cycles, is_entry, node, t->sums};
	t->sums = s->nsums++;
}

void tr_shells_row(struct shells *s, uint32_t thread, const struct tr_srow *row)
{
	uint32_t node = row->node;
	bool is_entry = row->fresh;
	if (thread >= s->nrows_left || !s->rows_left[thread])
		return;
	struct begun *t = &s->threads[tr_map_get(&s->ids, thread)];
	s->rows_left[thread]--;
	s->is_changed = true;
	/* Only what is near the root is looked at. */
	for (; tr_nodes_depth(s->nodes, node) > 4 * DEPTH; is_entry = false)
		node = tr_nodes_parent(s->nodes, node);
	for (; node; node = tr_nodes_parent(s->nodes, node), is_entry = false)
		add_shell_cycles(s, t, node, row->cycles, is_entry);
}

/* Returns the node below that of a function, without inlined calls and lines. */
static uint32_t caller_of(const struct shells *s, uint32_t node)
{
	uint32_t below = tr_nodes_parent(s->nodes, node);
	while (
	    below &&
	    (sym_is_site(tr_nodes_sym(s->nodes, below)) ||
	     tr_names_kind(s->names, tr_nodes_sym(s->nodes, below)) == TR_FRAME_INLINED ||
	     tr_names_kind(s->names, tr_nodes_sym(s->nodes, below)) == TR_FRAME_LINE))
		below = tr_nodes_parent(s->nodes, below);
	return below;
}

/* Returns the function that `node` calls once, and in which a thread spends more than
 * half of its cycles there; 0 if there is none. */
static uint32_t stays_in(const struct shells *s, const struct begun *t, uint32_t node,
			 uint64_t *cycles)
{
	for (uint32_t i = t->sums; i != NONE; i = s->sums[i].next) {
		const struct sum *sum = &s->sums[i];
		if (sym_is_function(s, tr_nodes_sym(s->nodes, sum->node)) &&
		    caller_of(s, sum->node) == node && sum->cycles > *cycles / 2 &&
		    sum->entries <= 1) {
			*cycles = sum->cycles;
			return sum->node;
		}
	}
	return 0;
}

/* Finds the functions that a thread begins with. */
static void find_chain(struct shells *s, struct begun *t)
{
	uint64_t cycles = 0;
	uint32_t node = 0;
	t->depth = 0;
	/* On top of a root. */
	for (uint32_t i = t->sums; i != NONE; i = s->sums[i].next)
		if (tr_nodes_parent(s->nodes, s->sums[i].node) &&
		    !tr_nodes_parent(s->nodes,
				     tr_nodes_parent(s->nodes, s->sums[i].node)) &&
		    sym_is_function(s, tr_nodes_sym(s->nodes, s->sums[i].node)) &&
		    s->sums[i].cycles > cycles) {
			node = s->sums[i].node;
			cycles = s->sums[i].cycles;
		}
	if (node && tr_nodes_sym(s->nodes, node) != t->first)
		t->chain[t->depth++] = LEFT | t->first;
	while (node && t->depth < DEPTH) {
		t->chain[t->depth++] = node;
		node = stays_in(s, t, node, &cycles);
	}
}

/* Marks the topmost nodes of shells: those above which the chains of threads differ. */
static bool find_shells(const struct shells *s, struct tr_map *next,
			struct tr_map *shells)
{
	for (uint32_t i = 0; i < s->count; i++) {
		const struct begun *t = &s->threads[i];
		for (uint32_t k = 0; k + 1 < t->depth; k++) {
			const uint32_t other = tr_map_get(next, t->chain[k]);
			if (other == TR_MAP_NONE &&
			    !tr_map_set(next, t->chain[k], t->chain[k + 1]))
				return false;
			if (other != TR_MAP_NONE && other != t->chain[k + 1] &&
			    !tr_map_set(shells, t->chain[k], 1))
				return false;
		}
	}
	return true;
}

bool tr_shells_wait(const struct shells *s)
{
	uint32_t i = 0;
	while (i < s->nrows_left && !s->rows_left[i])
		i++;
	return i < s->nrows_left;
}

void tr_shells_name(struct shells *s)
{
	struct tr_map next = {0}, shells = {0};
	if (!s->is_changed)
		return;
	s->is_changed = false;
	for (uint32_t i = 0; i < s->count; i++)
		find_chain(s, &s->threads[i]);
	if (!find_shells(s, &next, &shells))
		unwind_fail(s->status, TR_E_NOMEM);
	for (uint32_t i = 0; i < s->count && !unwind_failed(s->status); i++) {
		struct begun *t = &s->threads[i];
		uint32_t k = 0;
		for (uint32_t n = 0; n + 1 < t->depth; n++)
			if (tr_map_get(&shells, t->chain[n]) != TR_MAP_NONE)
				k = n + 1;
		const uint32_t name = k ? tr_nodes_sym(s->nodes, t->chain[k]) : t->first;
		if (name == t->name)
			continue;
		t->name = name;
		unwind_fail(
		    s->status,
		    s->sink->thread_name(
			s->sink->user,
			&(struct tr_sname){t->thread, tr_names_text(s->names, name)}));
	}
	tr_map_free(&next);
	tr_map_free(&shells);
}
