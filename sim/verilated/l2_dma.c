/* SPDX-License-Identifier: Apache-2.0 */
/* The port of the L2 for DMA. */
#include <string.h>

#include "l2_dram_state.h"

/* The L1D gets this many cycles after an answer, or, with one miss at a time, after a
 * fill, so that it makes progress. */
enum { PAUSE = 4 };

static struct dma_line *begin_dma_line(struct l2_dram *m, unsigned number,
				       uint64_t address)
{
	struct dma_line *d = &m->dma[number];

	if (d->phase != DMA_FREE)
		m->base.fault = "a DMA request while its identifier is in use";
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
	d->first = cycle + m->base.timing.l2;
	memory_call_at(&m->base, d->first);
	if (!memory_bytes(&m->base, d->line))
		return;
	l2_dram_use(m, d->line, cycle, &missed);
	d->unknown = missed;
	if (missed && data)
		d->first += m->base.timing.dram;
	else if (!missed && arrival > d->first)
		d->first = arrival;
}

static void take_dma_beat(struct l2_dram *m, uint64_t cycle, const struct l2_dram_beat *b)
{
	struct dma_line *d = &m->dma[L2_DRAM_DMA_LINES + b->id];

	if (d->phase != DMA_GATHERS) {
		m->base.fault = "a beat of no DMA write";
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

void l2_dma_answer(struct l2_dram *m, uint64_t cycle, const struct l2_dram_requests *q)
{
	struct dma_line *d;

	if (q->dma_req && q->dma_write) {
		d = begin_dma_line(m, L2_DRAM_DMA_LINES + q->dma_id, q->dma_addr);
		d->write = true;
		d->phase = DMA_GATHERS;
	} else if (q->dma_req) {
		d = begin_dma_line(m, q->dma_id, q->dma_addr);
		look_up_dma_line(m, d, cycle, true);
	}
	if (q->dma_beat_valid)
		take_dma_beat(m, cycle, &q->dma_beat);
}

uint64_t l2_dma_arrival(const struct l2_dram *m, uint64_t line)
{
	uint64_t arrival = 0;

	for (unsigned i = 0; i < DMA_LINES; i++)
		if (m->dma[i].phase == DMA_WAITS && m->dma[i].line == line &&
		    m->dma[i].first > arrival)
			arrival = m->dma[i].first;
	return arrival;
}

/* Reports the bytes that DMA has written to a line, or, without `d`, that reservations on
 * it have ended. */
static void tell_dma_write(const struct l2_dram *m, uint64_t line,
			   const struct dma_line *d)
{
	const struct memory_hooks *hooks = &m->base.hooks;
	struct memory_written w = {.address = line, .size = LINE};

	if (d) {
		w.data = d->data;
		w.mask = d->mask;
		w.master.copies = d - m->dma >= L2_DRAM_DMA_LINES + L2_DRAM_DMA_COPIES &&
				  d - m->dma < DISK_LINE;
	}
	hooks->dma_written(hooks->user, &w);
}

/* The L1D holds nothing newer: reads or writes the line. The answer comes later. */
static void complete_dma_line(struct l2_dram *m, struct dma_line *d,
			      uint64_t send_dma_answers)
{
	uint8_t *ram = memory_bytes(&m->base, d->line);

	d->phase = DMA_ANSWERS;
	d->first = send_dma_answers;
	d->turn = ++m->turns;
	memory_call_at(&m->base, send_dma_answers);
	if (!ram)
		return;
	if (!d->write) {
		memcpy(d->data, ram, LINE);
		return;
	}
	for (unsigned i = 0; i < LINE; i++)
		if (d->mask >> i & 1)
			ram[i] = d->data[i];
	tell_dma_write(m, d->line, d);
}

void l2_dma_probed(struct l2_dram *m, uint64_t line, uint8_t op, uint64_t cycle)
{
	m->pause = cycle + PAUSE;
	for (unsigned i = 0; i < DMA_LINES; i++) {
		struct dma_line *d = &m->dma[i];

		if (d->phase == DMA_PROBES && d->line == line &&
		    (!d->write || op == WRITTEN))
			complete_dma_line(m, d, cycle + m->base.timing.probe);
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
	const struct line *line = memory_find_line(&m->base, d->line);
	bool probe = line && line->owned;

	if (d->write)
		probe = !line || line->inside || line->touched || d->unknown;
	/* A probe on its way may be of the line as the L2 evicted it. */
	if (memory_bytes(&m->base, d->line) && (probe || is_probed(m, d->line))) {
		d->phase = DMA_PROBES;
		l2_dram_add_probe(m, d->line, d->write ? WRITTEN : TO_SHARED, cycle);
		return;
	}
	complete_dma_line(m, d, cycle);
}

/* Returns the line whose answer is due first, among reads, writes or those of the disk.
 */
static struct dma_line *due_dma_line(struct l2_dram *m, unsigned from, unsigned count,
				     uint64_t cycle)
{
	struct dma_line *best = NULL;

	for (unsigned i = from; i < from + count; i++) {
		struct dma_line *d = &m->dma[i];

		if (d->phase != DMA_ANSWERS)
			continue;
		memory_call_at(&m->base, d->first > cycle ? d->first : cycle + 1);
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
	struct dma_line *read = due_dma_line(m, 0, L2_DRAM_DMA_LINES, cycle);

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
	struct dma_line *write =
	    due_dma_line(m, L2_DRAM_DMA_LINES, L2_DRAM_DMA_LINES, cycle);
	if (write) {
		pins->dma_done = true;
		pins->dma_done_id = (uint8_t)(write - m->dma - L2_DRAM_DMA_LINES);
		release_dma_line(m, write);
	}
}

/* ------------------------------------------------------------ the disk */

void memory_disk_read(struct memory *memory, uint64_t cycle, unsigned slot,
		      uint64_t address)
{
	struct l2_dram *m = (struct l2_dram *)memory;

	look_up_dma_line(m, begin_dma_line(m, DISK_LINE + slot, address), cycle, true);
}

/* The beats of the line take a cycle each. */
void memory_disk_write(struct memory *memory, uint64_t cycle, unsigned slot,
		       uint64_t address, const uint8_t data[LINE], uint64_t mask)
{
	struct l2_dram *m = (struct l2_dram *)memory;
	struct dma_line *d = begin_dma_line(m, DISK_LINE + slot, address);

	d->write = true;
	d->mask = mask;
	memcpy(d->data, data, LINE);
	look_up_dma_line(m, d, cycle + BEATS - 1, mask != UINT64_MAX);
}

/* Answers one line at a time: a read with the last of its beats. */
static void answer_disk(struct l2_dram *m, uint64_t cycle)
{
	struct dma_line *d = due_dma_line(m, DISK_LINE, L2_DRAM_DISK_LINES, cycle);

	if (!d)
		return;
	if (!d->write && ++d->beat < BEATS) {
		d->turn = 0; /* the others wait */
		return;
	}
	m->base.hooks.disk_done(m->base.hooks.user, (unsigned)(d - m->dma) - DISK_LINE,
				d->data);
	release_dma_line(m, d);
}

void l2_dma_drive(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins)
{
	/* The core sees a probe in the cycle after the first; until then an SC succeeds.
	 */
	if (m->probing && !m->notified && m->probes[0].op == WRITTEN) {
		tell_dma_write(m, m->probes[0].line, NULL);
		m->notified = true;
	}
	if (m->ndata && m->base.rtl->misses <= 1)
		m->pause = cycle + PAUSE;
	for (unsigned i = 0; i < DMA_LINES; i++) {
		struct dma_line *d = &m->dma[i];

		if (d->phase == DMA_WAITS && d->first <= cycle)
			advance_dma_line(m, d, cycle);
		else if (d->phase == DMA_WAITS)
			memory_call_at(&m->base, d->first);
	}
	send_dma_answers(m, cycle, pins);
	answer_disk(m, cycle);
}
