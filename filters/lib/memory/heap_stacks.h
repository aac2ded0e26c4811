/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of allocations, from an unwinder, as a tree of calls. Memory grows with the
 * different stacks that there are, and the hits of a frame. */
#ifndef TR_MEMORY_HEAP_STACKS_H
#define TR_MEMORY_HEAP_STACKS_H

#include "memory/heap.h"
#include "unwind/unwind.h"

struct tr_heap_stacks;
enum { TR_HEAP_STACKS_MAX = 1 << 22 }; /* calls; further ones are their callers' */

/* A call: a function, and where in it the next one returns to, or where it is itself. */
struct tr_heap_call {
	uint32_t caller; /* 0: none */
	uint32_t func;	 /* for tr_heap_stacks_func() */
	uint32_t binary; /* TR_NOTE_*: the address is not known */
	uint64_t address;
};

/* Takes the hits that allocate in `heap`, which stays the caller's. Returns NULL when out
 * of memory; tr_heap_stacks_free() accepts NULL. */
struct tr_heap_stacks *tr_heap_stacks_new(const struct tr_heap *heap);
void tr_heap_stacks_free(struct tr_heap_stacks *s);
/* Returns callbacks for an unwinder, which keeps them. */
struct tr_unwind_sink tr_heap_stacks_sink(struct tr_heap_stacks *s);
/* Forgets the hits of the frame before. Call it before the unwinder gets a frame. */
void tr_heap_stacks_begin(struct tr_heap_stacks *s);
/* Returns the innermost call at a hit of the frame that the unwinder has got; 0 if it is
 * not known. The number stays valid. */
uint32_t tr_heap_stacks_of(const struct tr_heap_stacks *s, const struct tr_hit *hit);
/* Return a call, and a function, whose texts stay valid. */
const struct tr_heap_call *tr_heap_stacks_call(const struct tr_heap_stacks *s,
					       uint32_t call);
const struct tr_func *tr_heap_stacks_func(const struct tr_heap_stacks *s, uint32_t func);

#endif
