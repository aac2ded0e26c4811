/* SPDX-License-Identifier: Apache-2.0 */
/* Code that a followed machine may still execute after memory changed, until fence.i: the
 * lines that were written are tracked, and their instructions looked up one by one. The
 * same for pages whose page-table entries were written, until sfence.vma. */
#include <string.h>

#include "internal.h"
#include "stream/insn.h"

/* Adds a page to those with old code. */
static void add_old_page(struct soc *soc, struct soc_code_page *page)
{
	struct soc_blocks *c = &soc->blocks;

	if (!(page->gone | page->changed))
		c->old[c->nold++] = (uint32_t)(page - c->pages);
	page->fences = c->fences;
}

void soc_old_gone(struct soc *soc, struct soc_code_page *page)
{
	if (!soc_follows_old(soc))
		return;
	add_old_page(soc, page);
	page->gone |= page->lines;
}

void soc_old_changed(struct soc *soc, struct soc_code_page *page, uint64_t lines)
{
	if (!soc_follows_old(soc))
		return;
	add_old_page(soc, page);
	page->changed |= lines;
}

/* Forgets the pages since whose last change all harts have executed fence.i. */
static void forget_fenced_pages(struct soc *soc)
{
	struct soc_blocks *c = &soc->blocks;
	uint64_t all = c->fences;
	size_t left = 0;

	for (unsigned i = 0; i < soc->nharts; i++)
		if (c->fenced[i] < all)
			all = c->fenced[i];
	for (size_t i = 0; i < c->nold; i++) {
		struct soc_code_page *page = &c->pages[c->old[i]];

		if (page->fences >= all) {
			c->old[left++] = c->old[i];
			continue;
		}
		soc_blocks_drop(soc, page);
		page->gone = page->changed = 0;
	}
	for (unsigned i = 0; i < soc->nharts && left < c->nold; i++)
		soc_mmu_forget(&soc->harts[i]);
	c->nold = left;
}

void soc_old_fence(struct soc_hart *h, uint32_t insn)
{
	const struct soc_follow *f = &h->soc->follow;
	struct soc_blocks *c = &h->soc->blocks;

	if (!f->fence)
		return;
	f->fence(f->user, h->id, insn);
	if (tr_insn_opcode(insn) == TR_OPCODE_SYSTEM)
		return;
	c->fenced[h->id] = ++c->fences;
	forget_fenced_pages(h->soc);
}

static const struct soc_code_page *code_page_at(const struct soc *soc, uint64_t phys)
{
	return &soc->blocks.pages[(phys - SOC_RAM_BASE) >> SOC_PAGE_BITS];
}

bool soc_may_be_old(const struct soc *soc, uint64_t address)
{
	if (!soc_in_ram(soc, address, 1))
		return false;
	const struct soc_code_page *page = code_page_at(soc, address);
	return page->lines | page->gone | page->changed || soc_is_table(soc, address);
}

struct soc_code_lines soc_code_lines(const struct soc *soc, uint64_t address)
{
	const struct soc_code_page *page = code_page_at(soc, address);

	return (struct soc_code_lines){page->lines | page->gone, page->changed};
}

void soc_set_code_lines(struct soc *soc, uint64_t address, struct soc_code_lines lines)
{
	uint64_t offset = address - SOC_RAM_BASE;
	struct soc_code_page *page = &soc->blocks.pages[offset >> SOC_PAGE_BITS];

	if (!(lines.fetched | lines.written))
		return;
	add_old_page(soc, page);
	page->gone = lines.fetched;
	page->changed = lines.written;
}

void soc_old_reset(struct soc *soc)
{
	struct soc_blocks *c = &soc->blocks;

	for (size_t i = 0; i < c->nold; i++)
		c->pages[c->old[i]].gone = c->pages[c->old[i]].changed = 0;
	c->nold = 0;
	for (unsigned i = 0; i < soc->nharts; i++)
		soc->harts[i].old.pc = SOC_NEVER;
}

/* The instruction may have 4 bytes. */
bool soc_old_at(const struct soc *soc, uint64_t phys)
{
	uint64_t last = phys | (SOC_PAGE - 1);

	if (!soc->blocks.nold)
		return false;
	if (phys + 2 < last)
		last = phys + 2;
	uint64_t changed = code_page_at(soc, phys)->changed;
	return (changed >> (phys >> 6 & 63) | changed >> (last >> 6 & 63)) & 1;
}

/* Reads the instruction in memory. Returns false with cause and tval set. */
static bool read_insn(struct soc_hart *h, uint64_t pc, uint64_t phys, uint32_t *insn)
{
	uint64_t second;
	bool loose;

	*insn = 0;
	memcpy(insn, h->soc->ram + (phys - SOC_RAM_BASE), 2);
	if ((*insn & 3) != 3)
		return true;
	if (!soc_fetch(h, pc + 2, &second, &loose))
		return false;
	memcpy((uint8_t *)insn + 2, h->soc->ram + (second - SOC_RAM_BASE), 2);
	return true;
}

struct soc_block *soc_old_find(struct soc_hart *h, uint64_t pc, uint64_t phys)
{
	const struct soc_follow *f = &h->soc->follow;
	struct soc_fetched got = {.pc = pc};
	uint32_t now = 0;

	if (phys == SOC_NEVER || !read_insn(h, pc, phys, &now)) {
		got.cause = (unsigned)h->cause;
		got.tval = h->tval;
	}
	got.insn = now;
	h->old.pc = SOC_NEVER;
	if (!h->event) {
		h->now = h->end_cycle - (uint64_t)h->left;
		if (f->fetch(f->user, h->id, &got)) {
			h->old.pc = pc;
			h->old.context = h->context;
			h->old.insn = got.insn;
		}
	}
	if (got.cause) {
		soc_raise(h, got.cause, got.tval);
		return NULL;
	}
	if (phys == SOC_NEVER) /* the block needs some place */
		phys = SOC_RAM_BASE | (pc & (SOC_PAGE - 1));
	if (got.insn != now) /* what is decoded there is not that in memory */
		soc_old_changed(
		    h->soc, &h->soc->blocks.pages[(phys - SOC_RAM_BASE) >> SOC_PAGE_BITS],
		    UINT64_C(1) << (phys >> 6 & 63));
	return soc_block_at(h->soc, phys, got.insn);
}
