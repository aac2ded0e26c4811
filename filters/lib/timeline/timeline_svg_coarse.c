/* SPDX-License-Identifier: Apache-2.0 */
/* A coarse picture: sums of sections of the stream, which it shows as if they were spread
 * evenly over the section. Nothing depends on the order of steps in a section, so that
 * sums of the stream's index can take their place. */
#include <stdlib.h>
#include <string.h>

#include "stream/stacks_index.h"
#include "timeline/timeline_svg_internal.h"

/* Of a section: threads with the most cycles that are drawn; and the part that a stack
 * needs to have, which would be its caller's otherwise. */
enum { THREADS = CELLS / 2, PART = CELLS / 2 };

struct ran {
	struct thread who;
	uint64_t cycles;
};

/* What a hart ran in a section. */
struct section {
	uint64_t from, to; /* cycles of the picture; equal: nothing */
	uint64_t *stacks;  /* cycles by node */
	size_t nstacks, stack_room;
	struct ran *threads;
	uint32_t nthreads;
	size_t thread_room;
	struct tr_map thread_map; /* from group and thread */
	uint64_t modes[TR_TIMELINE_MODES];
};

void tr_timeline_section_free(struct section *section)
{
	if (!section)
		return;
	free(section->stacks);
	free(section->threads);
	tr_map_free(&section->thread_map);
	free(section);
}

static bool add_section_stack(struct section *s, uint32_t node, uint64_t cycles)
{
	if (!tr_grow(&s->stacks, &s->stack_room, node + 1UL, sizeof(*s->stacks)))
		return false;
	while (s->nstacks <= node)
		s->stacks[s->nstacks++] = 0;
	s->stacks[node] += cycles;
	return true;
}

static bool add_section_thread(struct section *s, const struct tr_profile_step *step,
			       uint64_t cycles)
{
	const uint64_t key = tr_pair_key(step->group, step->thread);
	uint32_t id = tr_map_get(&s->thread_map, key);
	if (id == TR_MAP_NONE) {
		id = s->nthreads;
		if (!tr_grow(&s->threads, &s->thread_room, id + 1UL,
			     sizeof(*s->threads)) ||
		    !tr_map_set(&s->thread_map, key, id))
			return false;
		s->threads[s->nthreads++] =
		    (struct ran){.who = {step->thread, step->group}};
	}
	s->threads[id].cycles += cycles;
	return true;
}

bool tr_timeline_section_step(struct hart_row *hart, const struct tr_profile_step *step,
			      uint64_t from, uint64_t to)
{
	const uint64_t cycles = to - from;
	struct section *s = hart->section;
	if (!cycles)
		return true;
	if (!s && !(s = hart->section = calloc(1, sizeof(*s))))
		return false;
	if (s->from == s->to || from < s->from)
		s->from = from;
	if (to > s->to)
		s->to = to;
	/* Which thread untraced time is of depends on the steps before. */
	if (step->is_gap)
		return add_section_stack(s, step->node, cycles);
	if (step->has_context)
		s->modes[step->priv < TR_PRIV_D ? step->priv : TR_PRIV_D] += cycles;
	return add_section_stack(s, step->node, cycles) &&
	       add_section_thread(s, step, cycles);
}

/* Most cycles first. */
static int by_cycles_and_who(const void *left, const void *right)
{
	const struct ran *a = left, *b = right;
	if (a->cycles != b->cycles)
		return a->cycles < b->cycles ? 1 : -1;
	if (a->who.number != b->who.number)
		return a->who.number < b->who.number ? -1 : 1;
	return (a->who.group > b->who.group) - (a->who.group < b->who.group);
}

/* Finds or adds the number of a thread in a process, as a track. Returns false when out
 * of memory. */
static bool number_thread(struct tr_timeline_picture *p, const struct thread *who,
			  uint32_t *id)
{
	const uint64_t key = tr_pair_key(who->group, who->number);
	*id = tr_map_get(&p->thread_map, key);
	if (*id != TR_MAP_NONE)
		return true;
	*id = p->nthreads;
	if (!tr_grow(&p->threads, &p->thread_capacity, *id + 1UL, sizeof(*p->threads)) ||
	    !tr_map_set(&p->thread_map, key, *id))
		return false;
	p->threads[p->nthreads++] = *who;
	return true;
}

static bool put_section_threads(struct tr_timeline_picture *p, struct hart_row *hart)
{
	struct section *s = hart->section;
	uint64_t others = 0;
	if (s->nthreads)
		qsort(s->threads, s->nthreads, sizeof(*s->threads), by_cycles_and_who);
	for (uint32_t i = 0; i < s->nthreads; i++) {
		uint32_t id;
		if (i >= THREADS) {
			others += s->threads[i].cycles;
			continue;
		}
		if (!number_thread(p, &s->threads[i].who, &id) ||
		    !tr_timeline_columns_spread(hart->threads, s->from, s->to, id,
						s->threads[i].cycles))
			return false;
	}
	s->nthreads = 0;
	tr_map_clear(&s->thread_map);
	return tr_timeline_columns_spread(hart->threads, s->from, s->to, TR_TIMELINE_NONE,
					  others);
}

/* Callers have lower numbers. */
static bool put_section_stacks(const struct tr_timeline_picture *p, struct hart_row *hart)
{
	struct section *s = hart->section;
	const uint64_t least = (s->to - s->from) / PART;
	for (size_t i = s->nstacks; i--;) {
		const uint64_t cycles = s->stacks[i];
		uint32_t caller;
		s->stacks[i] = 0;
		if (!cycles)
			continue;
		if (i && cycles < least) {
			tr_profile_frame(p->profile, (uint32_t)i, &caller);
			s->stacks[caller] += cycles;
		} else if (!tr_timeline_columns_spread(hart->stacks, s->from, s->to,
						       (uint32_t)i, cycles)) {
			return false;
		}
	}
	return true;
}

static bool put_section_modes(struct hart_row *hart)
{
	struct section *s = hart->section;
	for (unsigned i = 0; i < TR_TIMELINE_MODES; i++)
		if (s->modes[i] &&
		    !tr_timeline_bins_add(&hart->modes, s->from, s->to, i, s->modes[i]))
			return false;
	memset(s->modes, 0, sizeof(s->modes));
	return true;
}

int tr_timeline_end_sections(struct tr_timeline_picture *p)
{
	for (uint32_t i = 0; i < p->nharts; i++) {
		struct hart_row *hart = &p->harts[i];
		struct section *s = hart->section;
		if (!s || s->from == s->to)
			continue;
		if (!put_section_threads(p, hart) || !put_section_stacks(p, hart) ||
		    !put_section_modes(hart))
			return TR_E_NOMEM;
		s->from = s->to = 0;
	}
	return TR_OK;
}

int tr_timeline_svg_frame(struct tr_timeline_picture *p, const struct tr_sframe *frame)
{
	const uint64_t number = frame->number / TR_SUMS_FRAMES;
	const bool is_same = frame->is_index || number == p->section;
	if (is_same)
		return TR_OK;
	p->section = number;
	return tr_timeline_end_sections(p);
}
