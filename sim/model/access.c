/* SPDX-License-Identifier: Apache-2.0 */
/* Loads, stores and atomics on the interpreter's slow path. */
#include <string.h>

#include "internal.h"

enum soc_result soc_raise(struct soc_hart *h, unsigned cause, uint64_t tval)
{
	h->cause = cause;
	h->tval = tval;
	return SOC_TRAP;
}

uint32_t soc_bits_at_pc(struct soc_hart *h)
{
	uint32_t bits = 0;

	if (h->event)
		return h->event->insn;
	if (h->old.pc == h->pc && h->old.context == h->context)
		return h->old.insn;
	for (unsigned i = 0; i < 2 && (i == 0 || (bits & 3U) == 3U); i++) {
		uint64_t phys;
		uint16_t half;
		bool loose;

		if (!soc_fetch(h, h->pc + 2U * i, &phys, &loose))
			break;
		memcpy(&half, h->soc->ram + (phys - SOC_RAM_BASE), sizeof(half));
		bits |= (uint32_t)half << (16 * i);
	}
	return bits;
}

static unsigned data_priv(const struct soc_hart *h)
{
	if (h->priv == SOC_M && (h->mstatus & SOC_MSTATUS_MPRV))
		return h->mstatus >> SOC_MPP_SHIFT & 3U;
	return h->priv;
}

/* Returns whether each access is followed, also to a page that is known. */
static bool observes_accesses(const struct soc_hart *h)
{
	return h->event || h->soc->hooks.access;
}

/* Returns whether each access takes the slow path. */
static bool reports_accesses(const struct soc_hart *h)
{
	return observes_accesses(h) || h->soc->hooks.data;
}

static struct soc_tlb *tlb_entry(struct soc_hart *h, uint64_t va, enum soc_kind kind)
{
	struct soc_tlb *e = kind == SOC_STORE ? h->store : h->load;

	return &e[va >> SOC_PAGE_BITS & (SOC_TLB - 1)];
}

static uint64_t ram_address(const struct soc_hart *h, uint64_t va,
			    const struct soc_tlb *e)
{
	return (uintptr_t)va + e->delta - (uintptr_t)h->soc->ram + SOC_RAM_BASE;
}

static unsigned data_access_cause(enum soc_kind kind)
{
	return kind == SOC_STORE ? SOC_CAUSE_STORE_ACCESS : SOC_CAUSE_LOAD_ACCESS;
}

uint32_t soc_current_insn(const struct soc *soc, unsigned hart)
{
	return soc_bits_at_pc(&soc->harts[hart]);
}

/* Returns whether the followed machine used another translation. */
static bool follow_translation(struct soc_hart *h, struct soc_translation *t)
{
	const struct soc_follow *f = &h->soc->follow;

	if (!f->translate || !f->translate(f->user, h->id, t))
		return false;
	tlb_entry(h, t->address, t->kind)->tag = SOC_NEVER;
	if (t->cause == 0 && !soc_pmp_allows(h, t->physical, t->size, t->kind, t->priv))
		t->cause = data_access_cause(t->kind);
	return true;
}

/* Lets the next access to this page take the fast path, unless the page is observed, or a
 * store would change code or a page table or end a reservation. */
static void cache_data_page(struct soc_hart *h, const struct soc_translation *t)
{
	struct soc_tlb *e = tlb_entry(h, t->address, t->kind);
	uint64_t offset = t->physical - SOC_RAM_BASE, tag = t->address & SOC_PAGE_MASK;

	if (!soc_in_ram(h->soc, t->physical, t->size) || soc_pmp_splits(h, t->physical))
		return;
	const struct soc_code_page *page = &h->soc->blocks.pages[offset >> SOC_PAGE_BITS];
	if (!observes_accesses(h) && t->kind == SOC_STORE &&
	    (page->lines | page->gone | page->changed ||
	     soc_is_table(h->soc, t->physical) || soc_is_reserved(h, t->physical)))
		return;
	if (reports_accesses(h))
		tag |= SOC_TLB_WATCHED;
	if (t->kind == SOC_STORE)
		soc_note_written(h->soc, t->physical, t->size);
	e->tag = tag;
	e->delta = (uintptr_t)h->soc->ram + (uintptr_t)offset - (uintptr_t)t->address;
}

/* Gets the physical address of an aligned access. Returns 0 or the exception. */
static unsigned translate_data(struct soc_hart *h, uint64_t va, unsigned size,
			       enum soc_kind kind, uint64_t *pa)
{
	const struct soc_tlb *e = tlb_entry(h, va, kind);
	struct soc_translation t = {va, size, kind, data_priv(h), 0, 0};
	bool known =
	    e->tag == ((va & SOC_PAGE_MASK) | SOC_TLB_WATCHED) && reports_accesses(h);

	if (known && !observes_accesses(h)) {
		*pa = ram_address(h, va, e);
		return 0;
	}
	if (known) {
		t.physical = ram_address(h, va, e);
	} else {
		t.cause = soc_mmu(h, va, kind, t.priv, &t.physical);
		if (!t.cause && !soc_pmp_allows(h, t.physical, size, kind, t.priv))
			t.cause = data_access_cause(kind);
	}
	if (!follow_translation(h, &t) && !known && !t.cause)
		cache_data_page(h, &t);
	*pa = t.physical;
	return t.cause;
}

/* Gets the physical address of an access. Returns false after raising a trap. */
static bool locate_data(struct soc_hart *h, uint64_t va, unsigned size,
			enum soc_kind kind, uint64_t *pa)
{
	unsigned cause = kind == SOC_STORE ? SOC_CAUSE_STORE_ALIGN : SOC_CAUSE_LOAD_ALIGN;

	if ((va & (size - 1)) == 0)
		cause = translate_data(h, va, size, kind, pa);
	if (cause)
		soc_raise(h, cause, va);
	return cause == 0;
}

/* Records an access of the current step: an AMO loads, then stores. */
static void note_access(struct soc_event *e, const struct soc_access *access)
{
	e->address = access->address;
	e->size = (uint8_t)access->size;
	e->device = access->device;
	if (access->write) {
		e->store = true;
		e->data = access->value;
	} else {
		e->load = true;
	}
}

void soc_report(struct soc_hart *h, uint64_t pa, uint64_t value, unsigned size,
		bool write)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	struct soc_access access = {.address = pa,
				    .value = value,
				    .size = (uint16_t)size,
				    .write = write,
				    .device = !soc_in_ram(h->soc, pa, size)};

	if (h->event)
		note_access(h->event, &access);
	if (hooks->access)
		hooks->access(hooks->user, h->id, &access);
}

/* Reports the address of an instruction that commits. */
static void report_data(struct soc_hart *h, uint64_t va, uint64_t pa)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	const struct soc_data data = {va, pa, !soc_in_ram(h->soc, pa, 1)};

	if (hooks->data)
		hooks->data(hooks->user, h->id, &data);
}

void soc_report_copy(struct soc_hart *h, uint64_t pa, uint64_t bytes)
{
	const struct soc_hooks *hooks = &h->soc->hooks;
	struct soc_access access = {
	    .address = pa, .size = 1, .write = true, .copy = true};

	if (h->event)
		note_access(h->event, &access);
	access.size = (uint16_t)bytes;
	if (hooks->access)
		hooks->access(hooks->user, h->id, &access);
}

static enum soc_result after_device(struct soc *soc)
{
	bool attention = soc->attention;

	soc->attention = false;
	return attention ? SOC_LEAVE : SOC_DONE;
}

/* The model decides whether a device responds. */
static bool device_load(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t *value)
{
	const struct soc_follow *f = &h->soc->follow;
	uint64_t theirs = 0;

	if (!soc_bus_load(h, pa, size, value))
		return false;
	if (f->mmio_load && f->mmio_load(f->user, h->id, pa, size, &theirs))
		*value = theirs;
	soc_report_input(h, &(struct soc_input){.kind = SOC_INPUT_LOAD,
						.size = (uint8_t)size,
						.address = pa,
						.value = *value});
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
	if (!locate_data(h, va, size, SOC_LOAD, &pa))
		return SOC_TRAP;
	soc_use_data(h, pa, false);
	if (soc_in_ram(h->soc, pa, size)) {
		memcpy(value, h->soc->ram + (pa - SOC_RAM_BASE), size);
	} else if (!device_load(h, pa, size, value)) {
		return soc_raise(h, SOC_CAUSE_LOAD_ACCESS, va);
	}
	soc_report(h, pa, *value, size, false);
	report_data(h, va, pa);
	return after_device(h->soc);
}

/* Writes RAM. Returns whether code was there, or what translations come from. */
static bool write_ram(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t value)
{
	memcpy(h->soc->ram + (pa - SOC_RAM_BASE), &value, size);
	soc_note_written(h->soc, pa, size);
	soc_end_reservations(h->soc, pa, size);
	return soc_code_written(h->soc, pa, size) | soc_table_written(h->soc, pa, size);
}

enum soc_result soc_store_slow(struct soc_hart *h, uint64_t va, unsigned size,
			       uint64_t value)
{
	uint64_t pa;
	bool discarded = false;

	if (!locate_data(h, va, size, SOC_STORE, &pa))
		return SOC_TRAP;
	soc_use_data(h, pa, true);
	h->reserved = SOC_NEVER;
	if (soc_in_ram(h->soc, pa, size)) {
		discarded = write_ram(h, pa, size, value);
	} else if (!device_store(h, pa, size, value)) {
		return soc_raise(h, SOC_CAUSE_STORE_ACCESS, va);
	}
	soc_report(h, pa, value, size, true);
	report_data(h, va, pa);
	return discarded ? SOC_LEAVE : after_device(h->soc);
}

static uint64_t extend_amo_value(uint64_t value, unsigned size)
{
	return size == 4 ? (uint64_t)(int64_t)(int32_t)(uint32_t)value : value;
}

static void set_rd(struct soc_hart *h, uint32_t bits, uint64_t value)
{
	if (bits >> 7 & 31U)
		h->x[bits >> 7 & 31U] = value;
}

/* Replaces the value for rd by that of the followed machine, if it has one. */
static void use_followed_value(const struct soc_hart *h, uint64_t pa, unsigned size,
			       uint64_t *value)
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
	use_followed_value(h, pa, size, &value);
	soc_report(h, pa, value, size, false);
	h->reserved = pa & ~(uint64_t)(SOC_LR_BYTES - 1);
	set_rd(h, bits, extend_amo_value(value, size));
	return SOC_DONE;
}

static enum soc_result store_conditional(struct soc_hart *h, uint32_t bits, uint64_t pa,
					 unsigned size)
{
	uint64_t failed = h->reserved != (pa & ~(uint64_t)(SOC_LR_BYTES - 1));
	uint64_t value = h->x[bits >> 20 & 31U];
	bool discarded = false;

	use_followed_value(h, pa, size, &failed);
	h->reserved = SOC_NEVER;
	if (!failed) {
		discarded = write_ram(h, pa, size, value);
		soc_report(h, pa, value, size, true);
	} else {
		soc_report_input(h, &(struct soc_input){.kind = SOC_INPUT_ATOMIC,
							.size = (uint8_t)size,
							.address = pa,
							.value = failed});
	}
	set_rd(h, bits, failed);
	return discarded ? SOC_LEAVE : SOC_DONE;
}

static uint64_t combine_amo(uint32_t f5, uint64_t old, uint64_t value)
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

static enum soc_result modify_ram(struct soc_hart *h, uint32_t bits, uint64_t pa,
				  unsigned size)
{
	uint64_t old = 0, value = extend_amo_value(h->x[bits >> 20 & 31U], size);

	memcpy(&old, h->soc->ram + (pa - SOC_RAM_BASE), size);
	use_followed_value(h, pa, size, &old);
	soc_report(h, pa, old, size, false);
	old = extend_amo_value(old, size);
	value = combine_amo(bits >> 27, old, value);
	h->reserved = SOC_NEVER;
	bool discarded = write_ram(h, pa, size, value);
	soc_report(h, pa, value, size, true);
	set_rd(h, bits, old);
	return discarded ? SOC_LEAVE : SOC_DONE;
}

bool soc_locate(struct soc_hart *h, uint64_t va, unsigned size, enum soc_kind kind,
		uint64_t *pa)
{
	const struct soc_tlb *e = tlb_entry(h, va, kind);

	if (e->tag == (va & (SOC_PAGE_MASK | (size - 1)))) {
		*pa = ram_address(h, va, e);
		return true;
	}
	return locate_data(h, va, size, kind, pa);
}

enum soc_result soc_atomic(struct soc_hart *h, uint32_t bits)
{
	unsigned size = 1U << (bits >> 12 & 7U);
	uint64_t va = h->x[bits >> 15 & 31U], pa;
	uint32_t f5 = bits >> 27;
	bool load = f5 == 2;

	if (!soc_locate(h, va, size, load ? SOC_LOAD : SOC_STORE, &pa))
		return SOC_TRAP;
	soc_use_data(h, pa, !load);
	if (!soc_in_ram(h->soc, pa, size))
		return soc_raise(h, load ? SOC_CAUSE_LOAD_ACCESS : SOC_CAUSE_STORE_ACCESS,
				 va);
	report_data(h, va, pa);
	if (load)
		return load_reserved(h, bits, pa, size);
	if (f5 == 3)
		return store_conditional(h, bits, pa, size);
	return modify_ram(h, bits, pa, size);
}
