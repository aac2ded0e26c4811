/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 cache and DRAM: timing of the beats of a line. */
#include "l2_dram_state.h"

#include <stdlib.h>
#include <string.h>

struct l2_dram *l2_dram_new(uint8_t *ram, uint64_t size,
			    const struct l2_dram_timing *timing)
{
	struct l2_dram *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->ram = ram;
	m->size = size;
	m->timing = *timing;
	m->next = NEVER;
	m->fetch.missed = m->data.missed = NEVER;
	m->lines = calloc(SETS * WAYS, sizeof(*m->lines));
	if (!m->lines) {
		free(m);
		return NULL;
	}
	return m;
}

void l2_dram_free(struct l2_dram *m)
{
	if (!m)
		return;
	free(m->lines);
	free(m);
}

const char *l2_dram_fault(const struct l2_dram *m)
{
	return m->fault;
}

uint64_t l2_dram_next(const struct l2_dram *m)
{
	return m->next;
}

void l2_dram_call_at(struct l2_dram *m, uint64_t cycle)
{
	if (cycle < m->next)
		m->next = cycle;
}

/* Returns a pointer to the 8 bytes at this address, or to a scratch word outside RAM. */
static uint8_t *ram_word(struct l2_dram *m, uint64_t address)
{
	static uint8_t nowhere[8];

	if (address >= SOC_RAM_BASE && address - SOC_RAM_BASE < m->size)
		return m->ram + ((address - SOC_RAM_BASE) & ~UINT64_C(7));
	m->fault = "an address outside memory";
	return nowhere;
}

static struct line *set_of(struct l2_dram *m, uint64_t address)
{
	return m->lines + address / LINE % SETS * WAYS;
}

struct line *l2_dram_find(struct l2_dram *m, uint64_t address)
{
	struct line *set = set_of(m, address);

	for (unsigned i = 0; i < WAYS; i++)
		if (set[i].address == address)
			return &set[i];
	return NULL;
}

void l2_dram_add_probe(struct l2_dram *m, uint64_t line, uint8_t op, uint64_t cycle)
{
	if (m->nprobes == PROBES) {
		m->fault = "no answer to probes";
		return;
	}
	m->probes[m->nprobes++] = (struct probe){line, op};
	l2_dram_call_at(m, cycle + 1);
}

/* Evicts a line if necessary; the L2 is inclusive, so the L1D must evict it too. */
static struct line *allocate_line(struct l2_dram *m, uint64_t address, uint64_t cycle)
{
	struct line *set = set_of(m, address), *victim = set;

	for (unsigned i = 1; i < WAYS; i++)
		if (set[i].used < victim->used)
			victim = &set[i];
	if (victim->inside)
		l2_dram_add_probe(m, victim->address, TO_INVALID, cycle);
	*victim = (struct line){.address = address};
	return victim;
}

struct line *l2_dram_use(struct l2_dram *m, uint64_t address, uint64_t cycle,
			 bool *missed)
{
	struct line *line = l2_dram_find(m, address);

	*missed = !line;
	if (!line)
		line = allocate_line(m, address, cycle);
	line->used = ++m->uses;
	return line;
}

/* Determines when the first beat can arrive, and whether from DRAM. A line for which the
 * other port or DMA waits arrives at the same time. */
static struct line *look_up_port_line(struct l2_dram *m, struct port *p,
				      const struct port *other, uint64_t cycle)
{
	uint64_t arrival = m->ndma ? l2_dma_arrival(m, p->line) : 0;
	bool missed;
	struct line *line = l2_dram_use(m, p->line, cycle, &missed);

	p->first = cycle + m->timing.l2;
	p->missed = NEVER;
	if (other->phase == WAITS && other->line == p->line && other->first > arrival)
		arrival = other->first;
	if (missed) {
		p->missed = p->first;
		p->first += m->timing.dram;
	} else if (arrival > p->first) {
		p->missed = p->first;
		p->first = arrival;
	}
	l2_dram_call_at(m, p->missed < p->first ? p->missed : p->first);
	return line;
}

/* Returns whether the last beat has been sent. */
static bool is_answered(const struct port *p)
{
	return p->phase == ANSWERS && p->beat == (p->upgrade ? 1 : BEATS);
}

static void begin_line_request(struct l2_dram *m, struct port *p, uint64_t address)
{
	if (p->phase != QUIET && !is_answered(p))
		m->fault = "a request while another is under way";
	*p = (struct port){.phase = WAITS, .line = address / LINE * LINE};
	ram_word(m, p->line);
}

void l2_dram_fetch(struct l2_dram *m, uint64_t cycle, uint64_t address)
{
	begin_line_request(m, &m->fetch, address);
	look_up_port_line(m, &m->fetch, &m->data, cycle);
}

/* An upgrade of a line just evicted by the L2 is granted as well; the probe for it is on
 * its way. */
void l2_dram_data(struct l2_dram *m, uint64_t cycle, uint64_t address, bool upgrade)
{
	struct port *p = &m->data;

	begin_line_request(m, p, address);
	p->upgrade = upgrade;
	p->missed = NEVER;
	if (p->upgrade && !l2_dram_find(m, p->line)) {
		p->first = cycle + m->timing.l2;
		l2_dram_call_at(m, p->first);
		return;
	}
	look_up_port_line(m, p, &m->fetch, cycle);
}

void l2_dram_write_back(struct l2_dram *m, uint64_t address, uint64_t data)
{
	struct line *line = l2_dram_find(m, address / LINE * LINE);

	memcpy(ram_word(m, address), &data, sizeof(data));
	if (line && address % LINE == LINE - 8 &&
	    !(m->probing && m->probes[0].line == line->address))
		line->inside = line->owned = false;
}

void l2_dram_probe_ack(struct l2_dram *m, uint64_t cycle)
{
	struct probe done = m->probes[0];
	struct line *line = l2_dram_find(m, done.line);

	if (!m->probing) {
		m->fault = "an answer to no probe";
		return;
	}
	m->probing = m->notified = false;
	m->nprobes--;
	memmove(m->probes, m->probes + 1, m->nprobes * sizeof(*m->probes));
	if (line) {
		line->owned = false;
		line->inside &= done.op == TO_SHARED;
		line->touched &= done.op != WRITTEN;
	}
	if (m->ndma)
		l2_dma_probed(m, done.line, done.op, cycle);
	if (m->fetch.phase == PROBES_FIRST && m->fetch.line == done.line) {
		m->fetch.phase = WAITS;
		m->fetch.first = cycle + m->timing.probe;
	}
	l2_dram_call_at(m, cycle + 1);
}

/* Returns whether a beat is sent. */
static bool drive_port(struct l2_dram *m, struct port *p, uint64_t cycle, uint64_t *data)
{

	if (is_answered(p))
		*p = (struct port){.phase = QUIET, .missed = NEVER};
	if (p->phase == WAITS && cycle >= p->first)
		p->phase = ANSWERS;
	if (p->phase == WAITS)
		l2_dram_call_at(m, p->missed > cycle
				       ? (p->missed < p->first ? p->missed : p->first)
				       : p->first);
	if (p->phase != ANSWERS)
		return false;
	memcpy(data, ram_word(m, p->line + 8 * p->beat), sizeof(*data));
	p->beat++;
	l2_dram_call_at(m, cycle + 1);
	return true;
}

/* For code that the L1D may have modified, its data is fetched first. The L1D is asked
 * only once, since otherwise the two could take the line from each other endlessly. */
static void ask_owner(struct l2_dram *m, uint64_t cycle)
{
	struct port *p = &m->fetch;

	if (p->phase != WAITS || p->asked || cycle < p->first)
		return;
	const struct line *line = l2_dram_find(m, p->line);
	if (!line || !line->owned)
		return;
	p->phase = PROBES_FIRST;
	p->asked = true;
	l2_dram_add_probe(m, p->line, TO_SHARED, cycle);
}

/* Grants the line to the L1D, which may modify it from now on. */
static void grant_line(struct l2_dram *m, uint64_t cycle)
{
	if (m->data.phase != WAITS || cycle < m->data.first)
		return;
	struct line *line = l2_dram_find(m, m->data.line);
	if (line)
		line->inside = line->owned = line->touched = true;
}

void l2_dram_drive(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins)
{
	m->next = NEVER;
	*pins = (struct l2_dram_pins){.dmem_excl = true}; /* no other sharers */
	if (m->ndma)
		l2_dma_drive(m, cycle, pins);
	ask_owner(m, cycle);
	grant_line(m, cycle);
	pins->imem_valid = drive_port(m, &m->fetch, cycle, &pins->imem_data);
	pins->dmem_valid = drive_port(m, &m->data, cycle, &pins->dmem_data);
	pins->imem_dram = m->fetch.missed <= cycle;
	pins->dmem_dram = m->data.missed <= cycle;
	/* The L1D answers no probe while it waits for a line. */
	if (m->nprobes == 0 || (!m->probing && m->data.phase != QUIET))
		return;
	if (!m->probing && cycle < m->pause) {
		l2_dram_call_at(m, m->pause);
		return;
	}
	m->probing = true;
	pins->probe_valid = true;
	pins->probe_addr = m->probes[0].line;
	pins->probe_op = m->probes[0].op;
	l2_dram_call_at(m, cycle + 1);
}
