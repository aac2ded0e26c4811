/* SPDX-License-Identifier: Apache-2.0 */
/* Sums over the accesses of a stream, by what is at their addresses.
 *
 * Each access counts once: as a load, a store or an atomic one (an AMO; LR is a load, SC
 * a store). The slots that it lost are those that its own token lost to the classes of
 * the memory (memory.l2, memory.dram, memory.dtlb): both cores of this machine give them
 * to the load or store itself, not to the instruction that uses its value. */
#ifndef TR_MEMORY_H
#define TR_MEMORY_H

#include "memory/heap_forks.h"
#include "memory/heap_sites.h"
#include "memory/lines.h"
#include "memory/places.h"
#include "memory/typed.h"
#include "memory/working_set.h"
#include "stream/classes.h"

struct tr_memory;

/* Sums over accesses. */
struct tr_memory_sum {
	uint64_t loads, stores, atomics;
	uint64_t missed;	       /* accesses that lost slots to the memory */
	uint64_t lost[TR_MAX_CLASSES]; /* slots by class */
	uint64_t lines;		       /* distinct lines of physical memory */
};

/* Something that was accessed. */
struct tr_memory_object {
	struct tr_place place; /* of the first access; its offset is meaningless */
	const char *name, *binary;
	unsigned evidence; /* of a member: bits 1 << enum tr_data_evidence */
	bool is_typed;	   /* by the instructions that access it, not by its place */
	struct tr_memory_sum sum;
};

struct tr_memory_options {
	const struct tr_header *header;
	const struct tr_classes *classes; /* NULL: the stream has none */
	struct tr_places *places;
	unsigned line;		       /* bytes of a line: a power of 2, 64 at most */
	struct tr_lines *lines;	       /* gets all accesses; NULL: not wanted */
	struct tr_working_set *slices; /* gets all accesses; NULL: not wanted */
	struct tr_heap *heap; /* gets the hits of its probes; NULL: there are none */
	struct tr_heap_sites *sites; /* with `heap`: what allocates */
	struct tr_heap_forks *forks; /* with `heap`: gets the hits of all probes */
	struct tr_typed *typed; /* finds members reached by pointers; NULL: not wanted */
};

/* What `options` refers to stays the caller's. Returns NULL when out of memory. */
struct tr_memory *tr_memory_new(const struct tr_memory_options *options);
void tr_memory_free(struct tr_memory *m);
/* Takes the accesses of a frame. Returns a status, as tr_places_frame() and
 * tr_lines_add(). */
int tr_memory_frame(struct tr_memory *m, const struct tr_reader *reader,
		    const struct tr_frame *frame, const struct tr_accesses *accesses);
/* Call after the last frame. Returns TR_OK or TR_E_NOMEM. */
int tr_memory_finish(struct tr_memory *m);
/* Return the objects, in order of their first access. */
size_t tr_memory_objects(const struct tr_memory *m);
const struct tr_memory_object *tr_memory_object(const struct tr_memory *m, size_t i);
/* Returns the name of the site of an object on the heap, without more; NULL of others. */
const char *tr_memory_stack(const struct tr_memory *m,
			    const struct tr_memory_object *object);
/* Gets the sum over all accesses, and how many had no address. */
void tr_memory_total(const struct tr_memory *m, struct tr_memory_sum *sum,
		     uint64_t *without);

static inline uint64_t tr_memory_accesses(const struct tr_memory_sum *sum)
{
	return sum->loads + sum->stores + sum->atomics;
}

#endif
