/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations by page: those of each page are in a list. */
#include "memory/heap.h"

#include <stdlib.h>
#include <string.h>

#include "base/buffer.h"
#include "base/map.h"

enum { PAGE_BITS = 12, ABSENT = UINT32_MAX };
/* Pages of one allocation; what is behind them is not known. */
#define MOST_PAGES (UINT64_C(1) << 20)

/* A part of an allocation: [low, high). */
struct part {
	uint64_t low, high;
	uint64_t begin; /* of the whole allocation */
	uint32_t site;
};

struct page {
	struct part *parts;
	size_t count, room;
};

/* Numbers of the fields of a probe; ABSENT if it has none. */
struct fields {
	uint32_t address, size, freed;
};

struct tr_heap {
	struct fields *fields; /* by probe */
	uint32_t nprobes;
	bool is_reported;
	struct tr_map page_ids; /* by page and space */
	struct page *pages;
	size_t npages, page_room;
};

struct tr_heap *tr_heap_new(const struct tr_probe_names *names)
{
	struct tr_heap *h = calloc(1, sizeof(*h));
	if (!h)
		return NULL;
	h->nprobes = names->count;
	h->fields = calloc(names->count + 1UL, sizeof(*h->fields));
	if (!h->fields) {
		free(h);
		return NULL;
	}
	for (uint32_t i = 0; i < names->count; i++) {
		struct fields *f = &h->fields[i];
		f->address = tr_probe_names_field(names, i, "heap_address");
		f->size = tr_probe_names_field(names, i, "heap_size");
		f->freed = tr_probe_names_field(names, i, "heap_free");
		h->is_reported |= tr_heap_allocates(h, i);
	}
	return h;
}

void tr_heap_free(struct tr_heap *h)
{
	if (!h)
		return;
	for (size_t i = 0; i < h->npages; i++)
		free(h->pages[i].parts);
	free(h->pages);
	free(h->fields);
	tr_map_free(&h->page_ids);
	free(h);
}

bool tr_heap_is_reported(const struct tr_heap *h)
{
	return h->is_reported;
}

bool tr_heap_allocates(const struct tr_heap *h, uint32_t probe)
{
	return probe < h->nprobes && h->fields[probe].address != ABSENT &&
	       h->fields[probe].size != ABSENT;
}

static uint64_t page_key(uint32_t space, uint64_t address)
{
	return address >> PAGE_BITS << 28 ^ space;
}

static struct page *find_page(const struct tr_heap *h, uint32_t space, uint64_t address)
{
	const uint32_t id = tr_map_get(&h->page_ids, page_key(space, address));
	return id == TR_MAP_NONE ? NULL : &h->pages[id];
}

static struct page *page_at(struct tr_heap *h, uint32_t space, uint64_t address)
{
	struct page *page = find_page(h, space, address);
	if (page)
		return page;
	if (!tr_grow(&h->pages, &h->page_room, h->npages + 1, sizeof(*h->pages)) ||
	    !tr_map_set(&h->page_ids, page_key(space, address), (uint32_t)h->npages))
		return NULL;
	h->pages[h->npages] = (struct page){.parts = NULL};
	return &h->pages[h->npages++];
}

static void remove_part(struct page *page, size_t i)
{
	page->parts[i] = page->parts[--page->count];
}

/* Frees the allocation that begins at an address, if there is one. */
static void free_allocation(struct tr_heap *h, uint32_t space, uint64_t begin)
{
	uint64_t next = begin;
	bool found = true;
	while (found) {
		struct page *page = find_page(h, space, next);
		found = false;
		for (size_t i = 0; page && i < page->count; i++) {
			if (page->parts[i].begin != begin)
				continue;
			next = page->parts[i].high;
			/* It goes on in the next page if it ends with this one. */
			found = next % (UINT64_C(1) << PAGE_BITS) == 0;
			remove_part(page, i);
			break;
		}
	}
}

/* Ends what overlaps: it was freed without a hit of a probe. */
static void drop_overlaps(struct page *page, uint64_t low, uint64_t high)
{
	for (size_t i = page->count; i-- > 0;)
		if (page->parts[i].low < high && low < page->parts[i].high)
			remove_part(page, i);
}

static int add_allocation(struct tr_heap *h, uint32_t space, uint64_t begin,
			  uint64_t size, uint32_t site)
{
	const uint64_t page_size = UINT64_C(1) << PAGE_BITS;
	uint64_t end = begin + size;
	if (!begin || end <= begin)
		return TR_OK;
	if (size > MOST_PAGES << PAGE_BITS)
		end = begin + (MOST_PAGES << PAGE_BITS);
	for (uint64_t low = begin; low < end;) {
		uint64_t high = (low & ~(page_size - 1)) + page_size;
		high = high < end && high ? high : end;
		struct page *page = page_at(h, space, low);
		if (!page)
			return TR_E_NOMEM;
		drop_overlaps(page, low, high);
		if (!tr_grow(&page->parts, &page->room, page->count + 1,
			     sizeof(*page->parts)))
			return TR_E_NOMEM;
		page->parts[page->count++] = (struct part){low, high, begin, site};
		low = high;
	}
	return TR_OK;
}

static bool has_failed(const struct tr_heap *h, const struct tr_hit *hit)
{
	const struct fields *f = &h->fields[hit->probe];
	return tr_heap_allocates(h, hit->probe) &&
	       tr_hit_value(hit, f->address).number == 0 &&
	       tr_hit_value(hit, f->size).number != 0;
}

int tr_heap_hit(struct tr_heap *h, uint32_t space, const struct tr_hit *hit,
		uint32_t site)
{
	const struct fields *f = &h->fields[hit->probe];
	/* A realloc() that fails frees nothing. */
	if (f->freed != ABSENT && !has_failed(h, hit)) {
		const struct tr_probe_value freed = tr_hit_value(hit, f->freed);
		if (freed.kind != TR_PROBE_MISSING)
			free_allocation(h, space, freed.number);
	}
	if (!tr_heap_allocates(h, hit->probe))
		return TR_OK;
	const struct tr_probe_value address = tr_hit_value(hit, f->address),
				    size = tr_hit_value(hit, f->size);
	if (address.kind == TR_PROBE_MISSING || size.kind == TR_PROBE_MISSING)
		return TR_OK;
	free_allocation(h, space, address.number);
	return add_allocation(h, space, address.number, size.number, site);
}

uint32_t tr_heap_at(const struct tr_heap *h, uint32_t space, uint64_t address)
{
	const struct page *page = find_page(h, space, address);
	for (size_t i = 0; page && i < page->count; i++)
		if (address >= page->parts[i].low && address < page->parts[i].high)
			return page->parts[i].site;
	return UINT32_MAX;
}
