/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks of all threads, and those that forked children begin with. */
#include <stdlib.h>
#include <string.h>

#include "unwind_internal.h"

enum { FIRST_FRAMES = 16 };

static void free_thread(struct thread *t)
{
	free(t->frames);
	free(t->setjmps);
	free(t);
}

void threads_free(struct tr_unwind *u)
{
	for (uint32_t i = 0; i < u->nthreads; i++)
		free_thread(u->threads[i]);
	free(u->threads);
	for (unsigned i = 0; i < FORKS; i++)
		free(u->forks[i].frames);
	tr_map_free(&u->by_key);
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
		if (u->harts[i] && u->harts[i]->thread == t)
			return true;
	return false;
}

/* Half of the threads go, the least recent: mostly dead ones. */
static void forget(struct tr_unwind *u)
{
	uint32_t kept = u->nthreads / 2;
	qsort(u->threads, u->nthreads, sizeof(struct thread *), latest_first);
	for (uint32_t i = kept; i < u->nthreads; i++) {
		struct thread *t = u->threads[i];
		if (is_running(u, t)) {
			u->threads[kept++] = t;
			continue;
		}
		u->totals.threads_forgotten++;
		u->nframes -= t->capacity;
		free_thread(t);
	}
	u->nthreads = kept;
	tr_map_clear(&u->by_key);
	for (uint32_t i = 0; i < kept; i++)
		if (!tr_map_set(&u->by_key, u->threads[i]->key, i))
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
	u->nframes += t->capacity;
	return t;
}

struct thread *threads_get(struct tr_unwind *u, uint64_t key, uint64_t tp, uint64_t satp)
{
	uint32_t i = tr_map_get(&u->by_key, key);
	if (i != TR_MAP_NONE)
		return u->threads[i];
	if (u->nthreads >= TR_UNWIND_THREADS || u->nframes >= TR_UNWIND_FRAMES)
		forget(u);
	if (!unwind_reserve(u, (void **)&u->threads, &u->threads_capacity,
			    u->nthreads + 1ULL, sizeof(struct thread *)))
		return NULL;
	struct thread *t = new_thread(u);
	if (!t)
		return NULL;
	t->key = key;
	t->tp = tp;
	t->satp = satp;
	u->totals.threads++;
	if (!tr_map_set(&u->by_key, key, u->nthreads))
		unwind_fail(u, TR_E_NOMEM);
	u->threads[u->nthreads++] = t;
	return t;
}

void threads_switch(struct tr_unwind *u, struct hart *h, struct thread *t)
{
	if (!t || t == h->thread)
		return;
	h->thread = t;
	h->switched = true;
	h->fresh = false;
	t->used = ++u->clock;
	u->totals.switches++;
	flow_set(h, FLOW_RESYNC, 0);
}

/* Index of the trap frame on top of the user part, 0 if there is no user part or
 * it runs itself. */
static uint32_t user_trap(const struct thread *t)
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
	if (t->tp || !user_trap(t) || tr_map_get(&u->by_key, tp) != TR_MAP_NONE)
		return false;
	if (!tr_map_set(&u->by_key, tp, tr_map_get(&u->by_key, t->key)))
		unwind_fail(u, TR_E_NOMEM);
	t->key = t->tp = tp;
	t->id = names_thread(u, t);
	return true;
}

/* A thread begins on a stack of its own, with what made it at the bottom. */
static void keep_bottom(struct tr_unwind *u, struct fork *f)
{
	if (u->syms[f->sym].role != ROLE_CLONE || f->depth <= 2)
		return;
	struct frame *bottom = &f->frames[1], *trap = &f->frames[2];
	*bottom = f->frames[f->depth - 1];
	bottom->node = names_node(u, f->frames[0].node, f->sym);
	bottom->ret = NO_RETURN;
	*trap = f->frames[f->depth];
	trap->node = names_node(u, bottom->node, trap->sym);
	f->depth = 2;
}

void threads_note_fork(struct tr_unwind *u, const struct thread *t)
{
	uint32_t depth = user_trap(t);
	if (depth < 2)
		return;
	struct fork *f = &u->forks[u->next_fork++ % FORKS];
	struct frame *frames = realloc(f->frames, (depth + 1) * sizeof(*frames));
	if (!frames) {
		unwind_fail(u, TR_E_NOMEM);
		return;
	}
	memcpy(frames, t->frames, (depth + 1) * sizeof(*frames));
	*f = (struct fork){.frames = frames,
			   .depth = depth,
			   .epc = t->frames[depth].ret,
			   .sym = t->frames[depth - 1].sym};
	keep_bottom(u, f);
}

static struct fork *fork_at(struct tr_unwind *u, uint32_t i)
{
	return &u->forks[i % FORKS];
}

static bool take_fork(struct tr_unwind *u, struct thread *t, uint32_t i)
{
	struct fork *f = fork_at(u, i);
	uint32_t before = t->capacity;
	if (!unwind_reserve(u, (void **)&t->frames, &t->capacity, f->depth + 1ULL,
			    sizeof(*t->frames)))
		return false;
	u->nframes += t->capacity - before;
	stack_clear(t);
	memcpy(t->frames, f->frames, (f->depth + 1) * sizeof(*f->frames));
	stack_keep(t, f->depth);
	t->fork = i + 1;
	f->used = true;
	return true;
}

static uint32_t oldest_fork(const struct tr_unwind *u)
{
	return u->next_fork < FORKS ? 0 : u->next_fork - FORKS;
}

/* Children begin in the order of the forks, as a rule. */
bool threads_adopt_fork(struct tr_unwind *u, struct thread *t, uint64_t pc, uint32_t sym)
{
	uint32_t found = u->next_fork;
	for (uint32_t i = oldest_fork(u); i < u->next_fork; i++) {
		const struct fork *f = fork_at(u, i);
		if (f->sym != sym || pc - f->epc > TR_INSN_MAX_BYTES || pc == f->epc)
			continue;
		found = i;
		if (!f->used)
			break;
	}
	return found < u->next_fork && take_fork(u, t, found);
}

bool threads_be_born(struct tr_unwind *u, struct thread *t)
{
	for (uint32_t i = oldest_fork(u); i < u->next_fork; i++) {
		if (fork_at(u, i)->used)
			continue;
		if (!take_fork(u, t, i))
			return false;
		t->base = t->depth;
		t->frames[t->base].below = 0;
		stack_keep(t, t->base + 1);
		t->space = SPACE_FORKED;
		return true;
	}
	return false;
}

bool threads_unborn(struct tr_unwind *u, struct thread *t, uint64_t epc, uint64_t pc)
{
	if (!t->fork || t->fork - 1 < oldest_fork(u))
		return false;
	struct fork *f = fork_at(u, t->fork - 1);
	if (t->depth != f->depth || epc != f->epc || pc - epc <= TR_INSN_MAX_BYTES)
		return false;
	f->used = false;
	stack_clear(t);
	return true;
}

static uint32_t find_return(const struct fork *f, uint64_t pc)
{
	for (uint32_t i = f->depth - 1; i > 0; i--)
		if (f->frames[i].ret == pc)
			return i;
	return 0;
}

bool threads_exchange_fork(struct tr_unwind *u, struct thread *t, uint64_t pc)
{
	uint32_t had = t->fork - 1;
	if (!t->fork || t->base || had < oldest_fork(u))
		return false;
	for (uint32_t i = oldest_fork(u); i < u->next_fork; i++) {
		const struct fork *f = fork_at(u, i);
		uint32_t frame = find_return(f, pc);
		if (f->used || !frame || f->sym != fork_at(u, had)->sym)
			continue;
		uint32_t space = t->space;
		fork_at(u, had)->used = false;
		if (!take_fork(u, t, i))
			return false;
		t->space = space;
		stack_keep(t, frame + 1);
		return true;
	}
	return false;
}
