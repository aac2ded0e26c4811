/* SPDX-License-Identifier: Apache-2.0 */
/* Physical memory protection: eight entries of four-byte granularity. */
#include "csr.h"
#include "internal.h"

enum {
	R = 1,
	W = 2,
	X = 4,
	MODE = 0x18,
	TOR = 0x08,
	NA4 = 0x10,
	NAPOT = 0x18,
	LOCK = 0x80
};

/* Gets the first and last byte of an entry. Returns false if it is off or empty. */
static bool pmp_entry_range(const struct soc_hart *h, unsigned i, uint64_t *first,
			    uint64_t *last)
{
	uint64_t addr = h->pmpaddr[i], ones;

	switch (h->pmpcfg[i] & MODE) {
	case TOR:
		*first = i ? h->pmpaddr[i - 1] << 2 : 0;
		*last = (addr << 2) - 1;
		return *first < addr << 2;
	case NA4:
		*first = addr << 2;
		*last = *first + 3;
		return true;
	case NAPOT:
		ones = addr ^ (addr + 1);
		*first = (addr & ~ones) << 2;
		*last = *first | ones << 2 | 3;
		return true;
	default:
		return false;
	}
}

bool soc_pmp_allows(const struct soc_hart *h, uint64_t pa, unsigned size,
		    enum soc_kind kind, unsigned priv)
{
	static const uint8_t need[] = {[SOC_FETCH] = X, [SOC_LOAD] = R, [SOC_STORE] = W};
	uint64_t first, last, end = pa + size - 1;

	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++) {
		if (!pmp_entry_range(h, i, &first, &last) || end < first || pa > last)
			continue;
		if (pa < first || end > last)
			return false;
		if (priv == SOC_M && !(h->pmpcfg[i] & LOCK))
			return true;
		return h->pmpcfg[i] & need[kind];
	}
	return priv == SOC_M;
}

bool soc_pmp_splits(const struct soc_hart *h, uint64_t pa)
{
	uint64_t first, last, page = pa & SOC_PAGE_MASK, end = page + SOC_PAGE - 1;

	for (unsigned i = 0; i < SOC_PMP_ENTRIES; i++) {
		if (!pmp_entry_range(h, i, &first, &last) || end < first || page > last)
			continue;
		if (page < first || end > last)
			return true;
	}
	return false;
}

uint64_t soc_pmp_cfg(const struct soc_hart *h)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < 8; i++)
		value |= (uint64_t)h->pmpcfg[i] << (8 * i);
	return value;
}

bool soc_pmp_set_cfg(struct soc_hart *h, uint64_t value)
{
	bool changed = false;

	for (unsigned i = 0; i < 8; i++) {
		uint8_t cfg = (uint8_t)(value >> (8 * i)) & (LOCK | MODE | R | W | X);

		if (!(cfg & R)) /* W without R is reserved */
			cfg &= (uint8_t)~W;
		if ((h->pmpcfg[i] & LOCK) || h->pmpcfg[i] == cfg)
			continue;
		h->pmpcfg[i] = cfg;
		changed = true;
	}
	return changed;
}

bool soc_pmp_set_addr(struct soc_hart *h, unsigned i, uint64_t value)
{
	bool next_locks = i + 1 < SOC_PMP_ENTRIES && (h->pmpcfg[i + 1] & LOCK) &&
			  (h->pmpcfg[i + 1] & MODE) == TOR;

	value &= SOC_PMP_ADDR_MASK;
	if ((h->pmpcfg[i] & LOCK) || next_locks || h->pmpaddr[i] == value)
		return false;
	h->pmpaddr[i] = value;
	return true;
}
