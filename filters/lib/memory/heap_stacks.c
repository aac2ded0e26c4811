/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/heap_stacks.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"

struct tr_heap_stacks {
	const struct tr_heap *heap;
	struct tr_func *funcs;
	size_t nfuncs, func_room;
	struct tr_arena text;
	struct tr_heap_call *calls; /* from 1 */
	size_t ncalls, call_room;
	struct tr_map call_ids; /* by what they are, probing key + 1, ... */
	struct tr_map hits;	/* of the frame, by address */
};

struct tr_heap_stacks *tr_heap_stacks_new(const struct tr_heap *heap)
{
	struct tr_heap_stacks *s = calloc(1, sizeof(*s));
	if (s)
		s->heap = heap;
	return s;
}

void tr_heap_stacks_free(struct tr_heap_stacks *s)
{
	if (!s)
		return;
	free(s->funcs);
	free(s->calls);
	tr_arena_reset(&s->text);
	tr_map_free(&s->call_ids);
	tr_map_free(&s->hits);
	free(s);
}

/* ------------------------------------------------------------ callbacks */

static int add_func(void *user, const struct tr_func *func)
{
	struct tr_heap_stacks *s = user;
	char *name = tr_arena_take(&s->text, strlen(func->name) + 1);
	char *binary = tr_arena_take(&s->text, strlen(func->binary) + 1);
	if (!name || !binary ||
	    !tr_grow(&s->funcs, &s->func_room, s->nfuncs + 1, sizeof(*s->funcs)))
		return TR_E_NOMEM;
	s->funcs[s->nfuncs++] = (struct tr_func){.name = strcpy(name, func->name),
						 .binary = strcpy(binary, func->binary),
						 .address = func->address,
						 .kind = func->kind};
	return TR_OK;
}

static int pass_node(void *user, const struct tr_node *node)
{
	(void)user, (void)node;
	return TR_OK;
}

static int pass_thread(void *user, const struct tr_thread *thread)
{
	(void)user, (void)thread;
	return TR_OK;
}

static int pass_context(void *user, uint32_t hart, const struct tr_scontext *context)
{
	(void)user, (void)hart, (void)context;
	return TR_OK;
}

static int pass_srow(void *user, uint32_t hart, const struct tr_srow *row,
		     const struct tr_class_cycles *classes)
{
	(void)user, (void)hart, (void)row, (void)classes;
	return TR_OK;
}

static bool is_same_call(const struct tr_heap_call *a, const struct tr_heap_call *b)
{
	return a->caller == b->caller && a->func == b->func && a->binary == b->binary &&
	       a->address == b->address;
}

/* Returns the number of a call, or 0 when out of memory. */
static uint32_t call_numbered(struct tr_heap_stacks *s, const struct tr_heap_call *call)
{
	uint64_t key = tr_mix(tr_pair_key(call->caller, call->func)) ^
		       tr_mix(call->address + tr_mix(call->binary));
	uint32_t id;
	for (; (id = tr_map_get(&s->call_ids, key)) != TR_MAP_NONE; key++)
		if (is_same_call(&s->calls[id], call))
			return id;
	if (s->ncalls >= TR_HEAP_STACKS_MAX && call->caller)
		return call->caller;
	if (!tr_grow(&s->calls, &s->call_room, s->ncalls + 2, sizeof(*s->calls)) ||
	    !tr_map_set(&s->call_ids, key, (uint32_t)s->ncalls + 1))
		return 0;
	s->calls[++s->ncalls] = *call;
	return (uint32_t)s->ncalls;
}

static int take_hit(void *user, const struct tr_unwind_hit *hit)
{
	struct tr_heap_stacks *s = user;
	uint32_t at = 0;
	if (!tr_heap_allocates(s->heap, hit->hit->probe))
		return TR_OK;
	for (uint32_t i = hit->count; i-- > 0;) {
		const struct tr_unwind_frame_at *frame = &hit->frames[i];
		const struct tr_heap_call call = {at, frame->func, frame->binary,
						  frame->address};
		at = call_numbered(s, &call);
		if (!at)
			return TR_E_NOMEM;
	}
	return tr_map_set(&s->hits, (uintptr_t)hit->hit, at) ? TR_OK : TR_E_NOMEM;
}

struct tr_unwind_sink tr_heap_stacks_sink(struct tr_heap_stacks *s)
{
	return (struct tr_unwind_sink){.user = s,
				       .func = add_func,
				       .node = pass_node,
				       .thread = pass_thread,
				       .scontext = pass_context,
				       .srow = pass_srow,
				       .hit = take_hit};
}

/* ------------------------------------------------------------ answers */

void tr_heap_stacks_begin(struct tr_heap_stacks *s)
{
	tr_map_clear(&s->hits);
}

uint32_t tr_heap_stacks_of(const struct tr_heap_stacks *s, const struct tr_hit *hit)
{
	const uint32_t call = tr_map_get(&s->hits, (uintptr_t)hit);
	return call == TR_MAP_NONE ? 0 : call;
}

const struct tr_heap_call *tr_heap_stacks_call(const struct tr_heap_stacks *s,
					       uint32_t call)
{
	return &s->calls[call];
}

const struct tr_func *tr_heap_stacks_func(const struct tr_heap_stacks *s, uint32_t func)
{
	return &s->funcs[func];
}
