/* SPDX-License-Identifier: Apache-2.0 */
#include "memory/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/little.h"
#include "base/map.h"
#include "memory/merge.h"
#include "stream/frame.h"
#include "stream/sp.h"

/* sp of a hart, if it is known, and the space of the user code that it ran last. */
struct hart_sp {
	uint64_t sp;
	uint32_t hart, space; /* UINT32_MAX: none, or probes were hit since */
	bool known;
};

struct tr_memory {
	struct tr_memory_options o;
	uint32_t wanted; /* bits of the classes of the memory */
	uint32_t width;
	struct tr_memory_object *objects;
	size_t nobjects, object_room;
	struct tr_map object_ids; /* by place */
	struct tr_map insn_ids;	  /* objects by kind of place, or site, and instruction */
	struct tr_map line_ids;	  /* by number of the line */
	uint32_t nlines;
	struct tr_map touched;	  /* by line and object */
	struct tr_touch *touches; /* the same, with `typed` */
	size_t ntouches, touch_room;
	struct tr_memory_sum total;
	uint64_t without;
	struct tr_arena names;
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
	tr_map_free(&m->insn_ids);
	tr_map_free(&m->line_ids);
	tr_map_free(&m->touched);
	tr_arena_reset(&m->names);
	free(m->touches);
	tr_sp_sums_release(&m->added);
	free(m->objects);
	free(m);
}

/* ------------------------------------------------------------ objects */

/* Returns NULL when out of memory. */
static const char *name_of_site(struct tr_memory *m, const char *kind, uint32_t site)
{
	const char *name = tr_heap_sites_get(m->o.sites, site)->name;
	const size_t size = strlen(kind) + strlen(name) + 1;
	char *text = tr_arena_take(&m->names, size);
	if (text)
		snprintf(text, size, "%s%s", kind, name);
	return text;
}

/* Returns NULL when out of memory. */
static const char *name_of_place(struct tr_memory *m, const struct tr_place *place)
{
	switch (place->kind) {
	case TR_PLACE_SYMBOL:
		if (place->member != UINT32_MAX)
			return tr_data_members_name(
			    tr_places_members(m->o.places, place->binary), place->member);
		return tr_data_symbols_get(tr_places_symbols(m->o.places, place->binary),
					   place->symbol)
		    ->name;
	case TR_PLACE_HEAP:
		return name_of_site(m, "[heap] ", place->symbol);
	case TR_PLACE_FREED:
		return name_of_site(m, "[freed] ", place->symbol);
	case TR_PLACE_STACK:
		return "[stack]";
	case TR_PLACE_DEVICE:
		return "[device]";
	default:
		return "[unknown]";
	}
}

static const char *name_of_binary(const struct tr_memory *m, uint32_t binary)
{
	char key[32];
	snprintf(key, sizeof(key), "bin.%u.name", binary);
	const char *name = tr_header_get(m->o.header, key);
	return name ? name : "";
}

static const char *binary_of_place(const struct tr_memory *m,
				   const struct tr_place *place)
{
	return place->kind == TR_PLACE_SYMBOL || tr_place_is_on_heap(place)
		   ? name_of_binary(m, place->binary)
		   : "";
}

static uint64_t key_of_place(const struct tr_place *place)
{
	const uint32_t kind = (uint32_t)place->kind;
	if (place->insn) /* freed or not: 2 numbers for each site, above the kinds */
		return tr_pair_key(tr_place_is_on_heap(place) ? kind + 2 * place->symbol
							      : kind,
				   place->insn);
	if (place->member != UINT32_MAX)
		return tr_pair_key(place->binary | UINT32_C(1) << 31, place->member);
	if (place->kind == TR_PLACE_SYMBOL)
		return tr_pair_key(place->binary, place->symbol);
	return tr_place_is_on_heap(place) ? tr_pair_key(UINT32_MAX - kind, place->symbol)
					  : tr_pair_key(UINT32_MAX, kind);
}

/* Returns the object at a place, or NULL when out of memory. */
static struct tr_memory_object *object_at(struct tr_memory *m,
					  const struct tr_place *place)
{
	const uint64_t key = key_of_place(place);
	struct tr_map *ids = place->insn ? &m->insn_ids : &m->object_ids;
	uint32_t id = tr_map_get(ids, key);
	if (id != TR_MAP_NONE)
		return &m->objects[id];
	id = (uint32_t)m->nobjects;
	if (!tr_grow(&m->objects, &m->object_room, m->nobjects + 1,
		     sizeof(*m->objects)) ||
	    !tr_map_set(ids, key, id))
		return NULL;
	m->objects[m->nobjects++] = (struct tr_memory_object){
	    .place = *place,
	    .name = name_of_place(m, place),
	    .binary = binary_of_place(m, place),
	    .evidence = place->kind == TR_PLACE_SYMBOL ? 1U << TR_EVIDENCE_SYMBOL : 0};
	return m->objects[id].name ? &m->objects[id] : NULL;
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
	if (m->o.typed) {
		if (!tr_grow(&m->touches, &m->touch_room, m->ntouches + 1,
			     sizeof(*m->touches)))
			return TR_E_NOMEM;
		m->touches[m->ntouches++] =
		    (struct tr_touch){(uint32_t)(object - m->objects), id};
	}
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
	const struct tr_block *block; /* of the row */
};

/* What is allocated is known, whatever else is there. */
static int find_place(struct tr_memory *m, const struct tr_context *context,
		      const struct tr_access *access, struct tr_place *place)
{
	const uint32_t space = tr_places_space(context, access->address);
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

static uint64_t pc_of_token(const struct tr_block *block, unsigned token)
{
	uint64_t offset = 0;
	for (unsigned i = 0; i < token && !block->no_bits; i++)
		offset += tr_insn_length(tr_load16(block->code + offset));
	return block->pc + offset;
}

/* What has no symbol may be a structure that the instruction reaches by a pointer; not so
 * what is at a constant from sp. Returns a status. */
static int find_insn(struct tr_memory *m, const struct moment *at,
		     const struct tr_access *access, struct tr_place *place)
{
	if (!m->o.typed || place->kind == TR_PLACE_SYMBOL ||
	    place->kind == TR_PLACE_DEVICE || access->kind & TR_ACCESS_SP)
		return TR_OK;
	const uint32_t insn = tr_typed_insn(
	    m->o.typed, at->context, pc_of_token(at->block, access->token), access);
	if (insn == TR_TYPED_NOMEM)
		return TR_E_NOMEM;
	place->insn = insn + 1; /* 0: its binary is not known */
	return TR_OK;
}

static int take_access(struct tr_memory *m, const struct moment *at,
		       const struct tr_access *access, const struct lost *lost)
{
	struct tr_place place;
	int status = find_place(m, at->context, access, &place);
	if (!status)
		status = find_insn(m, at, access, &place);
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
	if (!status && m->o.lines)
		status = tr_lines_add(m->o.lines, &line);
	if (!status && m->o.slices)
		status = tr_slices_add(m->o.slices, &line);
	return status;
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
		m->sps[m->nsps++] = (struct hart_sp){.hart = hart, .space = UINT32_MAX};
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

/* ------------------------------------------------------------ frames */

/* Where a walk over a hart's part of a frame is: before rows from `first` up to `last`,
 * or else before the next step. */
struct part_walk {
	const struct tr_frame *frame;
	const struct tr_accesses *accesses;
	struct tr_cursor cursor;
	struct moment at;
	struct hart_sp *sp;
	uint64_t weight;
	uint32_t part, first, last;
	bool is_ended;
};

/* ------------------------------------------------------------ heap */

/* Returns the pc at the place of an event; 0 behind the last row. */
static uint64_t pc_of_event(const struct part_walk *w, const struct tr_event *event)
{
	const struct tr_hart_frame *hart = w->cursor.hart;
	if (event->row >= hart->nrows)
		return 0;
	const struct tr_block *block =
	    tr_frame_block(w->frame, hart->rows[event->row].block);
	return pc_of_token(block, event->token);
}

static int take_heap_hit(struct tr_memory *m, const struct part_walk *w,
			 const struct tr_event *event)
{
	const struct tr_hit *hit = &event->u.probe;
	const struct tr_context *context = &w->cursor.context;
	uint32_t site = 0;
	if (!m->o.heap)
		return TR_OK;
	const int status = tr_heap_forks_hit(m->o.forks, w->at.hart, context, hit);
	const uint64_t pc = pc_of_event(w, event);
	if (status)
		return status;
	w->sp->space = UINT32_MAX; /* tr_heap_forks_run() */
	if (tr_heap_allocates(m->o.heap, hit->probe))
		site = tr_heap_sites_of(m->o.sites, context, pc, hit);
	if (site == UINT32_MAX)
		return TR_E_NOMEM;
	return tr_heap_hit(m->o.heap, tr_places_space(context, pc), hit, site);
}

/* Returns a status. */
static inline int pass_user_space(struct tr_memory *m, const struct part_walk *w)
{
	const struct tr_context *context = &w->cursor.context;
	if (!m->o.heap || w->sp->space == context->space ||
	    tr_note_space(context) != context->space)
		return TR_OK;
	w->sp->space = context->space;
	return tr_heap_forks_run(m->o.forks, w->at.hart, context);
}

static int begin_walk(struct tr_memory *m, struct part_walk *w, uint32_t part)
{
	const struct tr_hart_frame *hart = &w->frame->harts[part];
	w->part = part;
	w->sp = sp_of_hart(m, hart->hart);
	w->weight =
	    m->width > 1 ? m->width / tr_header_hart_width(m->o.header, hart->hart) : 1;
	w->at = (struct moment){.context = &w->cursor.context,
				.hart = hart->hart,
				.cycle = hart->start_cycle};
	tr_cursor_init(&w->cursor, hart);
	return w->sp ? TR_OK : TR_E_NOMEM;
}

static int walk_row(struct tr_memory *m, struct part_walk *w)
{
	const struct tr_row *row = &w->cursor.hart->rows[w->first];
	unsigned count;
	const struct tr_access *accesses =
	    tr_accesses_row(w->accesses, w->part, w->first++, &count);
	int status = pass_row_sp(m, w->sp, &w->cursor.context, m->added.sums[row->block]);
	if (!status)
		status = pass_user_space(m, w);
	w->at.block = tr_frame_block(w->frame, row->block);
	if (count && !status)
		status = take_row(m, &w->at, tr_frame_timing(w->frame, row->timing),
				  accesses, count, w->weight);
	w->at.cycle += row->cycles;
	return status;
}

/* Goes on by a row or an event. Returns a status. */
static int walk_on(struct tr_memory *m, struct part_walk *w)
{
	const struct tr_event *event;
	if (w->first < w->last)
		return walk_row(m, w);
	const enum tr_step step = tr_cursor_next(&w->cursor, &w->first, &w->last, &event);
	w->is_ended = step == TR_STEP_END;
	if (!w->is_ended)
		w->at.cycle = w->cursor.cycle;
	if (step != TR_STEP_EVENT)
		return TR_OK;
	w->first = w->last = 0;
	take_sp_event(w->sp, event);
	return event->kind == TR_EV_PROBE ? take_heap_hit(m, w, event) : TR_OK;
}

/* Takes the harts in the order of their cycles. */
static int walk_frame(struct tr_memory *m, const struct tr_frame *frame,
		      const struct tr_accesses *accesses)
{
	struct part_walk *walks = calloc(frame->nharts + 1UL, sizeof(*walks));
	int status = walks ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < frame->nharts && !status; i++) {
		walks[i] = (struct part_walk){.frame = frame, .accesses = accesses};
		status = begin_walk(m, &walks[i], i);
	}
	while (!status) {
		struct part_walk *next = NULL;
		for (uint32_t i = 0; i < frame->nharts; i++)
			if (!walks[i].is_ended &&
			    (!next || walks[i].at.cycle < next->at.cycle))
				next = &walks[i];
		if (!next)
			break;
		status = walk_on(m, next);
	}
	free(walks);
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
	if (!status)
		status = walk_frame(m, frame, accesses);
	m->without += tr_accesses_sum(accesses).unknown;
	if (m->o.lines)
		settle_lines(m, frame);
	return status;
}

/* Names the members that instructions access. Returns a status. */
static int find_types(struct tr_memory *m)
{
	const int status = tr_typed_find(m->o.typed);
	for (size_t i = 0; i < m->nobjects && !status; i++) {
		struct tr_memory_object *object = &m->objects[i];
		const uint32_t insn = object->place.insn;
		enum tr_data_evidence evidence = TR_EVIDENCE_NONE;
		uint32_t binary = 0;
		const char *name =
		    insn ? tr_typed_get(m->o.typed, insn - 1, &binary, &evidence) : NULL;
		if (!name)
			continue;
		object->binary = name_of_binary(m, binary);
		object->name = name;
		object->is_typed = true;
		object->evidence = 1U << evidence;
	}
	return status
		   ? status
		   : tr_memory_merge(m->objects, &m->nobjects, m->touches, m->ntouches);
}

int tr_memory_finish(struct tr_memory *m)
{
	if (m->o.lines)
		tr_lines_settle(m->o.lines, UINT64_MAX);
	return m->o.typed ? find_types(m) : TR_OK;
}

size_t tr_memory_objects(const struct tr_memory *m)
{
	return m->nobjects;
}

const struct tr_memory_object *tr_memory_object(const struct tr_memory *m, size_t i)
{
	return &m->objects[i];
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
	*without = m->without;
}
