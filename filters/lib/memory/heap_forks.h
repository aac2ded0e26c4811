/* SPDX-License-Identifier: Apache-2.0 */
/* What is allocated when a process forks, or ends: a child begins with what its parent
 * has allocated at that time, and what a process had is dropped when another one has its
 * page table.
 *
 * Hits tell of this, as those of linux.probes: a new process by the fields `task`,
 * `child` and `tgid`, the latter two equal, and that a task runs next on a hart by
 * `next_task`. */
#ifndef TR_MEMORY_HEAP_FORKS_H
#define TR_MEMORY_HEAP_FORKS_H

#include "memory/heap.h"
#include "stream/mode.h"

struct tr_heap_forks;

/* What is passed stays the caller's. Returns NULL when out of memory;
 * tr_heap_forks_free() accepts NULL. */
struct tr_heap_forks *tr_heap_forks_new(const struct tr_probe_names *names,
					struct tr_heap *heap);
void tr_heap_forks_free(struct tr_heap_forks *f);
/* Takes any hit. Returns TR_OK or TR_E_NOMEM. */
int tr_heap_forks_hit(struct tr_heap_forks *f, uint32_t hart,
		      const struct tr_context *context, const struct tr_hit *hit);
/* A hart runs user code in this context, after a hit or in another space than it did
 * last. Returns TR_OK or TR_E_NOMEM. */
int tr_heap_forks_run(struct tr_heap_forks *f, uint32_t hart,
		      const struct tr_context *context);

#endif
