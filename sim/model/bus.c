/* SPDX-License-Identifier: Apache-2.0 */
/* Address decoding outside RAM, the timer and the power-off register. */
#include "internal.h"

void soc_set_line(struct soc_hart *h, unsigned irq, bool level)
{
	uint64_t bit = UINT64_C(1) << irq, old = h->lines;

	if (h->soc->following)
		return;
	h->lines = level ? old | bit : old & ~bit;
	if (h->lines != old)
		h->soc->attention = true;
}

uint64_t soc_mtime(const struct soc *soc, uint64_t cycle)
{
	return cycle / SOC_CYCLES_PER_TICK + soc->mtime_offset;
}

uint64_t soc_timer_cycle(const struct soc_hart *h)
{
	uint64_t now = soc_mtime(h->soc, h->now);

	if (now >= h->mtimecmp)
		return h->now;
	uint64_t ticks = h->mtimecmp - now;
	uint64_t base = h->now / SOC_CYCLES_PER_TICK;
	if (ticks >= UINT64_MAX / SOC_CYCLES_PER_TICK - base)
		return SOC_NEVER;
	return (base + ticks) * SOC_CYCLES_PER_TICK;
}

/* Read or write bytes [offset, offset + size) of a 64-bit register. */
static uint64_t extract_register_part(uint64_t value, uint64_t offset, unsigned size)
{
	value >>= 8 * (offset & 7);
	return size == 4 ? value & UINT32_MAX : value;
}

static uint64_t merge_register_part(uint64_t old, uint64_t offset, unsigned size,
				    uint64_t value)
{
	unsigned shift = 8 * (offset & 7);

	if (size == 8)
		return value;
	return (old & ~((uint64_t)UINT32_MAX << shift)) | (value & UINT32_MAX) << shift;
}

/* The hart whose register of `bytes` is at this offset from that of hart 0; or NULL. */
static struct soc_hart *hart_at_offset(struct soc *soc, uint64_t offset, unsigned bytes)
{
	return offset / bytes < soc->nharts ? &soc->harts[offset / bytes] : NULL;
}

bool soc_clint_load(struct soc_hart *h, uint64_t offset, unsigned size, uint64_t *value)
{
	struct soc_hart *soft = hart_at_offset(h->soc, offset - SOC_CLINT_MSIP, 4);
	struct soc_hart *timed = hart_at_offset(h->soc, offset - SOC_CLINT_MTIMECMP, 8);

	*value = 0;
	if (size < 4)
		return false;
	if (soft)
		*value = soft->msip;
	else if (timed)
		*value = extract_register_part(timed->mtimecmp, offset, size);
	else if ((offset & ~UINT64_C(7)) == SOC_CLINT_MTIME)
		*value = extract_register_part(soc_mtime(h->soc, h->now), offset, size);
	return true;
}

bool soc_clint_store(struct soc_hart *h, uint64_t offset, unsigned size, uint64_t value)
{
	struct soc_hart *soft = hart_at_offset(h->soc, offset - SOC_CLINT_MSIP, 4);
	struct soc_hart *timed = hart_at_offset(h->soc, offset - SOC_CLINT_MTIMECMP, 8);
	uint64_t old = soc_mtime(h->soc, h->now);

	if (size < 4)
		return false;
	if (soft) {
		soft->msip = value & 1;
		soc_set_line(soft, SOC_IRQ_MS, value & 1);
	} else if (timed) {
		timed->mtimecmp =
		    merge_register_part(timed->mtimecmp, offset, size, value);
		h->soc->attention = true;
	} else if ((offset & ~UINT64_C(7)) == SOC_CLINT_MTIME) {
		h->soc->mtime_offset +=
		    merge_register_part(old, offset, size, value) - old;
		h->soc->attention = true;
	}
	return true;
}

enum soc_power soc_decode_power(uint32_t value, unsigned *status)
{
	const unsigned given = value >> 16 & 0xff;

	*status = 0;
	switch (value & 0xffff) {
	case SOC_POWER_OFF:
		return SOC_POWERED_OFF;
	case SOC_POWER_FAIL:
		*status = given ? given : 1;
		return SOC_POWERED_OFF;
	case SOC_POWER_RESET:
		return SOC_POWERED_RESET;
	default:
		return SOC_POWER_ON;
	}
}

static bool power_store(struct soc *soc, uint64_t offset, unsigned size, uint64_t value)
{
	unsigned status;

	if (size != 4 || offset != 0)
		return size == 4;
	enum soc_power power = soc_decode_power((uint32_t)value, &status);
	if (power == SOC_POWER_ON)
		return true;
	soc->power = power;
	soc->status = status;
	soc->attention = true;
	return true;
}

static bool lies_within(uint64_t pa, unsigned size, uint64_t base, uint64_t length)
{
	return pa >= base && pa - base <= length - size;
}

/* The network interface has no model: its values are those of the side followed. */
static bool is_nic(const struct soc *soc, uint64_t pa, unsigned size)
{
	return soc->has_nic && soc->following && size >= 4 &&
	       lies_within(pa, size, SOC_NIC_BASE, SOC_NIC_SIZE);
}

static bool is_disk(const struct soc *soc, uint64_t pa, unsigned size)
{
	return soc->features.disk && (soc->virtio.disk || soc->following) &&
	       lies_within(pa, size, SOC_DISK_BASE, SOC_DISK_SIZE);
}

bool soc_bus_load(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t *value)
{
	if (lies_within(pa, size, SOC_UART_BASE, SOC_UART_SIZE))
		return soc_uart_load(h->soc, pa - SOC_UART_BASE, size, value);
	if (lies_within(pa, size, SOC_CLINT_BASE, SOC_CLINT_SIZE))
		return soc_clint_load(h, pa - SOC_CLINT_BASE, size, value);
	if (lies_within(pa, size, SOC_PLIC_BASE, SOC_PLIC_SIZE))
		return soc_plic_load(h->soc, pa - SOC_PLIC_BASE, size, value);
	if (is_disk(h->soc, pa, size))
		return soc_virtio_load(h->soc, pa - SOC_DISK_BASE, size, value);
	*value = 0;
	if (is_nic(h->soc, pa, size))
		return true;
	return lies_within(pa, size, SOC_POWER_BASE, SOC_POWER_SIZE) && size == 4;
}

bool soc_bus_store(struct soc_hart *h, uint64_t pa, unsigned size, uint64_t value)
{
	if (lies_within(pa, size, SOC_UART_BASE, SOC_UART_SIZE))
		return soc_uart_store(h->soc, pa - SOC_UART_BASE, size, value);
	if (lies_within(pa, size, SOC_CLINT_BASE, SOC_CLINT_SIZE))
		return soc_clint_store(h, pa - SOC_CLINT_BASE, size, value);
	if (lies_within(pa, size, SOC_PLIC_BASE, SOC_PLIC_SIZE))
		return soc_plic_store(h->soc, pa - SOC_PLIC_BASE, size, value);
	if (lies_within(pa, size, SOC_POWER_BASE, SOC_POWER_SIZE))
		return power_store(h->soc, pa - SOC_POWER_BASE, size, value);
	if (is_disk(h->soc, pa, size))
		return soc_virtio_store(h, pa - SOC_DISK_BASE, size, value);
	return is_nic(h->soc, pa, size);
}
