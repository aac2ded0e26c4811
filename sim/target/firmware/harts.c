/* SPDX-License-Identifier: Apache-2.0 */
/* Several harts: starting and stopping them, interrupts between them, and fences on all
 * of them. Only in the firmware for several harts. */
#include "firmware.h"
#include "soc.h"

/* A hart is absent until it has reached firmware_wait(). From STARTED on these are the
 * SBI's states plus 1; CLAIMED is STARTING while its entry is being set. */
enum { ABSENT, STARTED, STOPPED, STARTING, CLAIMED };
enum { HART_START, HART_STOP, HART_STATUS, HART_SUSPEND };

static struct hart {
	uint32_t state;
	uint32_t has_ipi;	    /* an interrupt for the supervisor */
	uint32_t requested, fenced; /* fences by other harts */
	struct hart_entry entry;
} harts[HARTS] __attribute__((section(".data"))); /* zero in the file */

static uint32_t get(const uint32_t *from)
{
	return __atomic_load_n(from, __ATOMIC_SEQ_CST);
}

static void set(uint32_t *to, uint32_t value)
{
	__atomic_store_n(to, value, __ATOMIC_SEQ_CST);
}

static void set_msip(unsigned hart, uint32_t value)
{
	__asm__ volatile("fence" : : : "memory");
	*(volatile uint32_t *)(SOC_CLINT_BASE + SOC_CLINT_MSIP + 4UL * hart) = value;
	__asm__ volatile("fence" : : : "memory");
}

static bool is_named(unsigned hart, uint64_t mask, uint64_t first)
{
	if (first == UINT64_MAX)
		return true;
	return hart >= first && hart - first < 64 && (mask >> (hart - first) & 1);
}

/* Returns whether all harts of the mask exist. */
static bool is_mask(uint64_t mask, uint64_t first)
{
	for (unsigned i = 0; first != UINT64_MAX && i < 64; i++)
		if ((mask >> i & 1) && (first >= HARTS || first + i >= HARTS ||
					get(&harts[first + i].state) == ABSENT))
			return false;
	return true;
}

static bool runs(unsigned hart, uint64_t mask, uint64_t first)
{
	return is_named(hart, mask, first) && get(&harts[hart].state) == STARTED;
}

int64_t harts_send_ipi(uint64_t mask, uint64_t first)
{
	unsigned self = this_hart();

	if (!is_mask(mask, first))
		return SBI_INVALID;
	for (unsigned i = 0; i < HARTS; i++) {
		if (!runs(i, mask, first))
			continue;
		if (i == self) {
			csr_set(mip, IP_SSIP);
			continue;
		}
		set(&harts[i].has_ipi, 1);
		set_msip(i, 1);
	}
	return SBI_OK;
}

/* Executes the fences that other harts have requested so far. */
static void serve(struct hart *self)
{
	uint32_t requested = get(&self->requested);

	if (requested == get(&self->fenced))
		return;
	fence_all();
	set(&self->fenced, requested);
}

int64_t harts_fence(uint64_t mask, uint64_t first)
{
	struct hart *self = &harts[this_hart()];
	uint32_t number[HARTS];
	bool waits[HARTS];

	if (!is_mask(mask, first))
		return SBI_INVALID;
	for (unsigned i = 0; i < HARTS; i++) {
		waits[i] = &harts[i] != self && runs(i, mask, first);
		if (!waits[i])
			continue;
		number[i] = __atomic_add_fetch(&harts[i].requested, 1, __ATOMIC_SEQ_CST);
		set_msip(i, 1);
	}
	if (is_named(this_hart(), mask, first))
		fence_all();
	/* Another hart may wait for this one meanwhile. */
	for (unsigned i = 0; i < HARTS; i++)
		while (waits[i] && (int32_t)(get(&harts[i].fenced) - number[i]) < 0)
			serve(self);
	return SBI_OK;
}

void harts_interrupt(void)
{
	struct hart *self = &harts[this_hart()];

	set_msip(this_hart(), 0);
	if (__atomic_exchange_n(&self->has_ipi, 0, __ATOMIC_SEQ_CST))
		csr_set(mip, IP_SSIP);
	serve(self);
}

void harts_enter(void)
{
	set(&harts[this_hart()].state, STARTED);
	csr_write(mie, IP_MSIP);
}

const struct hart_entry *firmware_wait(void)
{
	struct hart *self = &harts[this_hart()];

	csr_write(mie, IP_MSIP);
	set(&self->state, STOPPED);
	for (;;) {
		set_msip(this_hart(), 0);
		if (get(&self->state) == STARTING)
			break;
		__asm__ volatile("wfi");
	}
	set(&self->has_ipi, 0);
	set(&self->fenced, get(&self->requested));
	fence_all();
	return &self->entry;
}

static int64_t start(uint64_t hart, uint64_t pc, uint64_t argument)
{
	uint32_t expected = STOPPED;
	struct hart *h = &harts[hart];

	if (hart >= HARTS || get(&h->state) == ABSENT)
		return SBI_INVALID;
	if (!__atomic_compare_exchange_n(&h->state, &expected, CLAIMED, false,
					 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
		return SBI_AVAILABLE;
	h->entry = (struct hart_entry){pc, argument};
	set(&h->state, STARTING);
	set_msip((unsigned)hart, 1);
	return SBI_OK;
}

static int64_t status(uint64_t hart, uint64_t *value)
{
	uint32_t state = hart < HARTS ? get(&harts[hart].state) : ABSENT;

	if (state == ABSENT)
		return SBI_INVALID;
	*value = (state == CLAIMED ? STARTING : state) - STARTED;
	return SBI_OK;
}

int64_t harts_manage(const struct frame *frame, uint64_t *value)
{
	uint64_t argument = frame->x[REG_A0];

	switch (frame->x[REG_A6]) {
	case HART_START:
		return start(argument, frame->x[REG_A1], frame->x[REG_A1 + 1]);
	case HART_STOP:
		hart_wait();
	case HART_STATUS:
		return status(argument, value);
	case HART_SUSPEND:
		if (argument != 0) /* other than retentive */
			return SBI_NOT_SUPPORTED;
		__asm__ volatile("wfi");
		return SBI_OK;
	default:
		return SBI_NOT_SUPPORTED;
	}
}
