/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks that forked children begin with: which fork made which child? */
#include <stdlib.h>
#include <string.h>

#include "unwind/guess.h"

enum { ROWS_AHEAD = 1 << 12 };

/* A thread begins on a stack of its own, with what made it at the bottom. */
static void keep_bottom(struct tr_unwind *u, struct fork *f)
{
	if (u->syms[f->sym].role != ROLE_CLONE)
		return;
	struct frame *bottom = &f->frames[1], *trap = &f->frames[2];
	*bottom = f->frames[f->depth - 1];
	bottom->node = names_node(u, f->frames[0].node, f->sym);
	bottom->ret = NO_RETURN;
	*trap = f->frames[f->depth];
	trap->node = names_node(u, bottom->node, trap->sym);
	f->depth = 2;
}

void forks_note(struct tr_unwind *u, const struct thread *t)
{
	uint32_t depth = threads_user_trap(t);
	if (depth < 2)
		return;
	struct fork *f = &guess_of(u)->forks[guess_of(u)->next_fork++ % FORKS];
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
	return &guess_of(u)->forks[i % FORKS];
}

static bool take_fork(struct tr_unwind *u, struct thread *t, uint32_t i)
{
	struct fork *f = fork_at(u, i);
	uint32_t before = t->capacity;
	if (!unwind_reserve(u, (void **)&t->frames, &t->capacity, f->depth + 1ULL,
			    sizeof(*t->frames)))
		return false;
	guess_of(u)->nframes += t->capacity - before;
	stack_clear(t);
	memcpy(t->frames, f->frames, (f->depth + 1) * sizeof(*f->frames));
	stack_keep(t, f->depth);
	t->fork = i + 1;
	f->used = true;
	return true;
}

static uint32_t oldest_fork(const struct tr_unwind *u)
{
	return guess_of(u)->next_fork < FORKS ? 0 : guess_of(u)->next_fork - FORKS;
}

static bool returns_to(const struct fork *f, uint64_t pc)
{
	for (uint32_t i = f->depth - 1; i > 0; i--)
		if (f->frames[i].ret == pc)
			return true;
	return false;
}

/* Forks that a child may come from, oldest first. */
struct choice {
	uint32_t forks[FORKS];
	uint32_t count;
};

static bool goes_on_at(const struct fork *f, uint64_t pc)
{
	return pc - f->epc <= TR_INSN_MAX_BYTES && pc != f->epc;
}

/* The child runs at `pc`: when some forks go on or return there and others do not, it
 * is of one of those. */
static void narrow(struct tr_unwind *u, struct choice *c, uint64_t pc)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < c->count; i++) {
		const struct fork *f = fork_at(u, c->forks[i]);
		if (goes_on_at(f, pc) || returns_to(f, pc))
			c->forks[kept++] = c->forks[i];
	}
	if (kept)
		c->count = kept;
}

/* Children need not begin in the order of the forks; where each returns to tells. */
static void look_ahead(struct tr_unwind *u, const struct hart *h, struct choice *c)
{
	struct ahead ahead = threads_ahead(h, h->next_event);
	uint32_t rows = 0;
	while (c->count > 1 && threads_ahead_next(u, &ahead))
		for (uint32_t i = ahead.first; i < ahead.last && c->count > 1; i++) {
			if (rows++ == ROWS_AHEAD)
				return;
			narrow(u, c,
			       u->ops.block(u->ops.user, ahead.part->rows[i].block)->pc);
		}
}

static bool take_chosen(struct tr_unwind *u, struct hart *h, struct choice *c)
{
	if (c->count > 1)
		look_ahead(u, h, c);
	return c->count && take_fork(u, thread_of(h), c->forks[0]);
}

bool forks_adopt(struct tr_unwind *u, struct hart *h, uint64_t pc, uint32_t sym)
{
	struct choice unused = {.count = 0};
	uint32_t used = guess_of(u)->next_fork;
	for (uint32_t i = oldest_fork(u); i < guess_of(u)->next_fork; i++) {
		const struct fork *f = fork_at(u, i);
		if (f->sym != sym || !goes_on_at(f, pc))
			continue;
		if (f->used)
			used = i;
		else
			unused.forks[unused.count++] = i;
	}
	if (unused.count)
		return take_chosen(u, h, &unused);
	return used < guess_of(u)->next_fork && take_fork(u, thread_of(h), used);
}

bool forks_begin(struct tr_unwind *u, struct hart *h)
{
	struct choice unused = {.count = 0};
	struct thread *t = thread_of(h);
	for (uint32_t i = oldest_fork(u); i < guess_of(u)->next_fork; i++)
		if (!fork_at(u, i)->used)
			unused.forks[unused.count++] = i;
	if (!take_chosen(u, h, &unused))
		return false;
	t->base = t->depth;
	t->frames[t->base].below = 0;
	stack_keep(t, t->base + 1);
	t->space = SPACE_FORKED;
	return true;
}

bool forks_undo(struct tr_unwind *u, struct thread *t, uint64_t epc, uint64_t pc)
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

bool forks_exchange(struct tr_unwind *u, struct thread *t, uint64_t pc)
{
	uint32_t had = t->fork - 1;
	if (!t->fork || t->base || had < oldest_fork(u))
		return false;
	for (uint32_t i = oldest_fork(u); i < guess_of(u)->next_fork; i++) {
		const struct fork *f = fork_at(u, i);
		if (f->used || !returns_to(f, pc) || f->sym != fork_at(u, had)->sym)
			continue;
		uint32_t space = t->space;
		fork_at(u, had)->used = false;
		if (!take_fork(u, t, i))
			return false;
		t->space = space;
		return true;
	}
	return false;
}
