/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of all threads. */
#include <stdlib.h>
#include <string.h>

#include "stream/reader.h"
#include "unwind/guess.h"

enum { FIRST_FRAMES = 16, EVENTS_AHEAD = 1 << 16 };

static void free_thread(struct thread *t)
{
	free(t->frames);
	free(t->setjmps);
	free(t);
}

void threads_free(struct tr_unwind *u)
{
	for (uint32_t i = 0; i < guess_of(u)->nthreads; i++)
		free_thread(guess_of(u)->threads[i]);
	free(guess_of(u)->threads);
	for (unsigned i = 0; i < FORKS; i++)
		free(guess_of(u)->forks[i].frames);
	tr_map_free(&guess_of(u)->by_key);
}

bool threads_has_tp(const struct tr_unwind *u, const struct tr_context *c)
{
	return u->options.has_tp && (c->priv & 3) == TR_PRIV_S &&
	       (c->tp >> (u->options.xlen - 1) & 1);
}

struct ahead threads_ahead(const struct hart *h, uint32_t event)
{
	uint32_t left = h->part->nevents - event;
	return (struct ahead){.part = h->part,
			      .context = h->context,
			      .key = thread_of(h)->key,
			      .own = thread_of(h)->key,
			      .event = event,
			      .end = event + (left < EVENTS_AHEAD ? left : EVENTS_AHEAD),
			      .row = h->next_row,
			      .last = h->next_row};
}

bool threads_ahead_next(const struct tr_unwind *u, struct ahead *a)
{
	while (a->row < a->part->nrows) {
		bool is_own = a->key == a->own && (a->context.priv & 3) == TR_PRIV_U;
		bool is_end = a->event == a->part->nevents;
		if (!is_end && a->event == a->end)
			return false;
		a->first = a->row;
		a->last = a->row =
		    is_end ? a->part->nrows : a->part->events[a->event].row;
		if (is_own && a->first < a->last)
			return true;
		if (is_end)
			return false;
		tr_context_apply(&a->context, &a->part->events[a->event++]);
		if (threads_has_tp(u, &a->context))
			a->key = a->context.tp;
	}
	return false;
}

static int latest_first(const void *a, const void *b)
{
	const struct thread *x = *(struct thread *const *)a;
	const struct thread *y = *(struct thread *const *)b;
	return (x->used < y->used) - (x->used > y->used);
}

static bool is_running(const struct tr_unwind *u, const struct thread *t)
{
	for (unsigned i = 0; i < TR_MAX_HARTS; i++)
		if (u->harts[i] && thread_of(u->harts[i]) == t)
			return true;
	return false;
}

/* Half of the threads go, the least recent: mostly dead ones. */
static void forget(struct tr_unwind *u)
{
	uint32_t kept = guess_of(u)->nthreads / 2;
	qsort(guess_of(u)->threads, guess_of(u)->nthreads, sizeof(struct thread *),
	      latest_first);
	for (uint32_t i = kept; i < guess_of(u)->nthreads; i++) {
		struct thread *t = guess_of(u)->threads[i];
		if (is_running(u, t)) {
			guess_of(u)->threads[kept++] = t;
			continue;
		}
		u->totals.threads_forgotten++;
		guess_of(u)->nframes -= t->capacity;
		free_thread(t);
	}
	guess_of(u)->nthreads = kept;
	tr_map_clear(&guess_of(u)->by_key);
	for (uint32_t i = 0; i < kept; i++)
		if (!tr_map_set(&guess_of(u)->by_key, guess_of(u)->threads[i]->key, i))
			unwind_fail(u, TR_E_NOMEM);
}

static struct thread *new_thread(struct tr_unwind *u)
{
	struct thread *t = calloc(1, sizeof(*t));
	if (!t || !unwind_reserve(u, (void **)&t->frames, &t->capacity, FIRST_FRAMES,
				  sizeof(*t->frames))) {
		free(t);
		unwind_fail(u, TR_E_NOMEM);
		return NULL;
	}
	guess_of(u)->nframes += t->capacity;
	return t;
}

uint32_t guess_thread_id(struct tr_unwind *u, const struct thread *t)
{
	const struct thread_name name = {
	    .tp = t->tp, .satp = t->satp, .sym = t->frames[0].sym};
	return names_thread(u, &name);
}

struct thread *threads_get(struct tr_unwind *u, uint64_t key, uint64_t tp, uint64_t satp)
{
	uint32_t i = tr_map_get(&guess_of(u)->by_key, key);
	if (i != TR_MAP_NONE)
		return guess_of(u)->threads[i];
	if (guess_of(u)->nthreads >= TR_UNWIND_THREADS ||
	    guess_of(u)->nframes >= TR_UNWIND_FRAMES)
		forget(u);
	if (!unwind_reserve(u, (void **)&guess_of(u)->threads,
			    &guess_of(u)->threads_capacity, guess_of(u)->nthreads + 1ULL,
			    sizeof(struct thread *)))
		return NULL;
	struct thread *t = new_thread(u);
	if (!t)
		return NULL;
	t->key = key;
	t->tp = tp;
	t->satp = satp;
	u->totals.threads++;
	if (!tr_map_set(&guess_of(u)->by_key, key, guess_of(u)->nthreads))
		unwind_fail(u, TR_E_NOMEM);
	guess_of(u)->threads[guess_of(u)->nthreads++] = t;
	return t;
}

void threads_switch(struct tr_unwind *u, struct hart *h, struct thread *t)
{
	if (!t || t == thread_of(h))
		return;
	guess_hart(h)->thread = t;
	guess_hart(h)->switched = true;
	h->fresh = false;
	t->used = ++u->clock;
	u->totals.switches++;
	flow_set(h, FLOW_RESYNC, 0);
}

uint32_t threads_user_trap(const struct thread *t)
{
	uint32_t trap = t->base;
	if (!t->depth || !trap || (t->frames[0].priv & 3) != TR_PRIV_U)
		return 0;
	while (t->frames[trap].below)
		trap = t->frames[trap].below;
	return trap;
}

bool threads_name(struct tr_unwind *u, struct thread *t, uint64_t tp)
{
	if (t->tp || !threads_user_trap(t) ||
	    tr_map_get(&guess_of(u)->by_key, tp) != TR_MAP_NONE)
		return false;
	if (!tr_map_set(&guess_of(u)->by_key, tp,
			tr_map_get(&guess_of(u)->by_key, t->key)))
		unwind_fail(u, TR_E_NOMEM);
	t->key = t->tp = tp;
	t->id = guess_thread_id(u, t);
	return true;
}
