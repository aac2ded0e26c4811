/* SPDX-License-Identifier: Apache-2.0 */
/* What has allocated memory, by name: the code to which the allocation returned, the
 * innermost function of its stack that is not the allocator's, or the whole stack. */
#ifndef TR_MEMORY_HEAP_SITES_H
#define TR_MEMORY_HEAP_SITES_H

#include "memory/heap_stacks.h"
#include "memory/places.h"

struct tr_heap_sites;

struct tr_heap_sites_options {
	struct tr_places *places;
	struct tr_symbols *symbols;
	/* NULL: only the code to which the allocation returned is known. */
	const struct tr_heap_stacks *stacks;
	bool whole; /* stacks, as folded text has them */
	/* Returns true if a function is of the allocator, too; may be NULL. */
	bool (*hides)(void *user, const char *function);
	void *user;
};

struct tr_heap_site {
	const char *name;
	uint32_t binary; /* UINT32_MAX: it is not known */
};

/* Keeps what `options` refers to. Returns NULL when out of memory; tr_heap_sites_free()
 * accepts NULL. */
struct tr_heap_sites *tr_heap_sites_new(const struct tr_heap_sites_options *options);
void tr_heap_sites_free(struct tr_heap_sites *s);
/* Returns the number of the site of a hit at `pc`, or UINT32_MAX when out of memory. */
uint32_t tr_heap_sites_of(struct tr_heap_sites *s, const struct tr_context *context,
			  uint64_t pc, const struct tr_hit *hit);
const struct tr_heap_site *tr_heap_sites_get(const struct tr_heap_sites *s,
					     uint32_t site);

/* Returns true if a function, or all of a binary, belongs to an allocator: malloc() and
 * its like of C libraries, of C++ and of the kernel, and what only passes on what they
 * return. */
bool tr_is_allocator(const char *function, const char *binary);

#endif
