/* SPDX-License-Identifier: Apache-2.0 */
/* Pages that hold page tables. The model translates by the entries that memory has now:
 * what it has cached from an entry ends when the entry is written. A followed machine may
 * use older ones until sfence.vma. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

bool soc_tables_init(struct soc *soc)
{
	struct soc_table_pages *c = &soc->tables;

	c->pages = calloc(soc->ram_size >> SOC_PAGE_BITS, sizeof(*c->pages));
	c->known = calloc(soc->ram_size >> SOC_PAGE_BITS, sizeof(*c->known));
	c->epoch = 1;
	return c->pages && c->known;
}

void soc_tables_free(struct soc *soc)
{
	free(soc->tables.pages);
	free(soc->tables.known);
}

static struct soc_table_page *table_page_at(const struct soc *soc, uint64_t phys)
{
	return &soc->tables.pages[(phys - SOC_RAM_BASE) >> SOC_PAGE_BITS];
}

bool soc_is_table(const struct soc *soc, uint64_t phys)
{
	return soc->tables.assumed || table_page_at(soc, phys)->known;
}

/* Stores to the page take the slow path from now on. */
static void forget_stores(struct soc *soc, uint64_t phys)
{
	uintptr_t host =
	    (uintptr_t)soc->ram + (uintptr_t)((phys & SOC_PAGE_MASK) - SOC_RAM_BASE);

	for (unsigned i = 0; i < soc->nharts * SOC_REGIMES; i++) {
		struct soc_tlb *e =
		    soc->harts[i / SOC_REGIMES].tlb[i % SOC_REGIMES].store;

		for (unsigned k = 0; k < SOC_TLB; k++)
			if ((uintptr_t)(e[k].tag & SOC_PAGE_MASK) + e[k].delta == host)
				e[k].tag = SOC_NEVER;
	}
}

static void add_table_page(struct soc *soc, uint64_t phys)
{
	struct soc_table_pages *c = &soc->tables;
	struct soc_table_page *page = table_page_at(soc, phys);

	page->known = true;
	c->known[c->n++] = (uint32_t)(page - c->pages);
	forget_stores(soc, phys);
}

void soc_table_read(struct soc *soc, uint64_t phys)
{
	const struct soc_table_pages *c = &soc->tables;
	struct soc_table_page *page = table_page_at(soc, phys);

	if (!page->known)
		add_table_page(soc, phys);
	page->read = c->fences;
}

void soc_table_used(struct soc *soc, uint64_t phys)
{
	struct soc_table_pages *c = &soc->tables;
	struct soc_table_page *page = table_page_at(soc, phys);

	if (page->epoch != c->epoch)
		memset(page->used, 0, sizeof(page->used));
	page->epoch = c->epoch;
	page->used[phys >> 9 & 7] |= UINT64_C(1) << (phys >> 3 & 63);
}

/* Stores to all pages take the slow path from now on. */
void soc_assume_tables(struct soc *soc, bool on)
{
	if (on == soc->tables.assumed)
		return;
	soc->tables.assumed = on;
	for (unsigned i = 0; on && i < soc->nharts * SOC_REGIMES; i++) {
		struct soc_tlb_pair *pair =
		    &soc->harts[i / SOC_REGIMES].tlb[i % SOC_REGIMES];

		memset(pair->store, 0xff, sizeof(pair->store));
	}
}

/* Returns the fences before which every hart has executed its last one. */
static uint64_t oldest_fence(const struct soc *soc, const uint64_t fences[SOC_HARTS_MAX])
{
	uint64_t all = fences[0];

	for (unsigned i = 1; i < soc->nharts; i++)
		if (fences[i] < all)
			all = fences[i];
	return all;
}

/* Notes a write to an entry; returns whether something may have been cached from it. */
static bool write_entry(struct soc *soc, struct soc_table_page *page, uint64_t phys)
{
	struct soc_table_pages *c = &soc->tables;
	uint64_t bit = UINT64_C(1) << (phys >> 3 & 63);

	if (page->changed <= oldest_fence(soc, c->fenced))
		memset(page->written, 0, sizeof(page->written));
	page->changed = c->changed = c->fences + 1;
	page->written[phys >> 9 & 7] |= bit;
	return page->epoch == c->epoch && (page->used[phys >> 9 & 7] & bit);
}

bool soc_table_written(struct soc *soc, uint64_t phys, uint64_t size)
{
	bool hit = false;

	for (uint64_t at = phys & ~UINT64_C(7); at < phys + size; at += 8) {
		struct soc_table_page *page = table_page_at(soc, at);

		if (soc_is_table(soc, at))
			hit |= write_entry(soc, page, at);
		else
			at |= SOC_PAGE - 8;
	}
	if (!hit)
		return false;
	soc->tables.epoch++;
	for (unsigned i = 0; i < soc->nharts; i++)
		soc_mmu_flush(&soc->harts[i]);
	return true;
}

/* Forgets the pages that no hart has read since it executed a fence for everything, and
 * discarded what it had cached. */
static void forget_unread_pages(struct soc *soc)
{
	struct soc_table_pages *c = &soc->tables;
	uint64_t all = oldest_fence(soc, c->fenced_all);
	size_t left = 0;

	for (size_t i = 0; i < c->n; i++) {
		struct soc_table_page *page = &c->pages[c->known[i]];

		if (page->read < all)
			page->known = false;
		else
			c->known[left++] = c->known[i];
	}
	c->n = left;
}

void soc_table_fence(struct soc_hart *h, uint32_t insn)
{
	struct soc_table_pages *c = &h->soc->tables;

	c->fenced[h->id] = ++c->fences;
	if (insn >> 15 & 0x3ff)
		return;
	c->fenced_all[h->id] = c->fences;
	soc_mmu_flush(h);
	if (h->soc->nharts == 1)
		c->epoch++;
	forget_unread_pages(h->soc);
}

void soc_tables_reset(struct soc *soc)
{
	struct soc_table_pages *c = &soc->tables;

	for (size_t i = 0; i < c->n; i++)
		c->pages[c->known[i]].known = false;
	c->n = 0;
	c->epoch++;
	c->changed = 0;
}

struct soc_table_entries soc_table_entries(const struct soc *soc, uint64_t address)
{
	const struct soc_table_page *page = table_page_at(soc, address);
	struct soc_table_entries entries = {.known = page->known};

	if (page->known && page->changed > oldest_fence(soc, soc->tables.fenced))
		memcpy(entries.written, page->written, sizeof(entries.written));
	return entries;
}

void soc_set_table_entries(struct soc *soc, uint64_t address,
			   const struct soc_table_entries *entries)
{
	struct soc_table_pages *c = &soc->tables;
	struct soc_table_page *page = table_page_at(soc, address);

	if (!entries->known)
		return;
	if (!page->known)
		add_table_page(soc, address);
	memcpy(page->written, entries->written, sizeof(page->written));
	page->read = c->fences;
	page->changed = c->changed = c->fences + 1;
}

bool soc_tables_changed(const struct soc *soc, unsigned hart)
{
	return soc->tables.changed > soc->tables.fenced[hart];
}

struct change {
	const struct soc *soc;
	unsigned hart;
	bool found;
};

/* Reads an entry, and notes whether it was written since the hart's last fence. */
static bool read_changed_entry(void *user, unsigned level, uint64_t phys, uint64_t *pte)
{
	struct change *change = user;
	const struct soc_table_page *page = table_page_at(change->soc, phys);

	(void)level;
	if (page->changed > change->soc->tables.fenced[change->hart] &&
	    (page->written[phys >> 9 & 7] >> (phys >> 3 & 63) & 1))
		change->found = true;
	return soc_read_physical(change->soc, phys, pte, sizeof(*pte));
}

bool soc_fetches_old(const struct soc_hart *h, uint64_t pc)
{
	struct change change = {h->soc, h->id, false};
	const struct soc_tables tables = {h->satp, &change, read_changed_entry};
	struct soc_translation t = {pc, 2, SOC_FETCH, h->priv, 0, 0};

	if (!soc_follows_old(h->soc) || !soc_tables_changed(h->soc, h->id))
		return false;
	soc_translate_by(h->soc, h->id, &tables, &t);
	return change.found;
}
