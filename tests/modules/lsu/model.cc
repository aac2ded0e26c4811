// SPDX-License-Identifier: Apache-2.0
// What accesses do.
#include "model.h"

uint64_t *word_at(struct model *m, uint64_t address)
{
	uint64_t key = address / 8;

	return &m->words.emplace(key, key * UINT64_C(0x9e3779b97f4a7c15)).first->second;
}

// Privileged, 4.3.1: U, SUM and MXR; the flags have the rest.
bool page_allows(const struct model *m, const struct page *p, bool write)
{
	bool by_mode = m->hart.priv == PRIV_U
			   ? p->flags & USER
			   : p->flags & SUPERVISOR || (p->flags & USER && m->hart.sum);
	bool readable = p->flags & R || (p->flags & XR && m->hart.mxr);

	return by_mode && (write ? p->flags & W : readable);
}

// Unprivileged, 8.4; operands of 32 bits are sign-extended.
static uint64_t combine(const struct access *a, uint64_t old, uint64_t data)
{
	int64_t s_old = (int64_t)old, s_data = (int64_t)data;

	switch (a->amo) {
	case 0x00:
		return old + data;
	case 0x01:
		return data;
	case 0x04:
		return old ^ data;
	case 0x08:
		return old | data;
	case 0x0c:
		return old & data;
	case 0x10:
		return s_old < s_data ? old : data;
	case 0x14:
		return s_old > s_data ? old : data;
	case 0x18:
		return old < data ? old : data;
	default:
		return old > data ? old : data;
	}
}

uint64_t extend_loaded(uint64_t value, unsigned size, bool is_unsigned)
{
	unsigned unused = 64 - (8U << size);

	if (is_unsigned)
		return value << unused >> unused;
	return (uint64_t)((int64_t)(value << unused) >> unused);
}

uint64_t load_value(struct model *m, const struct access *a, uint64_t pa)
{
	return extend_loaded(*word_at(m, pa) >> 8 * (pa % 8), a->size, a->is_unsigned);
}

uint64_t word_after(struct model *m, const struct access *a, uint64_t pa)
{
	uint64_t mask =
	    (a->size == 3 ? ~UINT64_C(0) : (UINT64_C(1) << (8U << a->size)) - 1)
	    << 8 * (pa % 8);
	uint64_t data = a->data;

	if (a->op == AMO)
		data = combine(a, load_value(m, a, pa),
			       extend_loaded(a->data, a->size, false));
	return (*word_at(m, pa) & ~mask) | (data << 8 * (pa % 8) & mask);
}

// Unprivileged, 8.2: an SC succeeds if the reservation holds, and has this line.
bool sc_succeeds(const struct model *m, uint64_t pa)
{
	return m->reserved && m->line == pa / 64;
}
