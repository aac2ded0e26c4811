/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomics that the interpreter's fast path cannot do. */
#include <string.h>

#include "internal.h"

enum soc_result soc_raise(struct soc_hart *h, unsigned cause, uint64_t tval)
{
	h->cause = cause;
	h->tval = tval;
	return SOC_TRAP;
}

static unsigned data_priv(const struct soc_hart *h)
{
	if (h->priv == SOC_M && (h->mstatus & SOC_MSTATUS_MPRV))
		return h->mstatus >> SOC_MPP_SHIFT & 3U;
	return h->priv;
}

/* Physical address of an aligned access; false: the trap is set. */
static bool locate(struct soc_hart *h, uint64_t va, unsigned size, enum soc_kind kind,
		   uint64_t *pa)
{
	bool store = kind == SOC_STORE;
	unsigned priv = data_priv(h);
	unsigned cause = store ? SOC_CAUSE_STORE_ALIGN : SOC_CAUSE_LOAD_ALIGN;

	if ((va & (size - 1)) == 0) {
		cause = soc_mmu(h, va, kind, priv, pa);
		if (!cause && !soc_pmp_allows(h, *pa, size, kind, priv))
			cause = store ? SOC_CAUSE_STORE_ACCESS : SOC_CAUSE_LOAD_ACCESS;
	}
	if (cause)
		soc_raise(h, cause, va);
	return cause == 0;
}

/* The next access to this page may go the fast way, unless someone watches, or
 * code is there that a store would change. */
static void remember(struct soc_hart *h, uint64_t va, uint64_t pa, bool store)
{
	struct soc_tlb *e = store ? h->store : h->load;
	uint64_t offset = pa - SOC_RAM_BASE;

	if (h->soc->hooks.access || soc_pmp_splits(h, pa))
		return;
	if (store && h->soc->blocks.pages[offset >> SOC_PAGE_BITS].lines)
		return;
	e += va >> SOC_PAGE_BITS & (SOC_TLB - 1);
	e->tag = va & SOC_PAGE_MASK;
	e->delta = (uintptr_t)h->soc->ram + (uintptr_t)offset - (uintptr_t)va;
}

static void report(struct soc_hart *h, uint64_t pa, uint64_t value, unsigned size,
		   bool write)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	struct soc_access access = {.address = pa,
				    .value = value,
				    .size = (uint8_t)size,
				    .write = write,
				    .device = !soc_in_ram(h->soc, pa, size)};

	if (hooks->access)
		hooks->access(hooks->user, h->id, &access);
}

static enum soc_result after_device(struct soc *soc)
{
	bool attention = soc->attention;

	soc->attention = false;
	return attention ? SOC_LEAVE : SOC_DONE;
}

static bool device_load(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t *value)
{
	const struct soc_follow *f = &h->soc->follow;
	uint64_t theirs = 0;

	if (!f->mmio_load || !f->mmio_load(f->user, h->id, pa, size, &theirs))
		return soc_bus_load(h, pa, size, value);
	*value = theirs;
	return true;
}

static bool device_store(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t value)
{
	const struct soc_follow *f = &h->soc->follow;

	if (f->mmio_store && f->mmio_store(f->user, h->id, pa, size, value))
		return true;
	return soc_bus_store(h, pa, size, value);
}

enum soc_result soc_load_slow(struct soc_hart *h, uint64_t va, unsigned size,
			      uint64_t *value)
{
	uint64_t pa;

	*value = 0;
	if (!locate(h, va, size, SOC_LOAD, &pa))
		return SOC_TRAP;
	if (soc_in_ram(h->soc, pa, size)) {
		remember(h, va, pa, false);
		memcpy(value, h->soc->ram + (pa - SOC_RAM_BASE), size);
	} else if (!device_load(h, pa, size, value)) {
		return soc_raise(h, SOC_CAUSE_LOAD_ACCESS, va);
	}
	report(h, pa, *value, size, false);
	return after_device(h->soc);
}

/* Writes RAM; true when code was there. */
static bool put(struct soc *soc, uint64_t pa, unsigned size, uint64_t value)
{
	memcpy(soc->ram + (pa - SOC_RAM_BASE), &value, size);
	return soc_code_written(soc, pa, size);
}

enum soc_result soc_store_slow(struct soc_hart *h, uint64_t va, unsigned size,
			       uint64_t value)
{
	uint64_t pa;
	bool code = false;

	if (!locate(h, va, size, SOC_STORE, &pa))
		return SOC_TRAP;
	h->reserved = SOC_NEVER;
	if (soc_in_ram(h->soc, pa, size)) {
		remember(h, va, pa, true);
		code = put(h->soc, pa, size, value);
	} else if (!device_store(h, pa, size, value)) {
		return soc_raise(h, SOC_CAUSE_STORE_ACCESS, va);
	}
	report(h, pa, value, size, true);
	return code ? SOC_LEAVE : after_device(h->soc);
}

static uint64_t extend(uint64_t value, unsigned size)
{
	return size == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : value;
}

static void set_rd(struct soc_hart *h, uint32_t bits, uint64_t value)
{
	if (bits >> 7 & 31U)
		h->x[bits >> 7 & 31U] = value;
}

/* Their value for rd, if the hart follows another machine that has one. */
static void supply(const struct soc_hart *h, uint64_t pa, unsigned size, uint64_t *value)
{
	const struct soc_follow *f = &h->soc->follow;
	uint64_t theirs = *value;

	if (f->atomic && f->atomic(f->user, h->id, pa, size, &theirs))
		*value = theirs;
}

static enum soc_result load_reserved(struct soc_hart *h, uint32_t bits, uint64_t pa,
				     unsigned size)
{
	uint64_t value = 0;

	memcpy(&value, h->soc->ram + (pa - SOC_RAM_BASE), size);
	supply(h, pa, size, &value);
	report(h, pa, value, size, false);
	h->reserved = pa & ~(uint64_t)(SOC_LR_BYTES - 1);
	set_rd(h, bits, extend(value, size));
	return SOC_DONE;
}

static enum soc_result store_conditional(struct soc_hart *h, uint32_t bits, uint64_t pa,
					 unsigned size)
{
	uint64_t failed = h->reserved != (pa & ~(uint64_t)(SOC_LR_BYTES - 1));
	uint64_t value = h->x[bits >> 20 & 31U];
	bool code = false;

	supply(h, pa, size, &failed);
	h->reserved = SOC_NEVER;
	if (!failed) {
		code = put(h->soc, pa, size, value);
		report(h, pa, value, size, true);
	}
	set_rd(h, bits, failed);
	return code ? SOC_LEAVE : SOC_DONE;
}

static uint64_t combine(uint32_t f5, uint64_t old, uint64_t value)
{
	switch (f5) {
	case 0:
		return old + value;
	case 1:
		return value;
	case 4:
		return old ^ value;
	case 8:
		return old | value;
	case 12:
		return old & value;
	case 16:
		return (int64_t)old < (int64_t)value ? old : value;
	case 20:
		return (int64_t)old > (int64_t)value ? old : value;
	case 24:
		return old < value ? old : value;
	default:
		return old > value ? old : value;
	}
}

static enum soc_result modify(struct soc_hart *h, uint32_t bits, uint64_t pa,
			      unsigned size)
{
	uint64_t old = 0, value = extend(h->x[bits >> 20 & 31U], size);
	bool code;

	memcpy(&old, h->soc->ram + (pa - SOC_RAM_BASE), size);
	supply(h, pa, size, &old);
	report(h, pa, old, size, false);
	old = extend(old, size);
	value = combine(bits >> 27, old, value);
	h->reserved = SOC_NEVER;
	code = put(h->soc, pa, size, value);
	report(h, pa, value, size, true);
	set_rd(h, bits, old);
	return code ? SOC_LEAVE : SOC_DONE;
}

/* As locate, but by the fast path where that knows the page. */
static bool locate_atomic(struct soc_hart *h, uint64_t va, unsigned size, bool store,
			  uint64_t *pa)
{
	const struct soc_tlb *e = store ? h->store : h->load;
	uintptr_t base = (uintptr_t)h->soc->ram;

	e += va >> SOC_PAGE_BITS & (SOC_TLB - 1);
	if (e->tag == (va & (SOC_PAGE_MASK | (size - 1)))) {
		*pa = (uintptr_t)va + e->delta - base + SOC_RAM_BASE;
		return true;
	}
	if (!locate(h, va, size, store ? SOC_STORE : SOC_LOAD, pa))
		return false;
	if (soc_in_ram(h->soc, *pa, size))
		remember(h, va, *pa, store);
	return true;
}

enum soc_result soc_atomic(struct soc_hart *h, uint32_t bits)
{
	unsigned size = 1U << (bits >> 12 & 7U);
	uint64_t va = h->x[bits >> 15 & 31U], pa;
	uint32_t f5 = bits >> 27;
	bool load = f5 == 2;

	if (!locate_atomic(h, va, size, !load, &pa))
		return SOC_TRAP;
	if (!soc_in_ram(h->soc, pa, size))
		return soc_raise(h, load ? SOC_CAUSE_LOAD_ACCESS : SOC_CAUSE_STORE_ACCESS,
				 va);
	if (load)
		return load_reserved(h, bits, pa, size);
	if (f5 == 3)
		return store_conditional(h, bits, pa, size);
	return modify(h, bits, pa, size);
}
