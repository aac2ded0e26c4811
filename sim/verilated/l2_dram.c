/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 cache and DRAM: timing of the beats of a line. */
#include "l2_dram_state.h"

#include <stdlib.h>
#include <string.h>

/* Returns a pointer to the 8 bytes at this address, or to a scratch word outside RAM. */
static uint8_t *ram_word(struct l2_dram *m, uint64_t address)
{
	static uint8_t nowhere[8];
	uint8_t *word = memory_bytes(&m->base, address & ~UINT64_C(7));

	if (word)
		return word;
	m->base.fault = "an address outside memory";
	return nowhere;
}

void l2_dram_add_probe(struct l2_dram *m, uint64_t line, uint8_t op, uint64_t cycle)
{
	if (m->nprobes == PROBES) {
		m->base.fault = "no answer to probes";
		return;
	}
	m->probes[m->nprobes++] = (struct line_probe){line, op};
	memory_call_at(&m->base, cycle + 1);
}

/* The L2 is inclusive, so the L1D must evict a line, too. */
struct line *l2_dram_use(struct l2_dram *m, uint64_t address, uint64_t cycle,
			 bool *missed)
{
	struct line old, *line = memory_use_line(&m->base, address, &old);

	*missed = old.address != address;
	if (*missed && old.inside)
		l2_dram_add_probe(m, old.address, TO_INVALID, cycle);
	return line;
}

/* Returns the last cycle in which this line arrives for a request that waits for it, or
 * 0. */
static uint64_t arrival_of_line(const struct l2_dram *m, uint64_t address)
{
	uint64_t arrival = m->ndma ? l2_dma_arrival(m, address) : 0;

	if (m->fetch.phase == WAITS && m->fetch.line == address &&
	    m->fetch.first > arrival)
		arrival = m->fetch.first;
	for (unsigned i = 0; m->ndata && i < m->base.rtl->misses; i++) {
		const struct port *p = &m->data[i];

		if (p->phase == WAITS && p->line == address && p->first > arrival)
			arrival = p->first;
	}
	return arrival;
}

/* Determines when the first beat can arrive, and whether from DRAM. A line for which
 * another request waits arrives at the same time. */
static void look_up_port_line(struct l2_dram *m, struct port *p, uint64_t arrival,
			      uint64_t cycle)
{
	bool missed;

	l2_dram_use(m, p->line, cycle, &missed);
	if (missed) {
		p->missed = p->first;
		p->first += m->base.timing.dram;
	} else if (arrival > p->first) {
		p->missed = p->first;
		p->first = arrival;
	}
}

/* Returns whether the last beat has been sent. */
static bool is_answered(const struct port *p)
{
	return p->phase == ANSWERS && p->beat == (p->upgrade ? 1 : BEATS);
}

static void release_port(struct l2_dram *m, struct port *p)
{
	*p = (struct port){.phase = QUIET, .missed = NEVER};
	if (p == &m->fetch)
		return;
	m->ndata--;
	m->sending = NULL;
}

/* An upgrade of a line just evicted by the L2 is granted as well; the probe for it is on
 * its way. */
static void begin_line_request(struct l2_dram *m, uint64_t cycle, struct port *p,
			       uint64_t address, bool upgrade)
{
	const uint64_t line = address / LINE * LINE, arrival = arrival_of_line(m, line);

	if (is_answered(p))
		release_port(m, p);
	else if (p->phase != QUIET)
		m->base.fault = "a request while another is under way";
	if (p != &m->fetch && p->phase == QUIET)
		m->ndata++;
	*p = (struct port){.phase = WAITS,
			   .line = line,
			   .upgrade = upgrade,
			   .first = cycle + m->base.timing.l2,
			   .missed = NEVER,
			   .turn = ++m->turns};
	ram_word(m, p->line);
	if (!upgrade || memory_find_line(&m->base, p->line))
		look_up_port_line(m, p, arrival, cycle);
	memory_call_at(&m->base, p->first);
	memory_call_at(&m->base, p->missed);
}

static void take_write_back(struct l2_dram *m, uint64_t address, uint64_t data)
{
	struct line *line = memory_find_line(&m->base, address / LINE * LINE);

	memcpy(ram_word(m, address), &data, sizeof(data));
	if (line && address % LINE == LINE - 8 &&
	    !(m->probing && m->probes[0].line == line->address))
		line->inside = line->owned = false;
	m->base.hooks.written_back(m->base.hooks.user, address);
}

static void end_probe(struct l2_dram *m, uint64_t cycle)
{
	struct line_probe done = m->probes[0];
	struct line *line = memory_find_line(&m->base, done.line);

	if (!m->probing) {
		m->base.fault = "an answer to no probe";
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
		m->fetch.first = cycle + m->base.timing.probe;
	}
	memory_call_at(&m->base, cycle + 1);
}

static void answer_lines(struct memory *memory, uint64_t cycle,
			 const struct rtl_ports *ports)
{
	struct l2_dram *m = (struct l2_dram *)memory;
	const struct l2_dram_requests *q = &ports->lines;

	if (q->probe_ack)
		end_probe(m, cycle - 1);
	if (q->wb_valid)
		take_write_back(m, q->wb_addr, q->wb_data);
	if (q->imem_req)
		begin_line_request(m, cycle, &m->fetch, q->imem_addr, false);
	if (q->dmem_req && q->dmem_id < m->base.rtl->misses)
		begin_line_request(m, cycle, &m->data[q->dmem_id], q->dmem_addr,
				   q->dmem_upgrade);
	else if (q->dmem_req)
		m->base.fault = "a request of an unknown miss";
	if (q->dma_req | q->dma_beat_valid)
		l2_dma_answer(m, cycle, q);
}

/* Has `drive` called for a request that waits. */
static void call_for_port(struct l2_dram *m, const struct port *p, uint64_t cycle)
{
	if (p->phase == WAITS)
		memory_call_at(&m->base, p->first > cycle ? p->first : cycle + 1);
	if (p->phase == WAITS && p->missed > cycle)
		memory_call_at(&m->base, p->missed);
}

static void send_beat(struct l2_dram *m, struct port *p, uint64_t cycle, uint64_t *data)
{
	p->phase = ANSWERS;
	memcpy(data, ram_word(m, p->line + 8 * p->beat), sizeof(*data));
	p->beat++;
	memory_call_at(&m->base, cycle + 1);
}

static void drive_fetch(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins)
{
	struct port *p = &m->fetch;

	if (is_answered(p))
		release_port(m, p);
	pins->imem_valid =
	    p->phase == ANSWERS || (p->phase == WAITS && cycle >= p->first);
	if (pins->imem_valid)
		send_beat(m, p, cycle, &pins->imem_data);
	call_for_port(m, p, cycle);
	pins->imem_dram = p->missed <= cycle;
}

/* For code that the L1D may have modified, its data is fetched first. The L1D is asked
 * only once, since otherwise the two could take the line from each other endlessly. */
static void ask_owner(struct l2_dram *m, uint64_t cycle)
{
	struct port *p = &m->fetch;

	if (p->phase != WAITS || p->asked || cycle < p->first)
		return;
	const struct line *line = memory_find_line(&m->base, p->line);
	if (!line || !line->owned)
		return;
	p->phase = PROBES_FIRST;
	p->asked = true;
	l2_dram_add_probe(m, p->line, TO_SHARED, cycle);
}

/* Grants the line to the L1D, which may modify it from now on. */
static void grant_line(struct l2_dram *m, const struct port *p)
{
	struct line *line = memory_find_line(&m->base, p->line);

	if (line)
		line->inside = line->owned = line->touched = true;
}

/* Chooses the request of the L1D that has been ready for longest. */
static struct port *choose_data(struct l2_dram *m, uint64_t cycle)
{
	struct port *best = NULL;

	for (unsigned i = 0; i < m->base.rtl->misses; i++) {
		struct port *p = &m->data[i];

		if (p->phase == WAITS && p->first <= cycle &&
		    (!best || p->first < best->first ||
		     (p->first == best->first && p->turn < best->turn)))
			best = p;
	}
	return best;
}

static void drive_data(struct l2_dram *m, uint64_t cycle, struct l2_dram_pins *pins)
{
	if (m->sending && is_answered(m->sending))
		release_port(m, m->sending);
	if (!m->ndata)
		return;
	if (!m->sending) {
		m->sending = choose_data(m, cycle);
		if (m->sending)
			grant_line(m, m->sending);
	}
	if (m->sending) {
		pins->dmem_valid = true;
		pins->dmem_id = (uint8_t)(m->sending - m->data);
		send_beat(m, m->sending, cycle, &pins->dmem_data);
	}
	for (unsigned i = 0; i < m->base.rtl->misses; i++) {
		call_for_port(m, &m->data[i], cycle);
		pins->dmem_dram |= m->data[i].missed <= cycle;
	}
}

/* Returns whether a probe of this line has to wait. An L1D with one miss at a time
 * answers none during it, others none of a line that is on its way. */
static bool delays_probe(const struct l2_dram *m, uint64_t address)
{
	if (m->base.rtl->misses <= 1)
		return m->ndata != 0;
	for (unsigned i = 0; i < m->base.rtl->misses; i++)
		if (m->data[i].phase != QUIET && m->data[i].line == address)
			return true;
	return false;
}

static void drive_lines(struct memory *memory, uint64_t cycle)
{
	struct l2_dram *m = (struct l2_dram *)memory;
	struct l2_dram_pins *pins = &memory->rtl->lines;

	*pins = (struct l2_dram_pins){.dmem_excl = true}; /* no other sharers */
	if (m->ndma)
		l2_dma_drive(m, cycle, pins);
	ask_owner(m, cycle);
	drive_fetch(m, cycle, pins);
	drive_data(m, cycle, pins);
	if (m->nprobes == 0 || (!m->probing && delays_probe(m, m->probes[0].line)))
		return;
	if (!m->probing && cycle < m->pause) {
		memory_call_at(&m->base, m->pause);
		return;
	}
	m->probing = true;
	pins->probe_valid = true;
	pins->probe_addr = m->probes[0].line;
	pins->probe_op = m->probes[0].op;
	memory_call_at(&m->base, cycle + 1);
}

struct memory *l2_dram_new(void)
{
	struct l2_dram *m = calloc(1, sizeof(*m));

	if (!m)
		return NULL;
	m->base.answer = answer_lines;
	m->base.drive = drive_lines;
	m->fetch.missed = NEVER;
	for (unsigned i = 0; i < MISSES; i++)
		m->data[i].missed = NEVER;
	return &m->base;
}
