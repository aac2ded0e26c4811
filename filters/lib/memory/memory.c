/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"
#include "stream/frame.h"
#include "stream/sp.h"

/* sp of a hart, if it is known. */
struct hart_sp {
	uint64_t sp;
	uint32_t hart;
	bool known;
};

struct tr_memory {
	struct tr_memory_options o;
	uint32_t wanted; /* bits of the classes of the memory */
	uint32_t width;
	struct tr_memory_object *objects;
	size_t nobjects, object_room;
	struct tr_map object_ids; /* by place */
	struct tr_map line_ids;	  /* by number of the line */
	uint32_t nlines;
	struct tr_map touched; /* by line and object */
	struct tr_memory_sum total;
	uint64_t without;
	struct hart_sp sps[TR_MAX_HARTS];
	uint32_t nsps;
	struct tr_sp_sums added; /* to sp, by block */
};

struct tr_memory *tr_memory_new(const struct tr_memory_options *options)
{
	struct tr_memory *m = calloc(1, sizeof(*m));
	if (!m)
		return NULL;
	m->o = *options;
	m->width = m->o.classes ? tr_header_commit_width(m->o.header) : 1;
	for (unsigned i = 1; m->o.classes && i <= m->o.classes->count; i++)
		if (strcmp(m->o.classes->group_name[m->o.classes->group[i]], "memory") ==
		    0)
			m->wanted |= UINT32_C(1) << i;
	return m;
}

void tr_memory_free(struct tr_memory *m)
{
	if (!m)
		return;
	tr_map_free(&m->object_ids);
	tr_map_free(&m->line_ids);
	tr_map_free(&m->touched);
	tr_sp_sums_release(&m->added);
	free(m->objects);
	free(m);
}

/* ------------------------------------------------------------ objects */

static const char *name_of_place(const struct tr_memory *m, const struct tr_place *place)
{
	switch (place->kind) {
	case TR_PLACE_SYMBOL:
		if (place->member != UINT32_MAX)
			return tr_data_members_name(
			    tr_places_members(m->o.places, place->binary), place->member);
		return tr_data_symbols_get(tr_places_symbols(m->o.places, place->binary),
					   place->symbol)
		    ->name;
	case TR_PLACE_STACK:
		return "[stack]";
	case TR_PLACE_DEVICE:
		return "[device]";
	default:
		return "[unknown]";
	}
}

static const char *binary_of_place(const struct tr_memory *m,
				   const struct tr_place *place)
{
	char key[32];
	const char *name;
	snprintf(key, sizeof(key), "bin.%u.name", place->binary);
	name = place->kind == TR_PLACE_SYMBOL ? tr_header_get(m->o.header, key) : NULL;
	return name ? name : "";
}

/* Returns the object at a place, or NULL when out of memory. */
static struct tr_memory_object *object_at(struct tr_memory *m,
					  const struct tr_place *place)
{
	const bool is_symbol = place->kind == TR_PLACE_SYMBOL;
	const bool is_member = place->member != UINT32_MAX;
	const uint64_t key =
	    is_member	? tr_pair_key(place->binary | UINT32_C(1) << 31, place->member)
	    : is_symbol ? tr_pair_key(place->binary, place->symbol)
			: tr_pair_key(UINT32_MAX, (uint32_t)place->kind);
	uint32_t id = tr_map_get(&m->object_ids, key);
	if (id != TR_MAP_NONE)
		return &m->objects[id];
	id = (uint32_t)m->nobjects;
	if (!tr_grow(&m->objects, &m->object_room, m->nobjects + 1,
		     sizeof(*m->objects)) ||
	    !tr_map_set(&m->object_ids, key, id))
		return NULL;
	m->objects[m->nobjects++] =
	    (struct tr_memory_object){.place = *place,
				      .name = name_of_place(m, place),
				      .binary = binary_of_place(m, place)};
	return &m->objects[id];
}

/* ------------------------------------------------------------ sums */

/* Counts the line, unless the object has touched it before. Returns a status. */
static int touch_line(struct tr_memory *m, struct tr_memory_object *object,
		      uint64_t physical)
{
	const uint64_t number = physical / m->o.line;
	uint32_t id = tr_map_get(&m->line_ids, number);
	if (id == TR_MAP_NONE) {
		id = m->nlines++;
		m->total.lines++;
		if (!tr_map_set(&m->line_ids, number, id))
			return TR_E_NOMEM;
	}
	const uint64_t key = tr_pair_key((uint32_t)(object - m->objects), id);
	if (tr_map_get(&m->touched, key) != TR_MAP_NONE)
		return TR_OK;
	object->sum.lines++;
	return tr_map_set(&m->touched, key, 0) ? TR_OK : TR_E_NOMEM;
}

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

/* Where and when an access is. */
struct moment {
	const struct tr_context *context;
	uint64_t cycle;
	uint32_t hart;
};

static int take_access(struct tr_memory *m, const struct moment *at,
		       const struct tr_access *access, const struct lost *lost)
{
	struct tr_place place;
	int status = tr_places_find(m->o.places, at->context, access, &place);
	struct tr_memory_object *object = status ? NULL : object_at(m, &place);
	if (!object)
		return status ? status : TR_E_NOMEM;
	add_access(m, &m->total, access, lost);
	const struct tr_line_access line = {
	    .access = access,
	    .cycle = at->cycle,
	    .hart = at->hart,
	    .object = (uint32_t)(object - m->objects),
	    .lost = add_access(m, &object->sum, access, lost)};
	status = touch_line(m, object, access->physical);
	return !status && m->o.lines ? tr_lines_add(m->o.lines, &line) : status;
}

/* `at` is the beginning of the row. */
static int take_row(struct tr_memory *m, const struct moment *at,
		    const struct tr_timing *timing, const struct tr_access *accesses,
		    unsigned count, uint64_t weight)
{
	struct moment now = *at;
	uint64_t extra = 0; /* cycles, of stalls so far */
	uint32_t stall = 0;
	int status = TR_OK;
	for (unsigned i = 0; i < count && !status; i++) {
		struct lost lost = {.weight = weight};
		for (; stall < timing->nstalls &&
		       timing->stalls[stall].token <= accesses[i].token;
		     stall++) {
			extra += timing->stalls[stall].cycles - 1;
			if (timing->stalls[stall].token < accesses[i].token)
				continue;
			lost.runs = &timing->runs[timing->stalls[stall].first_run];
			lost.count = timing->stalls[stall].nruns;
		}
		now.cycle = at->cycle + accesses[i].token + 1 + extra;
		status = take_access(m, &now, &accesses[i], &lost);
	}
	return status;
}

/* ------------------------------------------------------------ stacks */

static struct hart_sp *sp_of_hart(struct tr_memory *m, uint32_t hart)
{
	uint32_t i = 0;
	while (i < m->nsps && m->sps[i].hart != hart)
		i++;
	if (i == m->nsps && i < TR_MAX_HARTS)
		m->sps[m->nsps++] = (struct hart_sp){.hart = hart};
	return i < TR_MAX_HARTS ? &m->sps[i] : NULL;
}

static void take_sp_event(struct hart_sp *sp, const struct tr_event *event)
{
	if (event->kind == TR_EV_GAP)
		sp->known = false;
	if (event->kind != TR_EV_REG || event->u.reg.reg != TR_REG_SP)
		return;
	sp->sp = event->u.reg.value;
	sp->known = true;
}

/* Follows sp over a row, which adds a constant to it. Returns a status. */
static int pass_row_sp(struct tr_memory *m, struct hart_sp *sp,
		       const struct tr_context *context, int64_t added)
{
	const uint64_t before = sp->sp;
	sp->sp += (uint64_t)added;
	if (!sp->known || !added)
		return TR_OK;
	return added < 0 ? tr_places_stack(m->o.places, context, sp->sp, before)
			 : tr_places_stack(m->o.places, context, before, sp->sp);
}

static int take_part(struct tr_memory *m, const struct tr_frame *frame, uint32_t part,
		     const struct tr_accesses *accesses)
{
	const struct tr_hart_frame *hart = &frame->harts[part];
	const uint64_t weight =
	    m->width > 1 ? m->width / tr_header_hart_width(m->o.header, hart->hart) : 1;
	struct tr_cursor cursor;
	enum tr_step step;
	uint32_t first, last;
	const struct tr_event *event;
	int status = TR_OK;
	struct moment at = {.context = &cursor.context, .hart = hart->hart};
	struct hart_sp *sp = sp_of_hart(m, hart->hart);
	if (!sp)
		return TR_E_NOMEM;
	tr_cursor_init(&cursor, hart);
	while (!status && (step = tr_cursor_next(&cursor, &first, &last, &event))) {
		if (step == TR_STEP_EVENT)
			take_sp_event(sp, event);
		at.cycle = cursor.cycle;
		for (; step == TR_STEP_ROWS && first < last && !status; first++) {
			unsigned count;
			status = pass_row_sp(m, sp, &cursor.context,
					     m->added.sums[hart->rows[first].block]);
			const struct tr_access *row =
			    tr_accesses_row(accesses, part, first, &count);
			if (count && !status)
				status = take_row(
				    m, &at,
				    tr_frame_timing(frame, hart->rows[first].timing), row,
				    count, weight);
			at.cycle += hart->rows[first].cycles;
		}
	}
	return status;
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
	int status = tr_places_frame(m->o.places, frame);
	if (!status)
		status = tr_sp_sums_update(&m->added, reader, frame->generation);
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		status = take_part(m, frame, i, accesses);
	m->without += tr_accesses_sum(accesses).unknown;
	if (m->o.lines)
		settle_lines(m, frame);
	return status;
}

void tr_memory_finish(struct tr_memory *m)
{
	if (m->o.lines)
		tr_lines_settle(m->o.lines, UINT64_MAX);
}

size_t tr_memory_objects(const struct tr_memory *m)
{
	return m->nobjects;
}

const struct tr_memory_object *tr_memory_object(const struct tr_memory *m, size_t i)
{
	return &m->objects[i];
}

void tr_memory_total(const struct tr_memory *m, struct tr_memory_sum *sum,
		     uint64_t *without)
{
	*sum = m->total;
	*without = m->without;
}
