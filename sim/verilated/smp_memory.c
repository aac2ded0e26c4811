/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 and DRAM of several harts. */
#include "smp_memory.h"

#include <stdlib.h>
#include <string.h>

#include "soc.h"

enum { LINE = 64, BEATS = LINE / 8, WAYS = 16, SETS = (1 << 20) / (LINE * WAYS) };
#define NEVER UINT64_MAX

/* A line of the L2. Address 0, where there is no RAM, marks an empty one. */
struct line {
	uint64_t address, used;
};

struct request {
	bool valid;
	uint64_t line;
	uint64_t first;	 /* cycle of the first beat at the earliest */
	uint64_t missed; /* cycle in which the L2 detects the miss; NEVER: a hit */
	unsigned beat;
};

struct smp_memory {
	uint8_t *ram;
	uint64_t size;
	unsigned harts;
	struct l2_dram_timing timing;
	struct line *lines;
	uint64_t uses, next;
	struct request requests[SMP_IDS];
	int sending; /* the request whose beats are being sent, or -1 */
	const char *fault;
};

struct smp_memory *smp_memory_new(uint8_t *ram, uint64_t size, unsigned harts,
				  const struct l2_dram_timing *timing)
{
	struct smp_memory *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->ram = ram;
	m->size = size;
	m->harts = harts;
	m->timing = *timing;
	m->timing.l2 = timing->l2 > SMP_CROSSBAR ? timing->l2 - SMP_CROSSBAR : 1;
	m->next = NEVER;
	m->sending = -1;
	m->lines = calloc(SETS * WAYS, sizeof(*m->lines));
	if (!m->lines) {
		free(m);
		return NULL;
	}
	return m;
}

void smp_memory_free(struct smp_memory *m)
{
	if (!m)
		return;
	free(m->lines);
	free(m);
}

const char *smp_memory_fault(const struct smp_memory *m)
{
	return m->fault;
}

uint64_t smp_memory_next(const struct smp_memory *m)
{
	return m->next;
}

static void call_at(struct smp_memory *m, uint64_t cycle)
{
	if (cycle < m->next)
		m->next = cycle;
}

static bool is_ram(const struct smp_memory *m, uint64_t address)
{
	return address >= SOC_RAM_BASE && address - SOC_RAM_BASE < m->size;
}

/* Only DMA, whose addresses software chooses freely, may use others. */
static bool check_ram_address(struct smp_memory *m, uint64_t address, bool dma)
{
	if (!is_ram(m, address) && !dma)
		m->fault = "an address outside memory";
	return is_ram(m, address);
}

/* Returns whether the L2 has the line; if not, it takes it in. */
static bool look_up_smp_line(struct smp_memory *m, uint64_t address)
{
	struct line *set = m->lines + address / LINE % SETS * WAYS, *line = set;

	for (unsigned i = 0; i < WAYS && line->address != address; i++)
		if (set[i].address == address || set[i].used < line->used)
			line = &set[i];
	bool hit = line->address == address;
	*line = (struct line){.address = address, .used = ++m->uses};
	return hit;
}

void smp_memory_read(struct smp_memory *m, uint64_t cycle, unsigned id, uint64_t address)
{
	struct request *r = &m->requests[id % SMP_IDS];

	if (r->valid)
		m->fault = "a request while another is under way";
	*r = (struct request){.valid = true, .line = address, .missed = NEVER};
	r->first = cycle + m->timing.l2;
	if (check_ram_address(m, address, id >= 2 * m->harts) &&
	    !look_up_smp_line(m, address)) {
		r->missed = r->first;
		r->first += m->timing.dram;
	}
	call_at(m, r->missed < r->first ? r->missed : r->first);
}

void smp_memory_write(struct smp_memory *m, uint64_t address, unsigned strobe,
		      uint64_t data, bool dma)
{
	uint8_t *bytes = m->ram + (address - SOC_RAM_BASE);

	if (!check_ram_address(m, address, dma))
		return;
	if (dma && address % LINE == 0)
		look_up_smp_line(m, address);
	for (unsigned i = 0; i < 8; i++)
		if (strobe >> i & 1)
			bytes[i] = (uint8_t)(data >> 8 * i);
}

/* Chooses the request that has waited longest, if a line can be sent. */
static void choose_request(struct smp_memory *m, uint64_t cycle)
{
	for (int i = 0; m->sending < 0 && i < SMP_IDS; i++)
		if (m->requests[i].valid && m->requests[i].first <= cycle)
			m->sending = i;
	for (int i = 0; m->sending >= 0 && i < SMP_IDS; i++)
		if (m->requests[i].valid &&
		    m->requests[i].first < m->requests[m->sending].first)
			m->sending = i;
}

static void send_beat(struct smp_memory *m, struct smp_pins *pins)
{
	struct request *r = &m->requests[m->sending];

	pins->valid = true;
	pins->id = (uint8_t)m->sending;
	if (is_ram(m, r->line))
		memcpy(&pins->data, m->ram + (r->line - SOC_RAM_BASE) + 8 * r->beat,
		       sizeof(pins->data));
	if (++r->beat < BEATS)
		return;
	r->valid = false;
	m->sending = -1;
}

static void drive_dram(struct smp_memory *m, uint64_t cycle, struct smp_pins *pins)
{
	for (unsigned i = 0; i < 2 * m->harts; i++) {
		const struct request *r = &m->requests[i];
		unsigned bit = i < m->harts ? 2 * i + 1 : 2 * (i - m->harts);

		if (r->missed <= cycle && (r->valid || pins->id == i))
			pins->dram = (uint8_t)(pins->dram | 1U << bit);
	}
}

void smp_memory_drive(struct smp_memory *m, uint64_t cycle, struct smp_pins *pins)
{
	bool busy = m->sending >= 0;

	m->next = NEVER;
	*pins = (struct smp_pins){.id = SMP_IDS};
	if (!busy)
		choose_request(m, cycle);
	if (m->sending >= 0) {
		send_beat(m, pins);
		call_at(m, cycle + 1);
	}
	drive_dram(m, cycle, pins);
	for (unsigned i = 0; i < SMP_IDS; i++) {
		const struct request *r = &m->requests[i];

		if (r->valid && r->missed != NEVER && r->missed > cycle)
			call_at(m, r->missed);
		else if (r->valid)
			call_at(m, r->first > cycle ? r->first : cycle + 1);
	}
	pins->id &= SMP_IDS - 1;
}
