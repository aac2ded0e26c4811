/* SPDX-License-Identifier: Apache-2.0 */
/* Address translation: Sv39 page-table walks, and caches of their results. */
#include <string.h>

#include "internal.h"
#include "satp.h"

enum { PTE_V = 1, PTE_R = 2, PTE_W = 4, PTE_X = 8, PTE_U = 16, PTE_A = 64, PTE_D = 128 };
#define PTE_PPN	     ((UINT64_C(1) << 44) - 1)
#define PTE_RESERVED (UINT64_C(0x3ff) << 54)
enum { NO_ENTRY = 64 };

static unsigned page_fault(enum soc_kind kind)
{
	static const uint8_t cause[] = {SOC_CAUSE_FETCH_PAGE, SOC_CAUSE_LOAD_PAGE,
					SOC_CAUSE_STORE_PAGE};
	return cause[kind];
}

static unsigned access_fault_cause(enum soc_kind kind)
{
	static const uint8_t cause[] = {SOC_CAUSE_FETCH_ACCESS, SOC_CAUSE_LOAD_ACCESS,
					SOC_CAUSE_STORE_ACCESS};
	return cause[kind];
}

static bool leaf_allows(const struct soc_hart *h, uint64_t pte, enum soc_kind kind,
			unsigned priv)
{
	if (pte & PTE_U
		? priv == SOC_S && (kind == SOC_FETCH || !(h->mstatus & SOC_MSTATUS_SUM))
		: priv == SOC_U)
		return false;
	if (!(pte & PTE_A))
		return false;
	switch (kind) {
	case SOC_FETCH:
		return pte & PTE_X;
	case SOC_LOAD:
		return (pte & PTE_R) || ((pte & PTE_X) && (h->mstatus & SOC_MSTATUS_MXR));
	default:
		return (pte & PTE_W) && (pte & PTE_D);
	}
}

/* A walk whose result may be cached: the entries that it has read. */
struct reads {
	struct soc *soc;
	uint64_t at[SV39_LEVELS];
	unsigned n;
};

/* Read an entry of the tables in RAM, for soc_tables.read(): in a walk whose result may
 * be cached, and in any other. */
static bool read_walk_entry(void *user, unsigned level, uint64_t at, uint64_t *pte)
{
	struct reads *reads = user;

	(void)level;
	soc_table_read(reads->soc, at);
	reads->at[reads->n++] = at;
	memcpy(pte, reads->soc->ram + (at - SOC_RAM_BASE), sizeof(*pte));
	return true;
}

static bool look_at_entry(void *user, unsigned level, uint64_t at, uint64_t *pte)
{
	const struct soc *soc = user;

	(void)level;
	memcpy(pte, soc->ram + (at - SOC_RAM_BASE), sizeof(*pte));
	return true;
}

/* Walks the page tables. Returns 0 with the leaf and its level, SOC_CAUSE_FETCH_PAGE for
 * any page fault, SOC_CAUSE_FETCH_ACCESS for a table outside RAM or (if `strict`) denied
 * by PMP, or NO_ENTRY. */
static unsigned walk_page_tables(const struct soc_hart *h,
				 const struct soc_tables *tables, uint64_t va,
				 bool strict, uint64_t *leaf, int *level)
{
	uint64_t table = satp_root_of(tables->satp), pte;

	if ((uint64_t)((int64_t)(va << 25) >> 25) != va)
		return SOC_CAUSE_FETCH_PAGE;
	for (int i = SV39_LEVELS - 1; i >= 0; i--) {
		uint64_t at = table + (va >> (12 + 9 * i) & 511) * 8;

		if (!soc_in_ram(h->soc, at, 8) ||
		    (strict && !soc_pmp_allows(h, at, 8, SOC_LOAD, SOC_S)))
			return SOC_CAUSE_FETCH_ACCESS;
		if (!tables->read(tables->user, (unsigned)i, at, &pte))
			return NO_ENTRY;
		if (!(pte & PTE_V) || (pte & PTE_RESERVED) ||
		    (pte & (PTE_R | PTE_W)) == PTE_W)
			return SOC_CAUSE_FETCH_PAGE;
		if (pte & (PTE_R | PTE_X)) {
			*leaf = pte;
			*level = i;
			return 0;
		}
		if (pte & (PTE_A | PTE_D | PTE_U))
			return SOC_CAUSE_FETCH_PAGE;
		table = (pte >> 10 & PTE_PPN) << 12;
	}
	return SOC_CAUSE_FETCH_PAGE;
}

/* Gets the physical address under a leaf. Returns false for a misaligned superpage. */
static bool leaf_address(uint64_t pte, int level, uint64_t va, uint64_t *pa)
{
	uint64_t low = (UINT64_C(1) << (9 * level)) - 1;
	uint64_t ppn = pte >> 10 & PTE_PPN;

	if (ppn & low)
		return false;
	*pa = (ppn << 12) | (va & (low << 12 | (SOC_PAGE - 1)));
	return true;
}

static unsigned translate_with_tables(const struct soc_hart *h,
				      const struct soc_tables *tables, uint64_t va,
				      enum soc_kind kind, unsigned priv, uint64_t *pa)
{
	uint64_t pte;
	int level;

	*pa = va;
	if (priv == SOC_M || satp_mode_of(tables->satp) == SATP_BARE)
		return 0;
	unsigned fault = walk_page_tables(h, tables, va, true, &pte, &level);
	if (fault == SOC_CAUSE_FETCH_ACCESS)
		return access_fault_cause(kind);
	if (fault == NO_ENTRY)
		return NO_ENTRY;
	if (fault || !leaf_allows(h, pte, kind, priv) ||
	    !leaf_address(pte, level, va, pa))
		return page_fault(kind);
	return 0;
}

unsigned soc_mmu(const struct soc_hart *h, uint64_t va, enum soc_kind kind, unsigned priv,
		 uint64_t *pa)
{
	struct reads reads = {.soc = h->soc};
	const struct soc_tables tables = {h->satp, &reads, read_walk_entry};
	unsigned cause = translate_with_tables(h, &tables, va, kind, priv, pa);

	for (unsigned i = 0; cause == 0 && i < reads.n; i++) {
		soc_table_used(h->soc, reads.at[i]);
		soc_use_data(h, reads.at[i], false);
	}
	return cause;
}

bool soc_translate_by(const struct soc *soc, unsigned hart,
		      const struct soc_tables *tables, struct soc_translation *t)
{
	const struct soc_hart *h = &soc->harts[hart];

	t->cause =
	    translate_with_tables(h, tables, t->address, t->kind, t->priv, &t->physical);
	if (t->cause == NO_ENTRY)
		return false;
	if (t->cause == 0 &&
	    (!soc_pmp_allows(h, t->physical, t->size, t->kind, t->priv) ||
	     (t->kind == SOC_FETCH && !soc_in_ram(soc, t->physical, t->size))))
		t->cause = access_fault_cause(t->kind);
	return true;
}

bool soc_translate(const struct soc *soc, unsigned hart, uint64_t address,
		   uint64_t *physical)
{
	const struct soc_hart *h = &soc->harts[hart];
	const struct soc_tables tables = {h->satp, h->soc, look_at_entry};
	uint64_t pte;
	int level;

	*physical = address;
	if (h->priv == SOC_M || satp_mode_of(h->satp) == SATP_BARE)
		return true;
	return walk_page_tables(h, &tables, address, false, &pte, &level) == 0 &&
	       leaf_address(pte, level, address, physical);
}

/* Returns a number that identifies fetches of this privilege and satp since the last
 * flush. */
static uint64_t fetch_context_of(struct soc_hart *h)
{
	uint64_t satp = h->priv == SOC_M ? 0 : h->satp;
	struct soc_context *c;

	for (unsigned i = 0; i < SOC_CONTEXTS; i++) {
		c = &h->contexts[i];
		if (c->context && c->priv == h->priv && c->satp == satp)
			return c->context;
	}
	c = &h->contexts[h->next_context++ % SOC_CONTEXTS];
	*c = (struct soc_context){satp, ++h->epoch, h->priv};
	return c->context;
}

void soc_mmu_switch(struct soc_hart *h)
{
	unsigned priv = h->priv;
	enum soc_regime regime = SOC_REGIME_U;

	h->context = fetch_context_of(h);
	if (h->mstatus & SOC_MSTATUS_MPRV && priv == SOC_M)
		priv = h->mstatus >> SOC_MPP_SHIFT & 3U;
	if (priv == SOC_M)
		regime = SOC_REGIME_M;
	else if (priv == SOC_S)
		regime = h->mstatus & SOC_MSTATUS_SUM ? SOC_REGIME_S_SUM : SOC_REGIME_S;
	h->load = h->tlb[regime].load;
	h->store = h->tlb[regime].store;
}

void soc_mmu_flush_data(struct soc_hart *h)
{
	memset(h->tlb, 0xff, sizeof(h->tlb));
}

void soc_translate_anew(struct soc *soc, unsigned hart)
{
	soc_mmu_flush_data(&soc->harts[hart]);
}

void soc_mmu_forget(struct soc_hart *h)
{
	memset(h->contexts, 0, sizeof(h->contexts));
	soc_mmu_switch(h);
}

void soc_mmu_flush(struct soc_hart *h)
{
	soc_mmu_flush_data(h);
	soc_mmu_forget(h);
}

bool soc_fetch(struct soc_hart *h, uint64_t pc, uint64_t *phys, bool *loose)
{
	struct soc_fetch *f = &h->fetch[pc >> SOC_PAGE_BITS & (SOC_FETCH_TLB - 1)];
	uint64_t page = pc & SOC_PAGE_MASK, pa;

	if (f->page == page && f->context == h->context) {
		*phys = f->phys | (pc & (SOC_PAGE - 1));
		return true;
	}
	unsigned cause = soc_mmu(h, pc, SOC_FETCH, h->priv, &pa);
	if (!cause &&
	    (!soc_in_ram(h->soc, pa, 2) || !soc_pmp_allows(h, pa, 2, SOC_FETCH, h->priv)))
		cause = SOC_CAUSE_FETCH_ACCESS;
	if (cause) {
		soc_raise(h, cause, pc);
		return false;
	}
	*phys = pa;
	if (soc_pmp_splits(h, pa))
		*loose = true;
	else
		*f = (struct soc_fetch){page, h->context, pa & SOC_PAGE_MASK};
	return true;
}
