/* SPDX-License-Identifier: Apache-2.0 */
/* Pages and page tables. Free pages are reused last-in, first-out, so a new address space
 * tends to get the root page of the one that ended just before. */
#include "supervisor.h"

#include <string.h>

#include "../csr.h"
#include "soc.h"

enum { PTE_V = 1, PTE_U = 0x10, PTE_A = 0x40, PTE_D = 0x80 };

#define SATP_SV39 (8UL << 60)

struct free_page {
	struct free_page *next;
};
static struct free_page *free_pages;
static uint8_t *fresh_pages; /* all pages from here on are unused */

static pte_t pte_of(const void *page, unsigned flags)
{
	return ((uint64_t)page - KERNEL_OFFSET) >> 2 | flags | PTE_V;
}

static pte_t *page_of(pte_t pte)
{
	return (pte_t *)((pte >> 10 << 12) + KERNEL_OFFSET);
}

void memory_init(void)
{
	fresh_pages = image_end;
	kernel_root[2] = 0; /* start.S needed it */
	__asm__ volatile("sfence.vma" : : : "memory");
}

void *page_alloc(void)
{
	void *page = free_pages;

	if (free_pages) {
		free_pages = free_pages->next;
	} else {
		page = fresh_pages;
		fresh_pages += PAGE_SIZE;
		if ((uint64_t)fresh_pages - KERNEL_OFFSET >
		    SOC_RAM_BASE + SOC_RAM_DEFAULT_SIZE)
			panic("out of memory");
	}
	return memset(page, 0, PAGE_SIZE);
}

static void page_free(void *page)
{
	struct free_page *entry = page;

	entry->next = free_pages;
	free_pages = entry;
}

uint64_t space_create(pte_t **root, uint32_t asid)
{
	pte_t *table = page_alloc();

	memcpy(table + 256, kernel_root + 256, 256 * sizeof(pte_t));
	*root = table;
	__asm__ volatile("sfence.vma zero, %0" : : "r"((uint64_t)asid) : "memory");
	return SATP_SV39 | (uint64_t)asid << 44 |
	       ((uint64_t)table - KERNEL_OFFSET) / PAGE_SIZE;
}

/* Frees everything that entries 0 to `count` of a table point to; `level` is the table's
 * height above the pages. */
static void free_entries(pte_t *table, unsigned count, unsigned level)
{
	for (unsigned i = 0; i < count; i++) {
		if (!(table[i] & PTE_V))
			continue;
		if (level > 0)
			free_entries(page_of(table[i]), 512, level - 1);
		page_free(page_of(table[i]));
	}
}

void space_free(pte_t *root)
{
	free_entries(root, 256, 2);
	page_free(root);
}

static pte_t *walk(pte_t *table, uint64_t address, bool create)
{
	for (unsigned shift = 30; shift > 12; shift -= 9) {
		pte_t *entry = table + (address >> shift & 511);
		if (!(*entry & PTE_V)) {
			if (!create)
				return NULL;
			*entry = pte_of(page_alloc(), 0);
		}
		table = page_of(*entry);
	}
	return table + (address >> 12 & 511);
}

void space_map(pte_t *root, uint64_t address, void *page, unsigned flags)
{
	*walk(root, address, true) = pte_of(page, flags | PTE_U | PTE_A | PTE_D);
	__asm__ volatile("sfence.vma %0, zero" : : "r"(address) : "memory");
	if (flags & PTE_X)
		__asm__ volatile("fence.i" : : : "memory");
}

bool space_mapped(pte_t *root, uint64_t address)
{
	pte_t *entry = walk(root, address, false);

	return entry && (*entry & PTE_V);
}
