/* SPDX-License-Identifier: Apache-2.0 */
/* Allocations by page: those of each page are in an array. */
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
	uint64_t begin; /* of the whole allocation; 0: it is freed */
	uint32_t site;
};

/* The parts are in order, and do not overlap. */
struct page {
	struct part *parts;
	size_t count, room;
	uint64_t number;
	uint32_t next; /* of the same space; ABSENT: none */
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
	struct tr_map first_pages; /* by space */
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
	tr_map_free(&h->first_pages);
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
	const uint32_t id = (uint32_t)h->npages;
	if (page)
		return page;
	if (!tr_grow(&h->pages, &h->page_room, h->npages + 1, sizeof(*h->pages)))
		return NULL;
	h->pages[id] = (struct page){.number = address >> PAGE_BITS,
				     .next = tr_map_get(&h->first_pages, space)};
	if (!tr_map_set(&h->page_ids, page_key(space, address), id) ||
	    !tr_map_set(&h->first_pages, space, id))
		return NULL;
	return &h->pages[h->npages++];
}

/* Returns the number of the first part that ends above an address. */
static size_t part_above(const struct page *page, uint64_t address)
{
	size_t low = 0, high = page->count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;
		if (page->parts[middle].high - 1 < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Replaces parts [first, end) by others. Returns a status. */
static int replace_parts(struct page *page, size_t first, size_t end,
			 const struct part *parts, size_t count)
{
	const size_t behind = page->count - end;
	if (!tr_grow(&page->parts, &page->room, first + count + behind,
		     sizeof(*page->parts)))
		return TR_E_NOMEM;
	memmove(&page->parts[first + count], &page->parts[end],
		behind * sizeof(*page->parts));
	memcpy(&page->parts[first], parts, count * sizeof(*page->parts));
	page->count = first + count + behind;
	return TR_OK;
}

/* Frees the allocation that begins at an address, if there is one. */
static void free_allocation(struct tr_heap *h, uint32_t space, uint64_t begin)
{
	uint64_t next = begin;
	while (begin) {
		struct page *page = find_page(h, space, next);
		const size_t i = page ? part_above(page, next) : 0;
		if (!page || i == page->count || page->parts[i].begin != begin)
			return;
		page->parts[i].begin = 0;
		next = page->parts[i].high;
		/* It goes on in the next page if it ends with this one. */
		if (next % (UINT64_C(1) << PAGE_BITS))
			return;
	}
}

/* Puts a part into its page. Allocations that it overlaps were freed without a hit of a
 * probe; what is left of them is free. */
static int put_part(struct page *page, const struct part *part)
{
	struct part parts[3];
	size_t count = 0, first = part_above(page, part->low), end = first;
	while (end < page->count && page->parts[end].low < part->high)
		end++;
	if (first < end && page->parts[first].low < part->low) {
		parts[count] = page->parts[first];
		parts[count].begin = 0;
		parts[count++].high = part->low;
	}
	parts[count++] = *part;
	if (first < end && page->parts[end - 1].high > part->high) {
		parts[count] = page->parts[end - 1];
		parts[count].begin = 0;
		parts[count++].low = part->high;
	}
	return replace_parts(page, first, end, parts, count);
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
		const struct part part = {low, high, begin, site};
		const int status = page ? put_part(page, &part) : TR_E_NOMEM;
		if (status)
			return status;
		low = high;
	}
	return TR_OK;
}

int tr_heap_copy(struct tr_heap *h, uint32_t from, uint32_t to)
{
	uint32_t id = tr_map_get(&h->first_pages, from);
	tr_heap_drop(h, to);
	for (; id != ABSENT; id = h->pages[id].next) {
		if (!h->pages[id].count)
			continue;
		struct page *page = page_at(h, to, h->pages[id].number << PAGE_BITS);
		const struct page *of = &h->pages[id]; /* page_at() moves them */
		const int status =
		    page ? replace_parts(page, 0, 0, of->parts, of->count) : TR_E_NOMEM;
		if (status)
			return status;
	}
	return TR_OK;
}

void tr_heap_drop(struct tr_heap *h, uint32_t space)
{
	uint32_t id = tr_map_get(&h->first_pages, space);
	for (; id != ABSENT; id = h->pages[id].next) {
		struct page *page = &h->pages[id];
		free(page->parts);
		page->parts = NULL;
		page->count = page->room = 0;
	}
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

uint32_t tr_heap_at(const struct tr_heap *h, uint32_t space, uint64_t address,
		    bool *is_freed)
{
	const struct page *page = find_page(h, space, address);
	const size_t i = page ? part_above(page, address) : 0;
	if (!page || i == page->count || page->parts[i].low > address)
		return UINT32_MAX;
	*is_freed = !page->parts[i].begin;
	return page->parts[i].site;
}
