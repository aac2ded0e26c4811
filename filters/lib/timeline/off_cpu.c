/* SPDX-License-Identifier: Apache-2.0 */
/* Follows threads that leave their harts, from rows and from hits of probes.
 *
 * Rows of other harts may come later by a part of a frame, so hits and returns wait until
 * all older ones are there, and are taken in order of time. */
#include "timeline/off_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "timeline/off_cpu_internal.h"

/* What a frame does not have of a hart is at most that much older than its end
 * (tr-stream(5), "Head"). */
enum { LAG = 131072 };

static struct off_cpu_hart *hart_of(struct tr_off_cpu *o, uint32_t number)
{
	uint32_t i = 0;
	while (i < o->nharts && o->harts[i].number != number)
		i++;
	if (i == o->nharts)
		o->harts[o->nharts++] = (struct off_cpu_hart){.number = number};
	return &o->harts[i];
}

/* Returns false when out of memory. */
static bool find_threads(struct tr_off_cpu *o, uint32_t thread)
{
	if (thread < o->nthreads)
		return true;
	if (!tr_grow(&o->threads, &o->thread_room, thread + 1UL, sizeof(*o->threads)))
		return false;
	for (; o->nthreads <= thread; o->nthreads++)
		o->threads[o->nthreads] = (struct off_cpu_thread){.waker = OFF_CPU_NONE};
	return true;
}

/* Finds or adds a stack. Returns false when out of memory. */
static bool find_stack(struct tr_off_cpu *o, uint32_t group, uint32_t node, uint32_t *id)
{
	*id = tr_map_get(&o->stack_map, tr_pair_key(group, node));
	if (*id != TR_MAP_NONE)
		return true;
	*id = o->nstacks;
	if (!tr_grow(&o->stacks, &o->stack_room, o->nstacks + 1UL, sizeof(*o->stacks)) ||
	    !tr_map_set(&o->stack_map, tr_pair_key(group, node), *id))
		return false;
	o->stacks[o->nstacks++] = (struct off_cpu_stack){.group = group, .node = node};
	return true;
}

static bool add_off_cpu_event(struct tr_off_cpu *o, const struct off_cpu_event *event)
{
	if (!tr_grow(&o->events, &o->event_room, o->nevents + 1, sizeof(*o->events)))
		return false;
	o->events[o->nevents] = *event;
	o->events[o->nevents++].number = o->numbers++;
	return true;
}

/* Adds the events of the hart's hits up to the end of a row: a hit in its last cycle is
 * of its last instruction. Returns false when out of memory. */
static bool add_row_hits(struct tr_off_cpu *o, struct off_cpu_hart *hart,
			 const struct tr_profile_step *row)
{
	const uint64_t end = row->cycle + row->cycles;
	while (hart->at < hart->count && hart->hits[hart->at].cycle <= end) {
		struct off_cpu_event event = {.is = hart->hits[hart->at++],
					      .thread = row->thread};
		if (event.is.kind == OFF_CPU_SWITCH)
			hart->next = event.is.next;
		/* What woke a thread is shown even if it is out of focus. */
		if (event.is.kind == OFF_CPU_WAKEUP &&
		    !find_stack(o, row->group, tr_profile_node_of(o->profile, row->raw),
				&event.stack))
			return false;
		if (!add_off_cpu_event(o, &event))
			return false;
	}
	return true;
}

/* A switch has led the hart to the row's thread. Returns false when out of memory. */
static bool add_arrival(struct tr_off_cpu *o, struct off_cpu_hart *hart,
			const struct tr_profile_step *row)
{
	const struct off_cpu_event event = {
	    .is = {.cycle = row->cycle, .task = hart->next, .kind = OFF_CPU_ARRIVAL},
	    .thread = row->thread};
	if (!hart->next || !hart->has_run || hart->thread == row->thread)
		return true;
	hart->next = 0;
	return add_off_cpu_event(o, &event);
}

/* The thread runs again. Returns false when out of memory. */
static bool add_return(struct tr_off_cpu *o, const struct off_cpu_thread *t,
		       const struct tr_profile_step *row)
{
	const struct tr_profile_window w = tr_profile_window(o->profile);
	struct off_cpu_event event = {.is = {.cycle = row->cycle, .kind = OFF_CPU_RETURN},
				      .left = t->until,
				      .from = w.from,
				      .to = w.to,
				      .thread = row->thread};
	return find_stack(o, t->group, t->node, &event.stack) &&
	       add_off_cpu_event(o, &event);
}

/* A trace that begins in user code does not tell the kernel's tp, as one from a
 * checkpoint: in the first trap the thread becomes another one of the stream, on the same
 * stack, without a switch. Marks the thread before the row if it did. */
static void find_got_tp(struct tr_off_cpu *o, const struct off_cpu_hart *hart,
			const struct tr_profile_step *row)
{
	if (!hart->has_run || o->threads[row->thread].has_run ||
	    !tr_profile_is_task(o->profile, row->thread) ||
	    tr_profile_is_task(o->profile, hart->thread))
		return;
	struct off_cpu_thread *before = &o->threads[hart->thread];
	before->has_got_tp = before->raw == row->raw && before->until == row->cycle;
}

/* Takes a row: a thread is away as in tr_profile_follow_calls(). */
static int take_row(void *context, const struct tr_profile_step *row)
{
	struct tr_off_cpu *o = context;
	struct off_cpu_hart *hart = hart_of(o, row->hart);
	const uint64_t end = row->cycle + row->cycles;
	if (!find_threads(o, row->thread))
		return TR_E_NOMEM;
	struct off_cpu_thread *t = &o->threads[row->thread];
	if (t->has_run && !t->is_gap && row->cycle > t->until && !add_return(o, t, row))
		return TR_E_NOMEM;
	if (!add_arrival(o, hart, row) || !add_row_hits(o, hart, row))
		return TR_E_NOMEM;
	find_got_tp(o, hart, row);
	hart->thread = row->thread;
	t->has_run = hart->has_run = true;
	t->has_got_tp = false;
	t->is_gap = row->is_gap;
	t->node = row->node;
	t->raw = row->raw;
	t->group = row->group;
	t->last = ++o->rows;
	if (end > t->until)
		t->until = end;
	if (end > o->latest)
		o->latest = end;
	return TR_OK;
}

struct tr_off_cpu *tr_off_cpu_new(struct tr_profile *profile,
				  const struct tr_probe_names *names)
{
	struct tr_off_cpu *o = calloc(1, sizeof(*o));
	if (!o)
		return NULL;
	o->profile = profile;
	tr_off_cpu_find_probes(o, names);
	tr_profile_observe_rows(profile, take_row, o);
	return o;
}

void tr_off_cpu_free(struct tr_off_cpu *o)
{
	if (!o)
		return;
	for (uint32_t i = 0; i < o->nharts; i++)
		free(o->harts[i].hits);
	tr_map_free(&o->by_task);
	tr_map_free(&o->stack_map);
	tr_map_free(&o->way_map);
	tr_map_free(&o->cell_map);
	free(o->events);
	free(o->threads);
	free(o->stacks);
	free(o->cells);
	free(o);
}

bool tr_off_cpu_has_states(const struct tr_off_cpu *o)
{
	return o->switch_probe != UINT32_MAX;
}

static int queue_hits(struct tr_off_cpu *o, struct off_cpu_hart *hart,
		      const struct tr_shart *from)
{
	if (hart->at)
		memmove(hart->hits, hart->hits + hart->at,
			(hart->count - hart->at) * sizeof(*hart->hits));
	hart->count -= hart->at;
	hart->at = 0;
	for (uint32_t i = 0; i < from->nhits; i++) {
		struct off_cpu_hit hit;
		if (!tr_off_cpu_read(o, &from->hits[i], &hit))
			continue;
		if (!tr_grow(&hart->hits, &hart->room, hart->count + 1UL,
			     sizeof(*hart->hits)))
			return TR_E_NOMEM;
		hart->hits[hart->count++] = hit;
	}
	return TR_OK;
}

int tr_off_cpu_begin_frame(struct tr_off_cpu *o, const struct tr_sframe *frame)
{
	int status = TR_OK;
	for (uint32_t i = 0; i < frame->nharts && !status; i++)
		status =
		    queue_hits(o, hart_of(o, frame->harts[i].hart), &frame->harts[i]);
	return status;
}

static int compare_events(const void *left, const void *right)
{
	const struct off_cpu_event *a = left, *b = right;
	const int order = (a->is.cycle > b->is.cycle) - (a->is.cycle < b->is.cycle);
	return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* Takes the events up to a cycle. */
static int take_events_until(struct tr_off_cpu *o, uint64_t cycle)
{
	size_t taken = 0;
	int status = TR_OK;
	if (o->nevents)
		qsort(o->events, o->nevents, sizeof(*o->events), compare_events);
	for (; taken < o->nevents && o->events[taken].is.cycle <= cycle && !status;
	     taken++)
		status = tr_off_cpu_take(o, &o->events[taken]);
	o->nevents -= taken;
	if (o->nevents)
		memmove(o->events, o->events + taken, o->nevents * sizeof(*o->events));
	return status;
}

int tr_off_cpu_end_frame(struct tr_off_cpu *o)
{
	return o->latest > LAG ? take_events_until(o, o->latest - LAG) : TR_OK;
}

/* Returns true if the thread is the last that some hart ran. */
static bool is_on_hart(const struct tr_off_cpu *o, uint32_t thread)
{
	for (uint32_t i = 0; i < o->nharts; i++)
		if (o->harts[i].has_run && o->harts[i].thread == thread)
			return true;
	return false;
}

/* Where a thread ran, and when it did last. */
struct place {
	uint64_t tp, last;
	uint32_t thread;
};

/* Of one place the last one comes last. */
static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;
	const int order = (a->tp > b->tp) - (a->tp < b->tp);
	return order ? order : (a->last > b->last) - (a->last < b->last);
}

/* A task has another thread of the stream after an exec, or ended and left its place to
 * another task. Marks the threads after which a thread with the same tp ran. */
static bool *find_replaced(const struct tr_off_cpu *o, const struct tr_reader *reader)
{
	struct place *places = calloc(o->nthreads + 1UL, sizeof(*places));
	bool *replaced = calloc(o->nthreads + 1UL, sizeof(*replaced));
	uint32_t count = 0;
	for (uint32_t i = 0; places && i < o->nthreads; i++)
		if (o->threads[i].has_run && tr_reader_thread(reader, i)->tp)
			places[count++] =
			    (struct place){.tp = tr_reader_thread(reader, i)->tp,
					   .last = o->threads[i].last,
					   .thread = i};
	if (count)
		qsort(places, count, sizeof(*places), by_place);
	for (uint32_t i = 1; replaced && i < count; i++)
		replaced[places[i - 1].thread] = places[i - 1].tp == places[i].tp;
	if (!places) {
		free(replaced);
		replaced = NULL;
	}
	free(places);
	return replaced;
}

/* Adds the wait of a thread that did not run again. */
static int add_last_wait(struct tr_off_cpu *o, uint32_t thread)
{
	struct off_cpu_thread *t = &o->threads[thread];
	const struct tr_profile_window w = tr_profile_window(o->profile);
	struct off_cpu_wait wait = {
	    .left = t->until, .back = o->latest, .from = w.from, .to = w.to};
	const bool has_ended = t->has_left && t->state & OFF_CPU_STATE_DEAD;
	const uint64_t away = off_cpu_in_window(&wait);
	if (has_ended || !away)
		return TR_OK;
	o->sums.threads++;
	if (__builtin_add_overflow(o->sums.away, away, &o->sums.away))
		return TR_E_CORRUPT;
	if (!find_stack(o, t->group, t->node, &wait.stack))
		return TR_E_NOMEM;
	return tr_off_cpu_add(o, t, &wait, true);
}

int tr_off_cpu_finish(struct tr_off_cpu *o, const struct tr_reader *reader)
{
	int status = take_events_until(o, UINT64_MAX);
	bool *replaced = find_replaced(o, reader);
	if (!replaced && !status)
		status = TR_E_NOMEM;
	for (uint32_t i = 0; i < o->nthreads && !status; i++) {
		struct off_cpu_thread *t = &o->threads[i];
		status = tr_off_cpu_settle(o, t, 0, OFF_CPU_NONE);
		/* Thread 0 is code of no thread. */
		if (!status && i && t->has_run && !t->is_gap && !t->has_got_tp &&
		    !replaced[i] && !is_on_hart(o, i))
			status = add_last_wait(o, i);
	}
	free(replaced);
	return status;
}

struct tr_off_cpu_sums tr_off_cpu_sums(const struct tr_off_cpu *o)
{
	return o->sums;
}
