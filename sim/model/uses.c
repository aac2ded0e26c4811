/* SPDX-License-Identifier: Apache-2.0 */
/* The record of when lines of RAM were used last. */
#include "uses.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"

enum { KINDS = 3, PAGE_LINES = 4096 / SOC_LINE };

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
	uint8_t *pages = calloc(lines / PAGE_LINES + 1, 1);
	if (!pages) {
		munmap(times, KINDS * lines * sizeof(*times));
		return false;
	}
	*u = (struct soc_uses){.loads = times,
			       .stores = times + lines,
			       .fetches = times + 2 * lines,
			       .lines = lines,
			       .pages = pages};
	return true;
}

void soc_uses_release(struct soc *soc)
{
	struct soc_uses *u = &soc->uses;

	if (u->loads)
		munmap(u->loads, KINDS * u->lines * sizeof(*u->loads));
	free(u->pages);
}

void soc_uses_hide(struct soc *soc, void (*hide)(void *begin, size_t size))
{
	const struct soc_uses *u = &soc->uses;

	if (u->loads)
		hide(u->loads, KINDS * u->lines * sizeof(*u->loads));
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

void soc_uses_note_code(struct soc *soc, uint64_t pa, uint64_t size)
{
	const struct soc_uses *u = &soc->uses;
	const uint64_t first = (pa - SOC_RAM_BASE) / SOC_LINE / PAGE_LINES;
	const uint64_t last = (pa + size - 1 - SOC_RAM_BASE) / SOC_LINE / PAGE_LINES;

	for (uint64_t page = first; u->pages && page <= last; page++)
		u->pages[page] |= USES_CODE;
}

void soc_use_data(const struct soc_hart *h, uint64_t pa, bool store)
{
	const struct soc_uses *u = &h->soc->uses;
	const uint64_t line = (pa - SOC_RAM_BASE) / SOC_LINE;

	if (!u->loads || line >= u->lines)
		return;
	(store ? u->stores : u->loads)[line] = h->use_time;
	u->pages[line / PAGE_LINES] |= USES_DATA;
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

/* ------------------------------------------------------------ of one cache */

/* A line that a cache holds, with the time of its last use when this was looked up. */
struct held_line {
	uint32_t time, line;
};

/* A cache that replaces the line of the oldest use. */
struct soc_held {
	unsigned sets, ways;
	struct held_line *lines; /* of set 0, of set 1, ...; time 0: none */
	uint32_t *oldest;	 /* of each set: the time of its oldest line */
	struct timed_use *list, *spare;
};

struct soc_held *soc_held_new(unsigned sets, unsigned ways)
{
	const size_t lines = (size_t)sets * ways;
	struct soc_held *held = calloc(1, sizeof(*held));

	if (!held)
		return NULL;
	held->sets = sets;
	held->ways = ways;
	held->lines = calloc(lines, sizeof(*held->lines));
	held->oldest = calloc(sets, sizeof(*held->oldest));
	held->list = calloc(KINDS * lines, sizeof(*held->list));
	held->spare = calloc(KINDS * lines, sizeof(*held->spare));
	if (held->lines && held->oldest && held->list && held->spare &&
	    KINDS * lines <= SOC_LAST_USES && sets % PAGE_LINES == 0)
		return held;
	soc_held_free(held);
	return NULL;
}

void soc_held_free(struct soc_held *held)
{
	if (!held)
		return;
	free(held->lines);
	free(held->oldest);
	free(held->list);
	free(held->spare);
	free(held);
}

void soc_held_hide(struct soc_held *held, void (*hide)(void *begin, size_t size))
{
	const size_t lines = (size_t)held->sets * held->ways;

	hide(held->lines, lines * sizeof(*held->lines));
	hide(held->list, KINDS * lines * sizeof(*held->list));
	hide(held->spare, KINDS * lines * sizeof(*held->spare));
}

/* Returns the time of the last use of a line. */
static uint32_t last_time(const struct soc_uses *u, uint64_t line)
{
	uint32_t time = u->loads[line];

	for (unsigned kind = 1; kind < KINDS; kind++)
		if (u->loads[kind * u->lines + line] > time)
			time = u->loads[kind * u->lines + line];
	return time;
}

static void find_oldest(struct soc_held *held, unsigned set)
{
	const struct held_line *lines = held->lines + (size_t)set * held->ways;

	held->oldest[set] = lines[0].time;
	for (unsigned i = 1; i < held->ways; i++)
		if (lines[i].time < held->oldest[set])
			held->oldest[set] = lines[i].time;
}

/* Looks up the times of all lines that were held. */
static void refresh_lines(struct soc_held *held, const struct soc_uses *u)
{
	const size_t n = (size_t)held->sets * held->ways;

	for (size_t i = 0; i < n; i++)
		if (held->lines[i].time)
			held->lines[i].time = last_time(u, held->lines[i].line);
	for (unsigned set = 0; set < held->sets; set++)
		find_oldest(held, set);
}

/* Puts a line in the place of the oldest of its set, unless it is held. */
static void hold_line(struct soc_held *held, unsigned set, struct held_line line)
{
	struct held_line *lines = held->lines + (size_t)set * held->ways;
	unsigned at = 0;

	for (unsigned i = 0; i < held->ways; i++) {
		if (lines[i].time && lines[i].line == line.line)
			return;
		if (lines[i].time < lines[at].time)
			at = i;
	}
	lines[at] = line;
	find_oldest(held, set);
}

static void hold_page(struct soc_held *held, const struct soc_uses *u, uint64_t page)
{
	const uint64_t first = page * PAGE_LINES;
	const unsigned set = (unsigned)(first % held->sets);

	for (unsigned i = 0; i < PAGE_LINES; i++) {
		const uint32_t time = last_time(u, first + i);

		if (time > held->oldest[set + i])
			hold_line(held, set + i,
				  (struct held_line){time, (uint32_t)(first + i)});
	}
}

/* Only pages that were used since the last call can have lines of later uses; all data
 * pages that are used after this one are noted again, since no access to them is fast. */
void soc_held_update(struct soc_held *held, struct soc *soc)
{
	struct soc_uses *u = &soc->uses;

	refresh_lines(held, u);
	for (uint64_t page = 0; page < u->lines / PAGE_LINES; page++) {
		if (!u->pages[page])
			continue;
		hold_page(held, u, page);
		u->pages[page] &= USES_CODE;
	}
	soc_mmu_flush_data(&soc->harts[0]);
}

/* Lists the uses of a line. Returns their number. */
static size_t list_line(const struct soc_uses *u, uint64_t line, struct timed_use *list)
{
	size_t n = 0;

	for (uint64_t kind = 0; kind < KINDS; kind++) {
		const uint32_t time = u->loads[kind * u->lines + line];

		if (time)
			list[n++] = (struct timed_use){
			    time, (SOC_RAM_BASE + line * SOC_LINE) | kind};
	}
	return n;
}

/* Sorts by time, and keeps the order of equal ones; `spare` has as many elements. Returns
 * the one of both that has the result. */
static struct timed_use *sort_by_time(struct timed_use *list, struct timed_use *spare,
				      size_t n)
{
	enum { DIGIT = 11, VALUES = 1 << DIGIT, DIGITS = 3 };

	for (unsigned digit = 0; digit < DIGITS; digit++) {
		size_t begins[VALUES + 1] = {0};

		for (size_t i = 0; i < n; i++)
			begins[(list[i].time >> digit * DIGIT) % VALUES + 1]++;
		for (unsigned i = 0; i < VALUES; i++)
			begins[i + 1] += begins[i];
		for (size_t i = 0; i < n; i++)
			spare[begins[(list[i].time >> digit * DIGIT) % VALUES]++] =
			    list[i];
		struct timed_use *sorted = spare;
		spare = list;
		list = sorted;
	}
	return list;
}

void soc_held_uses(struct soc_held *held, const struct soc *soc,
		   struct soc_line_uses *last)
{
	const size_t lines = (size_t)held->sets * held->ways;
	size_t n = 0;

	for (size_t i = 0; i < lines; i++)
		if (held->lines[i].time)
			n += list_line(&soc->uses, held->lines[i].line, held->list + n);
	const struct timed_use *list = sort_by_time(held->list, held->spare, n);
	for (size_t i = 0; i < n; i++)
		last->uses[i] = list[i].use;
	last->n = n;
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
		u->pages[line / PAGE_LINES] |= USES_DATA;
	}
}
