/* SPDX-License-Identifier: Apache-2.0 */
/* The PLIC: 31 sources, seven priorities; context 2h is M of hart h, 2h + 1 its S. */
#include "internal.h"

enum {
	PENDING = 0x1000,
	ENABLE = 0x2000,
	ENABLE_STEP = 0x80,
	CONTEXT = 0x200000,
	CONTEXT_STEP = 0x1000,
	MAX_PRIORITY = 7,
};

/* Returns the pending source of the highest priority for a context; the lowest number
 * wins ties. 0: none. */
static unsigned best_pending_source(const struct soc_plic *p, unsigned context)
{
	uint32_t ready = p->pending & p->enable[context];
	unsigned found = 0;

	for (unsigned i = 1; i <= SOC_PLIC_SOURCES; i++)
		if ((ready >> i & 1U) && p->priority[i] > p->priority[found])
			found = i;
	return found;
}

void soc_plic_update(struct soc *soc)
{
	static const uint8_t irq[2] = {SOC_IRQ_ME, SOC_IRQ_SE};
	const struct soc_plic *p = &soc->plic;

	for (unsigned i = 0; i < 2 * soc->nharts; i++)
		soc_set_line(&soc->harts[i / 2], irq[i % 2],
			     p->priority[best_pending_source(p, i)] > p->threshold[i]);
}

void soc_plic_line(struct soc *soc, unsigned source, bool level)
{
	struct soc_plic *p = &soc->plic;
	uint32_t bit = 1U << source;

	if (!(p->level & bit) == !level)
		return;
	p->level = level ? p->level | bit : p->level & ~bit;
	p->pending |= p->level & ~p->claimed;
	soc_plic_update(soc);
}

static uint32_t claim_source(struct soc *soc, unsigned context)
{
	struct soc_plic *p = &soc->plic;
	unsigned source = best_pending_source(p, context);

	if (source) {
		p->pending &= ~(1U << source);
		p->claimed |= 1U << source;
		soc_plic_update(soc);
	}
	return source;
}

static void complete_source(struct soc *soc, unsigned context, uint32_t source)
{
	struct soc_plic *p = &soc->plic;

	if (source == 0 || source > SOC_PLIC_SOURCES ||
	    !(p->enable[context] >> source & 1U))
		return;
	p->claimed &= ~(1U << source);
	p->pending |= p->level & ~p->claimed;
	soc_plic_update(soc);
}

bool soc_plic_load(struct soc *soc, uint64_t offset, unsigned size, uint64_t *value)
{
	const struct soc_plic *p = &soc->plic;
	uint64_t context;

	*value = 0;
	if (size != 4)
		return false;
	if (offset <= 4 * SOC_PLIC_SOURCES) {
		*value = p->priority[offset / 4];
	} else if (offset == PENDING) {
		*value = p->pending;
	} else if (offset >= CONTEXT) {
		context = (offset - CONTEXT) / CONTEXT_STEP;
		if (context >= 2 * soc->nharts)
			return true;
		if (offset % CONTEXT_STEP == 0)
			*value = p->threshold[context];
		else if (offset % CONTEXT_STEP == 4)
			*value = claim_source(soc, (unsigned)context);
	} else if (offset >= ENABLE) {
		context = (offset - ENABLE) / ENABLE_STEP;
		if (context < 2 * soc->nharts && offset % ENABLE_STEP == 0)
			*value = p->enable[context];
	}
	return true;
}

bool soc_plic_store(struct soc *soc, uint64_t offset, unsigned size, uint64_t value)
{
	struct soc_plic *p = &soc->plic;
	uint64_t context;

	if (size != 4)
		return false;
	if (offset >= 4 && offset <= 4 * SOC_PLIC_SOURCES) {
		p->priority[offset / 4] = value & MAX_PRIORITY;
	} else if (offset >= CONTEXT) {
		context = (offset - CONTEXT) / CONTEXT_STEP;
		if (context >= 2 * soc->nharts)
			return true;
		if (offset % CONTEXT_STEP == 0)
			p->threshold[context] = value & MAX_PRIORITY;
		else if (offset % CONTEXT_STEP == 4)
			complete_source(soc, (unsigned)context, (uint32_t)value);
	} else if (offset >= ENABLE) {
		context = (offset - ENABLE) / ENABLE_STEP;
		if (context < 2 * soc->nharts && offset % ENABLE_STEP == 0)
			p->enable[context] = (uint32_t)value & ~1U;
	}
	soc_plic_update(soc);
	return true;
}
