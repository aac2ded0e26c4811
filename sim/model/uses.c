/* SPDX-License-Identifier: Apache-2.0 */
/* The record of when lines of RAM were used last. */
#include "uses.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "internal.h"

enum { KINDS = 3 };

/* Times at which all are moved back by half of this. */
#define MOST_TIME (UINT32_MAX - (UINT32_C(1) << 24))

bool soc_uses_init(struct soc *soc)
{
	struct soc_uses *u = &soc->uses;
	const uint64_t lines = soc->ram_size / SOC_LINE;

	/* Most of it is never touched. */
	uint32_t *times =
	    mmap(NULL, KINDS * lines * sizeof(*times), PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (times == MAP_FAILED)
		return false;
	*u = (struct soc_uses){.loads = times,
			       .stores = times + lines,
			       .fetches = times + 2 * lines,
			       .lines = lines};
	return true;
}

void soc_uses_release(struct soc *soc)
{
	struct soc_uses *u = &soc->uses;

	if (u->loads)
		munmap(u->loads, KINDS * u->lines * sizeof(*u->loads));
}

/* Moves the begin of time; what was before it is no longer known. */
static void move_begin(struct soc_uses *u, uint64_t begin)
{
	const uint64_t moved = begin - u->begin;

	for (uint64_t i = 0; i < KINDS * u->lines; i++)
		if (u->loads[i])
			u->loads[i] =
			    u->loads[i] > moved ? (uint32_t)(u->loads[i] - moved) : 0;
	u->begin = begin;
}

void soc_uses_advance(struct soc_hart *h)
{
	struct soc_uses *u = &h->soc->uses;

	if (h->instret - u->begin >= MOST_TIME)
		move_begin(u, h->instret - MOST_TIME / 2);
	h->use_time = (uint32_t)(h->instret - u->begin) + 1;
}

void soc_use_data(const struct soc_hart *h, uint64_t pa, bool store)
{
	const struct soc_uses *u = &h->soc->uses;
	const uint64_t line = (pa - SOC_RAM_BASE) / SOC_LINE;

	if (!u->loads || line >= u->lines)
		return;
	(store ? u->stores : u->loads)[line] = h->use_time;
}

struct timed_use {
	uint32_t time;
	uint64_t use;
};

static int compare_uses(const void *a, const void *b)
{
	const struct timed_use *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->use < y->use ? -1 : x->use > y->use;
}

/* Lists all uses. Returns their number. */
static size_t list_uses(const struct soc_uses *u, struct timed_use *list)
{
	size_t n = 0;

	for (uint64_t i = 0; i < KINDS * u->lines; i++) {
		const uint64_t address = SOC_RAM_BASE + i % u->lines * SOC_LINE;

		if (!u->loads[i])
			continue;
		if (list)
			list[n] = (struct timed_use){u->loads[i], address | i / u->lines};
		n++;
	}
	return n;
}

bool soc_last_uses(const struct soc *soc, struct soc_line_uses *last)
{
	const struct soc_uses *u = &soc->uses;
	size_t n = u->loads ? list_uses(u, NULL) : 0, old = 0;
	struct timed_use *list = calloc(n + 1, sizeof(*list));

	last->n = 0;
	if (!list)
		return false;
	if (n)
		list_uses(u, list);
	qsort(list, n, sizeof(*list), compare_uses);
	if (n > SOC_LAST_USES)
		old = n - SOC_LAST_USES;
	for (size_t i = old; i < n; i++)
		last->uses[last->n++] = list[i].use;
	free(list);
	return true;
}

/* Each gets a time of its own, before those of the run. */
void soc_set_last_uses(struct soc *soc, const struct soc_line_uses *last)
{
	struct soc_uses *u = &soc->uses;

	if (!u->loads)
		return;
	u->begin = soc->harts[0].instret - last->n;
	for (size_t i = 0; i < last->n; i++) {
		const uint64_t use = last->uses[i];
		const uint64_t line = (use - SOC_RAM_BASE) / SOC_LINE;
		const uint64_t kind =
		    use % SOC_LINE == SOC_USE_OTHER ? SOC_USE_LOAD : use % SOC_LINE;

		u->loads[kind * u->lines + line] = (uint32_t)i + 1;
	}
}
