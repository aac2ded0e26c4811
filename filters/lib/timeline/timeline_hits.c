/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the hits of probes between the steps.
 *
 * A hit waits until a step of its hart has reached it, since the step may be in a later
 * frame, or be held back until a window is known. So the cycles of tasks are those of
 * steps. */
#include <stdlib.h>
#include <string.h>

#include "timeline/timeline_internal.h"

void tr_timeline_release_hits(struct tr_timeline *t)
{
	for (uint32_t i = 0; i < t->npending; i++) {
		free(t->pending[i].hits);
		tr_buffer_free(&t->pending[i].values);
	}
}

static struct pending *pending_of(struct tr_timeline *t, uint32_t hart)
{
	for (uint32_t i = 0; i < t->npending; i++)
		if (t->pending[i].hart == hart)
			return &t->pending[i];
	struct pending *p = &t->pending[t->npending++];
	*p = (struct pending){.hart = hart};
	return p;
}

/* Forgets the hits that were taken. */
static void drop_taken_hits(struct pending *p)
{
	const size_t place = p->at < p->count ? p->hits[p->at].place : p->values.size;
	p->count -= p->at;
	memmove(p->hits, p->hits + p->at, p->count * sizeof(*p->hits));
	p->at = 0;
	p->values.size -= place;
	memmove(p->values.data, p->values.data + place, p->values.size);
	for (uint32_t i = 0; i < p->count; i++)
		p->hits[i].place -= place;
}

static int add_hits(struct pending *p, const struct tr_shart *hart)
{
	if (p->at)
		drop_taken_hits(p);
	/* Hits without values need a place, too. */
	if (!tr_buffer_room(&p->values, 1) ||
	    !tr_grow(&p->hits, &p->room, (size_t)p->count + hart->nhits,
		     sizeof(*p->hits)))
		return TR_E_NOMEM;
	for (uint32_t i = 0; i < hart->nhits; i++) {
		p->hits[p->count++] =
		    (struct queued){.hit = hart->hits[i], .place = p->values.size};
		tr_buffer_add(&p->values, hart->hits[i].values, hart->hits[i].size);
	}
	return p->values.failed ? TR_E_NOMEM : TR_OK;
}

/* Finds the earliest of the hits up to the limits, and the cycle of the earliest one. */
static struct pending *find_earliest_hit(struct tr_timeline *t)
{
	struct pending *best = NULL;
	t->next_hit = UINT64_MAX;
	for (uint32_t i = 0; i < t->npending; i++) {
		struct pending *p = &t->pending[i];
		if (p->at == p->count)
			continue;
		const uint64_t cycle = p->hits[p->at].hit.cycle;
		if (cycle < t->next_hit)
			t->next_hit = cycle;
		if (cycle <= p->limit &&
		    (!best || cycle < best->hits[best->at].hit.cycle))
			best = p;
	}
	return best;
}

/* Takes a mark of the thread that its hart runs. */
static int take_mark(struct tr_timeline *t, const struct hart *hart, uint64_t cycle,
		     const struct tr_mark *mark, const char *name)
{
	const struct current *thread = &t->current[hart->runs];
	const uint64_t rest = thread->ran_until > cycle ? thread->ran_until - cycle : 0;
	return tr_marks_take(t->marks,
			     &(struct tr_mark_place){.hart = hart->number,
						     .thread = hart->runs,
						     .track = hart->running,
						     .ran = thread->ran - rest},
			     cycle, mark, name);
}

/* Returns true if a mark is in the window. An end where it begins is of a region before
 * it, and a begin where it ends of one behind it. */
static bool is_mark_in(const struct tr_profile_window *w, enum tr_mark_kind kind,
		       uint64_t cycle)
{
	return (kind == TR_MARK_END ? cycle > w->from : cycle >= w->from) &&
	       (kind == TR_MARK_BEGIN ? cycle < w->to : cycle <= w->to);
}

/* Takes a hit of a mark, or keeps it until the first step of its hart. */
static int take_mark_hit(struct tr_timeline *t, uint32_t number, const struct tr_hit *hit,
			 const struct tr_profile_window *w)
{
	const struct hart *hart = tr_timeline_hart(t, number);
	struct early_mark early = {.cycle = hit->cycle, .hart = number};
	if (!t->marks || !tr_mark_is_hit(t->probes, hit))
		return TR_OK;
	if (!tr_mark_read(t->probes, hit, &early.mark, early.name)) {
		tr_marks_refuse(t->marks);
		return TR_OK;
	}
	if (!is_mark_in(w, early.mark.kind, hit->cycle))
		return TR_OK;
	if (hart->runs != UINT32_MAX)
		return take_mark(t, hart, hit->cycle, &early.mark, early.name);
	if (!tr_grow(&t->early, &t->early_room, t->nearly + 1UL, sizeof(*t->early)))
		return TR_E_NOMEM;
	t->early[t->nearly++] = early;
	return TR_OK;
}

int tr_timeline_early_marks(struct tr_timeline *t, const struct hart *hart)
{
	uint32_t kept = 0;
	int status = TR_OK;
	for (uint32_t i = 0; i < t->nearly && !status; i++) {
		const struct early_mark *early = &t->early[i];
		if (early->hart == hart->number)
			status =
			    take_mark(t, hart, early->cycle, &early->mark, early->name);
		else
			t->early[kept++] = *early;
	}
	t->nearly = kept;
	return status;
}

/* Takes the hits up to the limits in order of time. Returns a status. */
static int take_pending_hits(struct tr_timeline *t)
{
	const struct tr_profile_window w = tr_profile_window(t->profile);
	int status = TR_OK;
	if (t->tasks)
		tr_tasks_window(t->tasks, w.from, w.to);
	for (struct pending *p; !status && (p = find_earliest_hit(t));) {
		struct queued *q = &p->hits[p->at++];
		q->hit.values = p->values.data + q->place;
		status = t->tasks ? tr_tasks_take(t->tasks, p->hart, &q->hit) : TR_OK;
		if (!status)
			status = take_mark_hit(t, p->hart, &q->hit, &w);
	}
	return status;
}

int tr_timeline_frame(struct tr_timeline *t, const struct tr_sframe *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; (t->tasks || t->marks) && i < frame->nharts && !status; i++)
		if (frame->harts[i].nhits)
			status = add_hits(pending_of(t, frame->harts[i].hart),
					  &frame->harts[i]);
	find_earliest_hit(t);
	return status;
}

int tr_timeline_hits(struct tr_timeline *t, const struct hart *hart, uint64_t cycle)
{
	if (t->next_hit > cycle)
		return TR_OK;
	for (uint32_t i = 0; i < t->npending; i++) {
		struct pending *p = &t->pending[i];
		const uint64_t until = tr_timeline_hart(t, p->hart)->until;
		p->limit = p->hart == hart->number || cycle < until ? cycle : until;
	}
	return take_pending_hits(t);
}

int tr_timeline_frame_end(struct tr_timeline *t, const struct tr_sframe *frame)
{
	const struct tr_profile_window w = tr_profile_window(t->profile);
	int status = TR_OK;
	/* No step will reach those before or after the window; as long as that is not
	 * known, those that rows have reached are before it. */
	const uint64_t before = w.from == UINT64_MAX ? w.last : w.from;
	for (uint32_t i = 0; i < t->npending; i++) {
		struct pending *p = &t->pending[i];
		const bool has_begun = tr_timeline_hart(t, p->hart)->has_begun;
		p->limit = has_begun || !before ? 0 : before - 1;
		while (p->at < p->count && p->hits[p->at].hit.cycle > w.to)
			p->at++;
	}
	if (t->npending)
		status = take_pending_hits(t);
	return status ? status : tr_timeline_samples(t, frame);
}

void tr_timeline_begin_hart(struct tr_timeline *t, struct hart *hart, uint64_t cycle)
{
	hart->has_begun = true;
	if (t->tasks)
		tr_tasks_begin(t->tasks, hart->number, cycle);
}

int tr_timeline_end_tasks(struct tr_timeline *t)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < t->npending; i++)
		t->pending[i].limit = tr_timeline_hart(t, t->pending[i].hart)->until;
	if (t->npending)
		status = take_pending_hits(t);
	for (uint32_t i = 0; t->marks && i < t->ncurrent && !status; i++)
		status =
		    tr_marks_finish(t->marks,
				    &(struct tr_mark_place){.hart = t->current[i].hart,
							    .thread = i,
							    .ran = t->current[i].ran},
				    t->sums.to);
	if (!t->tasks)
		return status;
	for (uint32_t i = 0; i < t->nharts && !status; i++)
		if (t->harts[i].has_begun)
			status =
			    tr_tasks_end(t->tasks, t->harts[i].number, t->harts[i].until);
	return status ? status : tr_tasks_finish(t->tasks, t->sums.to);
}

/* The hit of a switch comes just before the hart's thread changes. Idle tasks share a
 * number, and are distinguished as threads only. */
uint32_t tr_timeline_task(struct tr_timeline *t, struct hart *hart,
			  const struct tr_profile_step *step)
{
	uint32_t task = t->current[step->thread].task;
	if (!t->tasks || hart->thread == step->thread)
		return task;
	hart->thread = step->thread;
	task = tr_tasks_running(t->tasks, hart->number);
	return task != TR_TASK_NONE && tr_tasks_at(t->tasks, task)->pid &&
		       tr_profile_is_task(t->profile, step->thread)
		   ? task
		   : TR_TASK_NONE;
}
