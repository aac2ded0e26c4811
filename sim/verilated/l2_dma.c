/* SPDX-License-Identifier: Apache-2.0 */
/* The port of the L2 for DMA. */
#include <string.h>

#include "l2_dram_state.h"

/* The L1D gets this many cycles after an answer or a fill, so that it makes progress. */
enum { PAUSE = 4 };

void l2_dram_set_hook(struct l2_dram *m, const struct l2_dram_hook *hook)
{
	m->hook = *hook;
}

/* Returns the line's bytes in RAM, or NULL outside. */
static uint8_t *ram_of(struct l2_dram *m, uint64_t line)
{
	if (line < SOC_RAM_BASE || line - SOC_RAM_BASE > m->size - LINE)
		return NULL;
	return m->ram + (line - SOC_RAM_BASE);
}

static struct dma_line *begin_dma_line(struct l2_dram *m, unsigned number,
				       uint64_t address)
{
	struct dma_line *d = &m->dma[number];

	if (d->phase != DMA_FREE)
		m->fault = "a DMA request while its identifier is in use";
	else
		m->ndma++;
	*d = (struct dma_line){.line = address / LINE * LINE};
	return d;
}

/* Looks the line up. `data`: its bytes are needed. */
static void look_up_dma_line(struct l2_dram *m, struct dma_line *d, uint64_t cycle,
			     bool data)
{
	uint64_t arrival = l2_dma_arrival(m, d->line);
	bool missed;

	d->phase = DMA_WAITS;
	d->first = cycle + m->timing.l2;
	l2_dram_call_at(m, d->first);
	if (!ram_of(m, d->line))
		return;
	l2_dram_use(m, d->line, cycle, &missed);
	d->unknown = missed;
	if (missed && data)
		d->first += m->timing.dram;
	else if (!missed && arrival > d->first)
		d->first = arrival;
}

void l2_dram_dma_read(struct l2_dram *m, uint64_t cycle, unsigned id, uint64_t address)
{
	look_up_dma_line(m, begin_dma_line(m, id, address), cycle, true);
}

void l2_dram_dma_write(struct l2_dram *m, uint64_t cycle, unsigned id, uint64_t address)
{
	struct dma_line *d = begin_dma_line(m, L2_DRAM_DMA_LINES + id, address);

	(void)cycle;
	d->write = true;
	d->phase = DMA_GATHERS;
}

void l2_dram_dma_beat(struct l2_dram *m, uint64_t cycle, const struct l2_dram_beat *b)
{
	struct dma_line *d = &m->dma[L2_DRAM_DMA_LINES + b->id];

	if (d->phase != DMA_GATHERS) {
		m->fault = "a beat of no DMA write";
		return;
	}
	for (unsigned i = 0; i < 8; i++) {
		if (!(b->strobe >> i & 1))
			continue;
		d->data[8 * b->beat + i] = (uint8_t)(b->data >> 8 * i);
		d->mask |= UINT64_C(1) << (8 * b->beat + i);
	}
	if (b->last)
		look_up_dma_line(m, d, cycle, d->mask != UINT64_MAX);
}

uint64_t l2_dma_arrival(const struct l2_dram *m, uint64_t line)
{
	uint64_t arrival = 0;

	for (unsigned i = 0; i < 2 * L2_DRAM_DMA_LINES; i++)
		if (m->dma[i].phase == DMA_WAITS && m->dma[i].line == line &&
		    m->dma[i].first > arrival)
			arrival = m->dma[i].first;
	return arrival;
}

/* The L1D holds nothing newer: reads or writes the line. The answer comes later. */
static void complete_dma_line(struct l2_dram *m, struct dma_line *d,
			      uint64_t send_dma_answers)
{
	uint8_t *ram = ram_of(m, d->line);

	d->phase = DMA_ANSWERS;
	d->first = send_dma_answers;
	d->turn = ++m->turns;
	l2_dram_call_at(m, send_dma_answers);
	if (!ram)
		return;
	if (!d->write) {
		memcpy(d->data, ram, LINE);
		return;
	}
	for (unsigned i = 0; i < LINE; i++)
		if (d->mask >> i & 1)
			ram[i] = d->data[i];
	if (m->hook.written)
		m->hook.written(m->hook.user, d->line, d->data, d->mask,
				d - m->dma >= L2_DRAM_DMA_LINES + L2_DRAM_DMA_COPIES);
}

void l2_dma_probed(struct l2_dram *m, uint64_t line, uint8_t op, uint64_t cycle)
{
	m->pause = cycle + PAUSE;
	for (unsigned i = 0; i < 2 * L2_DRAM_DMA_LINES; i++) {
		struct dma_line *d = &m->dma[i];

		if (d->phase == DMA_PROBES && d->line == line &&
		    (!d->write || op == WRITTEN))
			complete_dma_line(m, d, cycle + m->timing.probe);
	}
}

static bool is_probed(const struct l2_dram *m, uint64_t line)
{
	for (unsigned i = 0; i < m->nprobes; i++)
		if (m->probes[i].line == line)
			return true;
	return false;
}

/* A line whose time has come: the L1D is probed, or the line is read or written. */
static void advance_dma_line(struct l2_dram *m, struct dma_line *d, uint64_t cycle)
{
	const struct line *line = l2_dram_find(m, d->line);
	bool probe = line && line->owned;

	if (d->write)
		probe = !line || line->inside || line->touched || d->unknown;
	/* A probe on its way may be of the line as the L2 evicted it. */
	if (ram_of(m, d->line) && (probe || is_probed(m, d->line))) {
		d->phase = DMA_PROBES;
		l2_dram_add_probe(m, d->line, d->write ? WRITTEN : TO_SHARED, cycle);
		return;
	}
	complete_dma_line(m, d, cycle);
}

/* Returns the line whose answer is due first, among reads or writes. */
static struct dma_line *due_dma_line(struct l2_dram *m, unsigned from, uint64_t cycle)
{
	struct dma_line *best = NULL;

	for (unsigned i = from; i < from + L2_DRAM_DMA_LINES; i++) {
		struct dma_line *d = &m->dma[i];

		if (d->phase != DMA_ANSWERS)
			continue;
		l2_dram_call_at(m, d->first > cycle ? d->first : cycle + 1);
		if (d->first <= cycle && (!best || d->turn < best->turn))
			best = d;
	}
	return best;
}

static void release_dma_line(struct l2_dram *m, struct dma_line *d)
{
	d->phase = DMA_FREE;
	m->ndma--;
}

static void send_dma_answers(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins)
{
	struct dma_line *read = due_dma_line(m, 0, cycle);

	if (read) {
		pins->dma_valid = true;
		pins->dma_id = (uint8_t)(read - m->dma);
		memcpy(&pins->dma_data, read->data + 8 * read->beat,
		       sizeof(pins->dma_data));
		if (++read->beat == BEATS)
			release_dma_line(m, read);
		else
			read->turn = 0; /* the others wait */
	}
	struct dma_line *write = due_dma_line(m, L2_DRAM_DMA_LINES, cycle);
	if (write) {
		pins->dma_done = true;
		pins->dma_done_id = (uint8_t)(write - m->dma - L2_DRAM_DMA_LINES);
		release_dma_line(m, write);
	}
}

void l2_dma_drive(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins)
{
	/* The core sees a probe in the cycle after the first; until then an SC succeeds.
	 */
	if (m->probing && !m->notified && m->probes[0].op == WRITTEN && m->hook.written) {
		m->hook.written(m->hook.user, m->probes[0].line, NULL, 0, false);
		m->notified = true;
	}
	if (m->data.phase != QUIET)
		m->pause = cycle + PAUSE;
	for (unsigned i = 0; i < 2 * L2_DRAM_DMA_LINES; i++) {
		struct dma_line *d = &m->dma[i];

		if (d->phase == DMA_WAITS && d->first <= cycle)
			advance_dma_line(m, d, cycle);
		else if (d->phase == DMA_WAITS)
			l2_dram_call_at(m, d->first);
	}
	send_dma_answers(m, cycle, pins);
}
