/* SPDX-License-Identifier: Apache-2.0 */
/* Collects what a picture of a timeline shows. */
#include "timeline/timeline_svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "flame/flame.h"
#include "timeline/timeline_svg_internal.h"

struct tr_timeline_picture *
tr_timeline_svg_new(FILE *file, const struct tr_profile *profile,
		    const struct tr_counters *counters, const struct tr_tasks *tasks,
		    const struct tr_header *header, const struct tr_timeline_clock *clock,
		    const struct tr_timeline_svg_options *options)
{
	struct tr_timeline_picture *p = malloc(sizeof(*p));
	if (!p)
		return NULL;
	*p = (struct tr_timeline_picture){.file = file,
					  .profile = profile,
					  .counters = counters,
					  .header = header,
					  .clock = *clock,
					  .title = options->title,
					  .max_depth = options->max_depth,
					  .is_coarse = options->is_coarse,
					  .marks = tr_timeline_marks_new()};
	if (!p->marks) {
		free(p);
		return NULL;
	}
	if (!tasks || !tr_tasks_has_forks(tasks) || !tr_tasks_has_switches(tasks))
		return p;
	p->tasks = tasks;
	p->runs = tr_timeline_columns_new(NULL);
	if (p->runs)
		return p;
	tr_timeline_svg_free(p);
	return NULL;
}

void tr_timeline_svg_free(struct tr_timeline_picture *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->nharts; i++) {
		tr_timeline_columns_free(p->harts[i].stacks);
		tr_timeline_columns_free(p->harts[i].threads);
		tr_timeline_section_free(p->harts[i].section);
		free(p->harts[i].modes.sums);
		for (unsigned k = 0; k < p->harts[i].ncounters; k++)
			free(p->harts[i].counters[k].bins.sums);
	}
	tr_timeline_columns_free(p->runs);
	tr_timeline_marks_free(p->marks);
	free(p->harts);
	free(p->threads);
	tr_map_free(&p->thread_map);
	free(p);
}

/* Finds or adds the rows of a hart. Returns NULL when out of memory. */
static struct hart_row *find_hart_row(struct tr_timeline_picture *p, uint32_t number)
{
	for (uint32_t i = 0; i < p->nharts; i++)
		if (p->harts[i].number == number)
			return &p->harts[i];
	if (!tr_grow(&p->harts, &p->hart_capacity, (size_t)p->nharts + 1,
		     sizeof(*p->harts)))
		return NULL;
	struct hart_row *hart = &p->harts[p->nharts];
	*hart = (struct hart_row){.number = number,
				  .id = p->nharts++,
				  .stacks = tr_timeline_columns_new(p->profile),
				  .threads = tr_timeline_columns_new(NULL),
				  .modes = {.values = TR_TIMELINE_MODES}};
	return hart->stacks && hart->threads ? hart : NULL;
}

static int picture_add_track(void *state, uint32_t id,
			     const struct tr_timeline_track *track)
{
	struct tr_timeline_picture *p = state;
	if (p->is_coarse)
		return TR_OK;
	if (!tr_grow(&p->threads, &p->thread_capacity, (size_t)id + 1,
		     sizeof(*p->threads)))
		return TR_E_NOMEM;
	p->threads[id] = (struct thread){track->number, track->group};
	return TR_OK;
}

static int picture_add_step(void *state, const struct tr_profile_step *step,
			    uint32_t track)
{
	struct tr_timeline_picture *p = state;
	struct hart_row *hart = find_hart_row(p, step->hart);
	if (!hart)
		return TR_E_NOMEM;
	if (!step->cycles)
		return TR_OK;
	/* Harts begin at about the same cycle; the part before the first step of all is
	 * not drawn. */
	if (!p->has_begun)
		p->from = step->cycle;
	p->has_begun = true;
	const uint64_t end = step->cycle + step->cycles;
	const uint64_t from = step->cycle > p->from ? step->cycle - p->from : 0;
	const uint64_t to = end > p->from ? end - p->from : 0;
	p->cycles += step->cycles;
	if (tr_profile_depth(p->profile, step->node) > p->max_depth)
		p->deep += step->cycles;
	if (p->tasks && !tr_timeline_tree_step(p, hart, step, from, to))
		return TR_E_NOMEM;
	if (p->is_coarse)
		return tr_timeline_section_step(hart, step, from, to) ? TR_OK
								      : TR_E_NOMEM;
	return tr_timeline_columns_add(hart->stacks, from, to, step->node) &&
		       tr_timeline_columns_add(hart->threads, from, to, track)
		   ? TR_OK
		   : TR_E_NOMEM;
}

static int picture_add_modes(void *state, const struct tr_timeline_modes *modes)
{
	struct tr_timeline_picture *p = state;
	struct hart_row *hart = find_hart_row(p, modes->hart);
	if (!hart)
		return TR_E_NOMEM;
	if (p->is_coarse)
		return TR_OK;
	for (unsigned i = 0; i < TR_TIMELINE_MODES && modes->from >= p->from; i++)
		if (modes->cycles[i] &&
		    !tr_timeline_bins_add(&hart->modes, modes->from - p->from,
					  modes->to - p->from, i, modes->cycles[i]))
			return TR_E_NOMEM;
	return TR_OK;
}

/* Finds or adds the row of a counter. Returns NULL if there is no room for it. */
static struct counter_row *counter_of(struct hart_row *hart,
				      const struct tr_timeline_rise *rise)
{
	for (unsigned i = 0; i < hart->ncounters; i++)
		if (hart->counters[i].set == rise->set &&
		    hart->counters[i].counter == rise->counter)
			return &hart->counters[i];
	if (hart->ncounters == SHOWN_COUNTERS) {
		hart->has_more_counters = true;
		return NULL;
	}
	struct counter_row *row = &hart->counters[hart->ncounters++];
	*row = (struct counter_row){
	    .set = rise->set, .counter = rise->counter, .bins = {.values = 1}};
	return row;
}

static int picture_add_rise(void *state, const struct tr_timeline_rise *rise)
{
	struct tr_timeline_picture *p = state;
	struct hart_row *hart = find_hart_row(p, rise->hart);
	if (!hart)
		return TR_E_NOMEM;
	struct counter_row *row = counter_of(hart, rise);
	/* A counter that falls is no sum of events. */
	if (!row || rise->rise <= 0 || rise->from < p->from || rise->to <= rise->from)
		return TR_OK;
	row->sum += (uint64_t)rise->rise;
	return tr_timeline_bins_add(&row->bins, rise->from - p->from, rise->to - p->from,
				    0, (uint64_t)rise->rise)
		   ? TR_OK
		   : TR_E_NOMEM;
}

static int picture_draw(void *state, const struct tr_timeline_sums *sums)
{
	const int status = tr_timeline_end_sections(state);
	return status ? status : tr_timeline_draw(state, sums->to);
}

static void write_left_out(const void *state, char *text, size_t size)
{
	const struct tr_timeline_picture *p = state;
	char number[3][28];
	tr_flame_number(p->others, number[0]);
	tr_flame_number(p->deep, number[1]);
	tr_flame_number(p->cycles, number[2]);
	*text = '\0';
	if (p->others)
		snprintf(text, size,
			 "each column shows the stack with the most cycles in it; %s of "
			 "%s cycles are of other stacks",
			 number[0], number[2]);
	const size_t length = strlen(text);
	if (p->deep)
		snprintf(text + length, size - length,
			 "%s%s of %s cycles are above the last of %" PRIu32
			 " frame%s shown",
			 p->others ? "; " : "", number[1], number[2], p->max_depth,
			 tr_plural(p->max_depth));
}

const struct tr_timeline_writer tr_timeline_svg = {
    .parts = 2 * COLUMNS,
    .track = picture_add_track,
    .modes = picture_add_modes,
    .step = picture_add_step,
    .rise = picture_add_rise,
    .mark = tr_timeline_svg_take_mark,
    .finish = picture_draw,
    .left_out = write_left_out,
};
