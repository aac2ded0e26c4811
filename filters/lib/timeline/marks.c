/* SPDX-License-Identifier: Apache-2.0 */
#include "timeline/marks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/status.h"

struct region {
	uint64_t start, ran; /* of its thread, then */
	uint64_t inside;     /* cycles of the regions in it */
	uint32_t tally, track;
};

/* The open regions of a thread, innermost last. */
struct thread {
	struct region *regions;
	size_t room;
	uint32_t depth, deep; /* and of those that were left out */
};

/* What a tally lacks. */
struct more {
	uint64_t self;	/* cycles, without those of the regions inside */
	uint64_t stray; /* ends */
};

struct tr_marks {
	struct thread *threads; /* by number */
	size_t room, more_room;
	uint32_t nthreads;
	struct tr_tallies tallies;
	struct more *more; /* by tally */
	struct tr_marks_sums sums;
	int (*take)(void *context, const struct tr_mark_event *);
	void *context;
};

static const char point[] = "point", region[] = "region";

struct tr_marks *tr_marks_new(void)
{
	return calloc(1, sizeof(struct tr_marks));
}

void tr_marks_free(struct tr_marks *m)
{
	if (!m)
		return;
	for (uint32_t i = 0; i < m->nthreads; i++)
		free(m->threads[i].regions);
	free(m->threads);
	free(m->more);
	tr_tallies_free(&m->tallies);
	free(m);
}

void tr_marks_observe(struct tr_marks *m,
		      int (*take)(void *context, const struct tr_mark_event *),
		      void *context)
{
	m->take = take;
	m->context = context;
}

static int pass_mark(const struct tr_marks *m, const struct tr_mark_event *event)
{
	return m->take ? m->take(m->context, event) : TR_OK;
}

/* Finds the tally of a name. Returns its number, UINT32_MAX when out of memory. */
static uint32_t find_mark_tally(struct tr_marks *m, const char *kind, const char *name)
{
	const uint32_t had = m->tallies.count;
	const uint32_t i =
	    tr_tallies_find(&m->tallies, &(struct tr_tally_key){.task = UINT32_MAX,
								.other = UINT32_MAX,
								.number = INT64_MIN,
								.what = kind,
								.name = name});
	if (i == UINT32_MAX ||
	    !tr_grow(&m->more, &m->more_room, i + 1UL, sizeof(*m->more)))
		return UINT32_MAX;
	if (i == had)
		m->more[i] = (struct more){0};
	return i;
}

static struct thread *find_thread(struct tr_marks *m, uint32_t number)
{
	if (!tr_grow(&m->threads, &m->room, number + 1UL, sizeof(*m->threads)))
		return NULL;
	while (m->nthreads <= number)
		m->threads[m->nthreads++] = (struct thread){0};
	return &m->threads[number];
}

static int take_point(struct tr_marks *m, const struct tr_mark_event *event)
{
	const uint32_t i = find_mark_tally(m, point, event->name);
	if (i == UINT32_MAX || !tr_durations_add(&m->tallies.tallies[i].cycles, 0))
		return TR_E_NOMEM;
	return pass_mark(m, event);
}

static int begin_region(struct tr_marks *m, struct thread *thread, uint64_t ran,
			struct tr_mark_event *event)
{
	const uint32_t tally = find_mark_tally(m, region, event->name);
	if (thread->depth == TR_MARKS_DEPTH) {
		thread->deep++;
		m->sums.deep++;
		return tally == UINT32_MAX ? TR_E_NOMEM : TR_OK;
	}
	if (tally == UINT32_MAX ||
	    !tr_grow(&thread->regions, &thread->room, thread->depth + 1UL,
		     sizeof(*thread->regions)))
		return TR_E_NOMEM;
	event->depth = thread->depth;
	thread->regions[thread->depth++] = (struct region){
	    .start = event->cycle, .ran = ran, .tally = tally, .track = event->track};
	return pass_mark(m, event);
}

/* Ends the innermost region of a thread; event->is_open: without an end of its own. */
static int end_region(struct tr_marks *m, struct thread *thread, uint64_t ran,
		      const struct tr_mark_event *event)
{
	struct region *r = &thread->regions[--thread->depth];
	struct tr_tally *tally = &m->tallies.tallies[r->tally];
	struct tr_mark_event end = *event;
	const uint64_t cycles = event->cycle - r->start;
	end.name = tally->key.name;
	end.start = r->start;
	end.track = r->track;
	end.depth = thread->depth;
	/* Harts are not in step to the cycle. */
	end.away = ran - r->ran < cycles ? cycles - (ran - r->ran) : 0;
	if (thread->depth)
		r[-1].inside += cycles;
	if (event->is_open)
		m->sums.open++;
	else
		m->more[r->tally].self +=
		    cycles - (r->inside < cycles ? r->inside : cycles);
	const struct tr_slow_call call = {.duration = cycles,
					  .away = end.away,
					  .from = r->start,
					  .to = event->cycle,
					  .hart = event->hart,
					  .is_open = event->is_open};
	return tr_tally_add_call(tally, &call) ? pass_mark(m, &end) : TR_E_NOMEM;
}

static bool is_region_of(const struct tr_marks *m, const struct region *r,
			 const char *name)
{
	return strcmp(m->tallies.tallies[r->tally].key.name, name) == 0;
}

static int take_end(struct tr_marks *m, struct thread *thread, uint64_t ran,
		    struct tr_mark_event *event)
{
	uint32_t at = thread->depth;
	int status = TR_OK;
	if (thread->deep) {
		thread->deep--;
		return TR_OK;
	}
	while (at && !is_region_of(m, &thread->regions[at - 1], event->name))
		at--;
	if (!at) {
		const uint32_t tally = find_mark_tally(m, region, event->name);
		if (tally == UINT32_MAX)
			return TR_E_NOMEM;
		m->more[tally].stray++;
		m->sums.strays++;
		event->is_stray = true;
		return pass_mark(m, event);
	}
	event->is_open = true;
	while (thread->depth > at && !status)
		status = end_region(m, thread, ran, event);
	event->is_open = false;
	return status ? status : end_region(m, thread, ran, event);
}

int tr_marks_take(struct tr_marks *m, const struct tr_mark_place *place, uint64_t cycle,
		  const struct tr_mark *mark, const char *name)
{
	struct thread *thread = find_thread(m, place->thread);
	struct tr_mark_event event = {.kind = mark->kind,
				      .name = name,
				      .cycle = cycle,
				      .hart = place->hart,
				      .track = place->track,
				      .thread = place->thread,
				      .ran = place->ran};
	if (!thread)
		return TR_E_NOMEM;
	m->sums.marks++;
	if (mark->kind == TR_MARK_POINT)
		return take_point(m, &event);
	return mark->kind == TR_MARK_BEGIN ? begin_region(m, thread, place->ran, &event)
					   : take_end(m, thread, place->ran, &event);
}

int tr_marks_finish(struct tr_marks *m, const struct tr_mark_place *place, uint64_t cycle)
{
	const struct tr_mark_event end = {.kind = TR_MARK_END,
					  .cycle = cycle,
					  .hart = place->hart,
					  .thread = place->thread,
					  .ran = place->ran,
					  .is_open = true};
	int status = TR_OK;
	if (place->thread >= m->nthreads)
		return TR_OK;
	struct thread *thread = &m->threads[place->thread];
	while (thread->depth && !status)
		status = end_region(m, thread, place->ran, &end);
	return status;
}

void tr_marks_refuse(struct tr_marks *m)
{
	m->sums.refused++;
}

struct tr_marks_sums tr_marks_sums(const struct tr_marks *m)
{
	return m->sums;
}

void tr_marks_keep_slowest(struct tr_marks *m)
{
	m->tallies.keeps_slowest = true;
}

const struct tr_tallies *tr_marks_tallies(const struct tr_marks *m)
{
	return &m->tallies;
}

uint64_t tr_marks_self(const struct tr_marks *m, uint32_t tally)
{
	return m->more[tally].self;
}

uint64_t tr_marks_stray(const struct tr_marks *m, uint32_t tally)
{
	return m->more[tally].stray;
}

/* The table */

static int mark_number_cell(struct tr_table *table, bool has, uint64_t number)
{
	return has ? tr_table_cell(table, "%" PRIu64, number)
		   : tr_table_cell(table, "%s", "");
}

static int mark_row(const struct tr_marks *m, struct tr_table *table, uint32_t i)
{
	const struct tr_tally *tally = &m->tallies.tallies[i];
	const bool is_region = strcmp(tally->key.what, region) == 0;
	const bool has = is_region && tally->cycles.count;
	uint64_t median, p99;
	if (!tr_durations_quantile(&tally->cycles, 50, &median) ||
	    !tr_durations_quantile(&tally->cycles, 99, &p99))
		return TR_E_NOMEM;
	const struct {
		bool has;
		uint64_t number;
	} cells[] = {{true, tally->cycles.count + tally->open},
		     {is_region, tally->open},
		     {is_region, m->more[i].stray},
		     {is_region, tally->total},
		     {is_region, m->more[i].self},
		     {is_region, tally->away},
		     {has, tally->cycles.min},
		     {has, median},
		     {has, p99},
		     {has, tally->cycles.max}};
	int status = TR_OK;
	for (unsigned c = 0; c < sizeof(cells) / sizeof(cells[0]) && !status; c++)
		status = mark_number_cell(table, cells[c].has, cells[c].number);
	if (!status)
		status = tr_table_cell(table, "%s", tally->key.what);
	return status ? status : tr_table_cell(table, "%s", tally->key.name);
}

int tr_marks_table(const struct tr_marks *m, struct tr_report *report)
{
	static const char *const headings[] = {
	    "count",  "open", "stray", "cycles", "self",  "away", "min",
	    "median", "p99",  "max",   "<kind",	 "<name", NULL};
	static const char *const keys[] = {"count", "open", "stray", "cycles",
					   "self",  "away", "min",   "median",
					   "p99",   "max",  "kind",  "name"};
	struct tr_table *table = tr_table_new_keyed(headings, keys, NULL);
	uint32_t *order = tr_tallies_sorted(&m->tallies);
	int status = table && order ? TR_OK : TR_E_NOMEM;
	for (uint32_t i = 0; i < m->tallies.count && !status; i++)
		status = mark_row(m, table, order[i]);
	free(order);
	if (!status)
		return tr_report_table(report, "marks", table);
	tr_table_free(table);
	return status;
}
