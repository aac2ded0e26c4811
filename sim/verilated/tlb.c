/* SPDX-License-Identifier: Apache-2.0 */
#include "tlb.h"

#include <string.h>

#include "model/satp.h"

static uint64_t page_number_of(uint64_t address)
{
	return address >> 12;
}

/* Returns whether a TLB may have been filled from this page. */
static bool passes_filter(const struct tlb *t, uint64_t page)
{
	return t->filter[page / 64 % (TLB_FILTER / 64)] >> page % 64 & 1;
}

static void fill_filter(struct tlb *t)
{
	memset(t->filter, 0, sizeof(t->filter));
	for (unsigned i = 0; i < TLB_ENTRIES; i++) {
		for (unsigned k = 0; k < t->levels[i]; k++) {
			uint64_t page = page_number_of(t->path[i][k]);

			t->filter[page / 64 % (TLB_FILTER / 64)] |= UINT64_C(1)
								    << page % 64;
		}
	}
}

static bool is_in_page(const uint64_t *path, unsigned n, uint64_t page)
{
	for (unsigned k = 0; k < n; k++)
		if (page_number_of(path[k]) == page)
			return true;
	return false;
}

/* Returns whether the TLB was filled from this page. */
static bool has_table(const struct tlb *t, uint64_t page)
{
	if (!passes_filter(t, page))
		return false;
	for (unsigned i = 0; i < TLB_ENTRIES; i++)
		if (is_in_page(t->path[i], t->levels[i], page))
			return true;
	return false;
}

static void set_watch(struct tlb *t, unsigned entry, unsigned watch)
{
	const uint64_t bit = UINT64_C(1) << entry;

	t->watch[entry] = (uint8_t)watch;
	t->tables = watch & TLB_TABLE ? t->tables | bit : t->tables & ~bit;
	t->old = watch & TLB_OLD ? t->old | bit : t->old & ~bit;
}

/* Watches the entries that give a page with page tables. */
static void watch_table(struct tlb *t, uint64_t table)
{
	for (unsigned i = 0; i < TLB_ENTRIES; i++)
		if (t->page[i] == table)
			set_watch(t, i, t->watch[i] | TLB_TABLE);
}

void tlb_fill(struct tlb *t, uint64_t page)
{
	struct tlb *other = t;

	t->page[t->set] = page;
	t->levels[t->set] = t->nwalk;
	memcpy(t->path[t->set], t->walk, sizeof(t->walk));
	set_watch(t, t->set, t->raced ? TLB_OLD : 0);
	fill_filter(t);
	do {
		if (has_table(other, page))
			set_watch(t, t->set, t->watch[t->set] | TLB_TABLE);
		for (unsigned k = 0; k < t->nwalk; k++)
			watch_table(other, page_number_of(t->walk[k]));
		other = other->next;
	} while (other != t);
}

unsigned tlb_find(const struct tlb *t, uint64_t address)
{
	unsigned found = TLB_ENTRIES;

	for (unsigned i = 0; i < TLB_ENTRIES; i++)
		if (t->watch[i] > t->watch[found] &&
		    t->page[i] == page_number_of(address))
			found = i;
	return found;
}

static bool watches_page(const struct tlb *t, uint64_t page)
{
	for (uint64_t left = t->tables | t->old; left; left &= left - 1)
		if (t->page[__builtin_ctzll(left)] == page)
			return true;
	return false;
}

bool tlb_concerns(const struct tlb *t, uint64_t address, bool stores)
{
	const uint64_t page = page_number_of(address);

	return t->next != t || watches_page(t, page) ||
	       (stores && (t->walks || passes_filter(t, page)));
}

/* Returns whether both tables have the same entry at these addresses. */
static bool is_same_entry(const struct tlb_machine *machine, uint64_t one, uint64_t other)
{
	uint64_t a, b;

	return machine->read(machine->user, one, &a) &&
	       machine->read(machine->user, other, &b) && a == b;
}

void tlb_switch(struct tlb *t, uint64_t satp, const struct tlb_machine *machine)
{
	uint64_t root = satp_root_of(satp);
	struct tlb *other = t;

	if (satp_mode_of(satp) != SATP_SV39)
		return;
	for (unsigned i = 0; i < TLB_ENTRIES; i++) {
		uint64_t *first = &t->path[i][0], now = root | (*first & 0xff8);

		if (!t->levels[i] || *first == now ||
		    !machine->serves(machine->user, i, satp_asid_of(satp)))
			continue;
		if (is_same_entry(machine, *first, now))
			*first = now;
		else
			set_watch(t, i, t->watch[i] | TLB_OLD);
	}
	fill_filter(t);
	do {
		watch_table(other, page_number_of(root));
		other = other->next;
	} while (other != t);
}

static bool is_hit(const uint64_t *path, unsigned n, uint64_t address, uint64_t size)
{
	for (unsigned k = 0; k < n; k++)
		if (path[k] + 8 > address && path[k] < address + size)
			return true;
	return false;
}

/* Entries filled from a page-table entry just written become old; those of this page that
 * the hardware has flushed are forgotten. Returns whether the page has page tables still,
 * or may have. */
static bool note_table_write(struct tlb *t, uint64_t address, uint64_t size)
{
	bool left = t->walks, forgets = false;

	for (unsigned i = 0; i < TLB_ENTRIES; i++) {
		if (!is_in_page(t->path[i], t->levels[i], page_number_of(address)))
			continue;
		if (*t->valid >> i & 1) {
			left = true;
			if (is_hit(t->path[i], t->levels[i], address, size))
				set_watch(t, i, t->watch[i] | TLB_OLD);
		} else {
			forgets = true;
			t->levels[i] = 0;
			set_watch(t, i, 0);
		}
	}
	if (forgets)
		fill_filter(t);
	return left;
}

bool tlb_written(struct tlb *t, uint64_t address, uint64_t size)
{
	struct tlb *other = t;
	bool left = false;

	do {
		other->raced |=
		    other->walks && is_hit(other->walk, other->nwalk, address, size);
		if (passes_filter(other, page_number_of(address)))
			left |= note_table_write(other, address, size);
		other = other->next;
	} while (other != t);
	return left;
}

void tlb_stored(struct tlb *t, uint64_t address, uint64_t size)
{
	if (!tlb_written(t, address, size) && t->uses[1] < TLB_ENTRIES)
		set_watch(t, t->uses[1], t->watch[t->uses[1]] & TLB_OLD);
}
