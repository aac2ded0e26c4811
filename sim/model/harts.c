/* SPDX-License-Identifier: Apache-2.0 */
/* Interleaves several harts by their cycles, and ends reservations across harts. */
#include <string.h>

#include "internal.h"

enum { QUANTUM = 128 };

/* Returns the cycle in which the hart executes next, or SOC_NEVER. Called after each turn
 * of another hart, whose time is that of the interrupt it may have raised. */
static uint64_t next_turn_cycle(struct soc_hart *h)
{
	if (!h->asleep)
		return h->cycle;
	if (h->woken == SOC_NEVER && (soc_mip(h) & h->mie)) {
		h->woken = h->soc->current->cycle;
		if (h->woken <= h->cycle)
			h->woken = h->cycle + 1;
	}
	if (h->woken != SOC_NEVER || !(h->mie >> SOC_IRQ_MT & 1U))
		return h->woken;
	uint64_t timer = soc_timer_cycle(h);
	return timer > h->cycle ? timer : h->cycle + 1;
}

uint64_t soc_cycle_asleep(const struct soc_hart *h)
{
	uint64_t cycle = h->soc->current->cycle;

	cycle = cycle ? (cycle - 1) & ~(uint64_t)(QUANTUM - 1) : 0;
	return cycle > h->cycle + 1 ? cycle - 1 : h->cycle;
}

void soc_wake(struct soc_hart *h)
{
	uint64_t wake = next_turn_cycle(h);

	h->asleep = false;
	h->woken = SOC_NEVER;
	soc_commit_wfi(h, wake);
}

/* Lets the stores of the other harts take the slow path where this one has a
 * reservation. Its own turns need no such care, because others do not run in between. */
static void protect_reservation(struct soc_hart *reserving)
{
	struct soc *soc = reserving->soc;

	for (unsigned i = 0; i < soc->nharts; i++) {
		struct soc_hart *h = &soc->harts[i];

		for (unsigned r = 0; h != reserving && r < SOC_REGIMES; r++)
			memset(h->tlb[r].store, 0xff, sizeof(h->tlb[r].store));
	}
}

bool soc_is_reserved(const struct soc_hart *h, uint64_t pa)
{
	const struct soc *soc = h->soc;

	for (unsigned i = 0; i < soc->nharts; i++) {
		const struct soc_hart *other = &soc->harts[i];

		if (other != h && other->reserved != SOC_NEVER &&
		    ((other->reserved ^ pa) & SOC_PAGE_MASK) == 0)
			return true;
	}
	return false;
}

void soc_end_reservations(struct soc *soc, uint64_t pa, uint64_t size)
{
	for (unsigned i = 0; i < soc->nharts; i++) {
		struct soc_hart *h = &soc->harts[i];

		if (h->reserved != SOC_NEVER && pa < h->reserved + SOC_LR_BYTES &&
		    h->reserved < pa + size)
			h->reserved = SOC_NEVER;
	}
}

/* Ends the request of the disk, if it ends before any hart executes, in cycle `least`,
 * and wakes the harts that wait for it. Returns whether there was one. */
static bool serve_disk(struct soc *soc, uint64_t least, uint64_t limit)
{
	const uint64_t due = soc->virtio.due;

	if (due > least || due >= limit)
		return false;
	soc_virtio_serve(soc);
	for (unsigned i = 0; i < soc->nharts; i++) {
		struct soc_hart *h = &soc->harts[i];

		if (h->asleep && h->woken == SOC_NEVER && (soc_mip(h) & h->mie))
			h->woken = due > h->cycle ? due : h->cycle + 1;
	}
	return true;
}

/* Gets the cycle in which each hart executes next, SOC_NEVER if not before the limit.
 * Returns the first of these cycles. */
static uint64_t find_next_turns(struct soc *soc, uint64_t limit,
				uint64_t time[SOC_HARTS_MAX])
{
	uint64_t least = SOC_NEVER;

	for (unsigned i = 0; i < soc->nharts; i++) {
		time[i] = next_turn_cycle(&soc->harts[i]);
		if (soc->harts[i].asleep ? time[i] > limit : time[i] >= limit)
			time[i] = SOC_NEVER;
		if (time[i] < least)
			least = time[i];
	}
	return least;
}

/* Returns the hart that runs next, and the cycle *end up to which it does, or NULL if
 * none executes before the limit. This depends on nothing but the time of each hart, and
 * of the disk. */
static struct soc_hart *choose_next_hart(struct soc *soc, uint64_t limit, uint64_t *end)
{
	uint64_t time[SOC_HARTS_MAX], least;
	unsigned i;

	do
		least = find_next_turns(soc, limit, time);
	while (serve_disk(soc, least, limit));
	if (least == SOC_NEVER)
		return NULL;
	*end = (least | (QUANTUM - 1)) + 1;
	for (i = 0; time[i] >= *end; i++)
		continue;
	return &soc->harts[i];
}

/* Ends the run. Unless nothing inside the machine can wake any hart, the time of those
 * that are asleep advances to the limit. Returns the reason. */
static enum soc_stop end_hart_turns(struct soc *soc, uint64_t limit)
{
	enum soc_stop stop =
	    soc->virtio.due == SOC_NEVER ? SOC_STOP_IDLE : SOC_STOP_LIMIT;

	for (unsigned i = 0; i < soc->nharts; i++)
		if (next_turn_cycle(&soc->harts[i]) != SOC_NEVER)
			stop = SOC_STOP_LIMIT;
	for (unsigned i = 0; stop == SOC_STOP_LIMIT && i < soc->nharts; i++) {
		struct soc_hart *h = &soc->harts[i];

		if (h->asleep && h->cycle < limit) {
			h->slept += limit - h->cycle;
			h->now = h->cycle = limit;
		}
	}
	return stop;
}

/* Returns the limit of this hart for a limit of the sum of all. */
static uint64_t hart_instret_limit(const struct soc_hart *h, uint64_t instret)
{
	const struct soc *soc = h->soc;
	uint64_t done = 0;

	if (instret == SOC_NEVER)
		return SOC_NEVER;
	for (unsigned i = 0; i < soc->nharts; i++)
		if (&soc->harts[i] != h)
			done += soc->harts[i].instret;
	return instret > done ? instret - done : 0;
}

/* The next turn is of this hart. */
static void switch_hart(struct soc_hart *h)
{
	struct soc_hart *current = h->soc->current;

	if (h != current && current->reserved != SOC_NEVER)
		protect_reservation(current);
	h->soc->current = h;
}

enum soc_stop soc_run_hart(struct soc *soc, unsigned hart, uint64_t instret)
{
	const struct soc_limits limits = {instret, SOC_NEVER, SOC_NEVER};
	struct soc_hart *h = &soc->harts[hart];
	enum soc_stop stop;

	h->stepping = false;
	switch_hart(h);
	while (soc_run_once(h, &limits, &stop))
		continue;
	return stop;
}

enum soc_stop soc_run_harts(struct soc *soc, uint64_t instret, uint64_t cycle)
{
	struct soc_limits limits = {.turn = SOC_NEVER};
	enum soc_stop stop;
	struct soc_hart *h;

	do {
		h = choose_next_hart(soc, cycle, &limits.turn);
		if (!h)
			return end_hart_turns(soc, cycle);
		switch_hart(h);
		limits.instret = hart_instret_limit(h, instret);
		limits.cycle = cycle;
	} while (soc_run_once(h, &limits, &stop));
	return stop;
}
