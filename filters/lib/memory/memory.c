/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/memory.h"

#include <stdlib.h>
#include <string.h>

#include "memory/objects.h"
#include "memory/walk.h"

struct tr_memory {
	struct tr_memory_options o;
	uint32_t wanted; /* bits of the classes of the memory */
	struct tr_objects *objects;
	struct tr_walk *walk;
	struct tr_memory_sum total; /* without lines */
	uint64_t without;
};

/* The slots that a token has lost to the memory. */
struct lost {
	const struct tr_run *runs;
	unsigned count;
	uint64_t weight; /* slots of the stream for one of the hart */
};

/* Adds the lost slots, to an array by class. Returns their sum. */
static uint64_t add_lost(const struct tr_memory *m, uint64_t *by_class,
			 const struct lost *lost)
{
	uint64_t sum = 0;
	for (unsigned i = 0; i < lost->count; i++) {
		const struct tr_run *run = &lost->runs[i];
		if (!(m->wanted >> (run->class & 31) & 1))
			continue;
		by_class[run->class] += run->slots * lost->weight;
		sum += run->slots * lost->weight;
	}
	return sum;
}

/* Returns the lost slots. */
static uint64_t add_access(const struct tr_memory *m, struct tr_memory_sum *sum,
			   const struct tr_access *access, const struct lost *lost)
{
	if (!(access->kind & TR_ACCESS_STORE))
		sum->loads++;
	else if (access->kind & TR_ACCESS_LOAD)
		sum->atomics++;
	else
		sum->stores++;
	const uint64_t slots = add_lost(m, sum->lost, lost);
	sum->missed += slots != 0;
	return slots;
}

/* What is allocated is known, whatever else is there. */
static int find_place(struct tr_memory *m, const struct tr_context *context,
		      const struct tr_access *access, struct tr_place *place)
{
	const uint32_t space = tr_places_space_of(context, access);
	bool is_freed = false;
	const uint32_t site =
	    m->o.heap && !(access->kind & TR_ACCESS_DEVICE)
		? tr_heap_at(m->o.heap, space, access->address, &is_freed)
		: UINT32_MAX;
	if (site == UINT32_MAX)
		return tr_places_find(m->o.places, context, access, place);
	*place = (struct tr_place){.kind = is_freed ? TR_PLACE_FREED : TR_PLACE_HEAP,
				   .binary = tr_heap_sites_get(m->o.sites, site)->binary,
				   .symbol = site,
				   .member = UINT32_MAX,
				   .space = space};
	return TR_OK;
}

/* What has no symbol may be a structure that the instruction reaches by a pointer; not so
 * what is at a constant from sp. Returns a status. */
static int find_insn(struct tr_memory *m, const struct tr_walk_row *row,
		     const struct tr_access *access, struct tr_place *place)
{
	if (!m->o.typed || !tr_objects_by_insn(place) || access->kind & TR_ACCESS_SP)
		return TR_OK;
	const uint32_t insn = tr_typed_insn(
	    m->o.typed, row->context, tr_walk_pc(row->block, access->token), access);
	if (insn == TR_TYPED_NOMEM)
		return TR_E_NOMEM;
	place->insn = insn + 1; /* 0: its binary is not known */
	return TR_OK;
}

/* Takes an access of a row in a cycle. */
static int take_access(struct tr_memory *m, const struct tr_walk_row *row, uint64_t cycle,
		       const struct tr_access *access, const struct lost *lost)
{
	struct tr_place place;
	uint32_t number;
	int status = find_place(m, row->context, access, &place);
	if (!status)
		status = find_insn(m, row, access, &place);
	struct tr_memory_object *object =
	    status ? NULL : tr_objects_at(m->objects, &place, &number);
	if (!object)
		return status ? status : TR_E_NOMEM;
	add_access(m, &m->total, access, lost);
	const struct tr_line_access line = {
	    .access = access,
	    .cycle = cycle,
	    .hart = row->hart,
	    .object = number,
	    .lost = add_access(m, &object->sum, access, lost)};
	status = tr_objects_touch(m->objects, number, access->physical);
	if (!status && m->o.lines)
		status = tr_lines_add(m->o.lines, &line);
	if (!status && m->o.slices)
		status = tr_working_set_add(m->o.slices, &line);
	return status;
}

static int take_row(void *user, const struct tr_walk_row *row)
{
	struct tr_memory *m = user;
	const struct tr_timing *timing = row->timing;
	uint64_t extra = 0; /* cycles, of stalls so far */
	uint32_t stall = 0;
	int status = TR_OK;
	for (unsigned i = 0; i < row->count && !status; i++) {
		const struct tr_access *access = &row->accesses[i];
		struct lost lost = {.weight = row->weight};
		for (; stall < timing->nstalls &&
		       timing->stalls[stall].token <= access->token;
		     stall++) {
			extra += timing->stalls[stall].cycles - 1;
			if (timing->stalls[stall].token < access->token)
				continue;
			lost.runs = &timing->runs[timing->stalls[stall].first_run];
			lost.count = timing->stalls[stall].nruns;
		}
		status = take_access(m, row, row->cycle + access->token + 1 + extra,
				     access, &lost);
	}
	return status;
}

struct tr_memory *tr_memory_new(const struct tr_memory_options *options)
{
	struct tr_memory *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->o = *options;
	for (unsigned i = 1; m->o.classes && i <= m->o.classes->count; i++)
		if (strcmp(m->o.classes->group_name[m->o.classes->group[i]], "memory") ==
		    0)
			m->wanted |= UINT32_C(1) << i;
	m->objects = tr_objects_new(&m->o);
	m->walk = tr_walk_new(&m->o, take_row, m);
	if (m->objects && m->walk)
		return m;
	tr_memory_free(m);
	return NULL;
}

void tr_memory_free(struct tr_memory *m)
{
	if (!m)
		return;
	tr_walk_free(m->walk);
	tr_objects_free(m->objects);
	free(m);
}

/* A later frame has nothing that is older than this, tr-stream(5). */
static void settle_lines(struct tr_memory *m, const struct tr_frame *frame)
{
	const uint64_t older = 131072;
	uint64_t end = 0;
	for (uint32_t i = 0; i < frame->nharts; i++)
		if (frame->harts[i].end_cycle > end)
			end = frame->harts[i].end_cycle;
	tr_lines_settle(m->o.lines, end > older ? end - older : 0);
}

int tr_memory_frame(struct tr_memory *m, const struct tr_reader *reader,
		    const struct tr_frame *frame, const struct tr_accesses *accesses)
{
	const int status = tr_walk_frame(m->walk, reader, frame, accesses);
	m->without += tr_accesses_sum(accesses).unknown;
	if (m->o.lines)
		settle_lines(m, frame);
	return status;
}

int tr_memory_finish(struct tr_memory *m)
{
	if (m->o.lines)
		tr_lines_settle(m->o.lines, UINT64_MAX);
	return m->o.typed ? tr_objects_name_types(m->objects) : TR_OK;
}

size_t tr_memory_objects(const struct tr_memory *m)
{
	return tr_objects_count(m->objects);
}

const struct tr_memory_object *tr_memory_object(const struct tr_memory *m, size_t i)
{
	return tr_objects_get(m->objects, i);
}

const char *tr_memory_stack(const struct tr_memory *m,
			    const struct tr_memory_object *object)
{
	return tr_place_is_on_heap(&object->place)
		   ? tr_heap_sites_get(m->o.sites, object->place.symbol)->name
		   : NULL;
}

void tr_memory_total(const struct tr_memory *m, struct tr_memory_sum *sum,
		     uint64_t *without)
{
	*sum = m->total;
	sum->lines = tr_objects_lines(m->objects);
	*without = m->without;
}
