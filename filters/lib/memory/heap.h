/* SPDX-License-Identifier: Apache-2.0 */
/* Memory that was allocated while the program ran, as probes report it: a probe with the
 * fields heap_address and heap_size allocates, and one with heap_free frees, before it
 * allocates if it has all of them. An allocation at an address that is allocated replaces
 * what is there: so that of a function that returns what another one has allocated, and
 * returns later, counts. What was freed is remembered until it is allocated again.
 *
 * Memory grows with the pages that are allocated in each address space, and with the
 * pieces in them: those that are allocated, or were. */
#ifndef TR_MEMORY_HEAP_H
#define TR_MEMORY_HEAP_H

#include "base/status.h"
#include "stream/probes.h"

struct tr_heap;

/* The names stay the caller's. Returns NULL when out of memory; tr_heap_free() accepts
 * NULL. */
struct tr_heap *tr_heap_new(const struct tr_probe_names *names);
void tr_heap_free(struct tr_heap *h);
/* Returns true if there are such probes. */
bool tr_heap_is_reported(const struct tr_heap *h);
/* Takes a hit in an address space; `site` is what has allocated. Returns TR_OK or
 * TR_E_NOMEM. */
int tr_heap_hit(struct tr_heap *h, uint32_t space, const struct tr_hit *hit,
		uint32_t site);
/* Returns true if the hit of a probe allocates. */
bool tr_heap_allocates(const struct tr_heap *h, uint32_t probe);
/* Finds what allocated the memory at an address, and whether it was freed since. Returns
 * UINT32_MAX if it was not allocated. */
uint32_t tr_heap_at(const struct tr_heap *h, uint32_t space, uint64_t address,
		    bool *is_freed);
/* What is allocated in an address space is so in another one, too, in place of what was
 * there. Returns TR_OK or TR_E_NOMEM. */
int tr_heap_copy(struct tr_heap *h, uint32_t from, uint32_t to);
/* Forgets what was allocated in an address space. */
void tr_heap_drop(struct tr_heap *h, uint32_t space);

#endif
