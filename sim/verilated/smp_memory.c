/* SPDX-License-Identifier: Apache-2.0 */
/* The L2 and DRAM of several harts. */
#include <stdlib.h>
#include <string.h>

#include "memory_state.h"
#include "rtl_constants.h"

struct request {
	bool valid;
	uint64_t line;
	uint64_t first;	 /* cycle of the first beat at the earliest */
	uint64_t missed; /* cycle in which the L2 detects the miss; NEVER: a hit */
	unsigned beat;
};

struct smp_memory {
	struct memory base;
	struct request requests[SMP_IDS];
	int sending; /* the request whose beats are being sent, or -1 */
};

/* Returns the bytes at this address, or NULL. Only DMA, whose addresses software chooses
 * freely, may use others than those of RAM. */
static uint8_t *check_ram_address(struct memory *m, uint64_t address, bool dma)
{
	uint8_t *bytes = memory_bytes(m, address);

	if (!bytes && !dma)
		m->fault = "an address outside memory";
	return bytes;
}

/* Identifiers are those of the misses of the L1Ds, of the L1Is, and of DMA, in this
 * order.
 */
static unsigned first_fetch(const struct memory *m)
{
	return m->rtl->nharts * m->rtl->misses;
}

static unsigned first_dma(const struct memory *m)
{
	return first_fetch(m) + m->rtl->nharts;
}

static void begin_read(struct smp_memory *s, uint64_t cycle, unsigned id,
		       uint64_t address)
{
	struct memory *m = &s->base;
	struct request *r = &s->requests[id % SMP_IDS];
	const unsigned l2 = m->timing.l2;
	struct line old;

	if (r->valid)
		m->fault = "a request while another is under way";
	*r = (struct request){.valid = true, .line = address, .missed = NEVER};
	r->first = cycle + (l2 > SMP_CROSSBAR ? l2 - SMP_CROSSBAR : 1);
	if (check_ram_address(m, address, id >= first_dma(m))) {
		memory_use_line(m, address, &old);
		if (old.address != address) {
			r->missed = r->first;
			r->first += m->timing.dram;
		}
	}
	memory_call_at(m, r->first);
	memory_call_at(m, r->missed);
}

static void take_write(struct memory *m, const struct smp_requests *q)
{
	uint8_t *bytes = check_ram_address(m, q->write_address, q->dma);
	struct line old;

	if (!bytes)
		return;
	if (q->dma && q->write_address % LINE == 0)
		memory_use_line(m, q->write_address, &old);
	for (unsigned i = 0; i < 8; i++)
		if (q->strobe >> i & 1)
			bytes[i] = (uint8_t)(q->data >> 8 * i);
}

/* Finds a master by its number in mem_pkg.sv. Returns false, with a fault, if there is
 * none of this number. */
static bool find_dma_master(struct memory *m, unsigned number,
			    struct memory_master *master)
{
	*master = (struct memory_master){.copies = number != RTL_DmaMasterNic};
	if (!master->copies)
		return true;
	master->hart = number - (unsigned)RTL_DmaMasterCopy;
	if (master->hart < m->rtl->nharts)
		return true;
	m->fault = "DMA of an unknown master";
	return false;
}

/* The probes before a write by DMA have ended reservations, and no L1D has the line
 * before it is complete, so it is reported word by word. */
static void tell_smp_write(struct memory *m, const struct smp_requests *q)
{
	struct memory_written w = {.address = q->write_address,
				   .mask = q->strobe,
				   .data = (const uint8_t *)&q->data,
				   .size = sizeof(q->data)};

	if (q->dma && find_dma_master(m, q->write_master, &w.master))
		m->hooks.dma_written(m->hooks.user, &w);
	else if (!q->dma)
		m->hooks.written_back(m->hooks.user, q->write_address);
}

static void answer_beats(struct memory *m, uint64_t cycle, const struct rtl_ports *ports)
{
	const struct smp_requests *q = &ports->beats;
	struct memory_master master;

	if (q->write)
		take_write(m, q);
	if (q->answer && find_dma_master(m, q->answer_master, &master))
		m->hooks.dma_read(m->hooks.user, master, q->answer_address,
				  q->answer_data);
	if (q->write)
		tell_smp_write(m, q);
	if (q->read)
		begin_read((struct smp_memory *)m, cycle, q->read_id, q->read_address);
}

/* Chooses the request that has waited longest, if a line can be sent. */
static void choose_request(struct smp_memory *s, uint64_t cycle)
{
	for (int i = 0; s->sending < 0 && i < SMP_IDS; i++)
		if (s->requests[i].valid && s->requests[i].first <= cycle)
			s->sending = i;
	for (int i = 0; s->sending >= 0 && i < SMP_IDS; i++)
		if (s->requests[i].valid &&
		    s->requests[i].first < s->requests[s->sending].first)
			s->sending = i;
}

static void send_beat(struct smp_memory *s, struct smp_pins *pins)
{
	struct request *r = &s->requests[s->sending];
	const uint8_t *bytes = memory_bytes(&s->base, r->line);

	pins->valid = true;
	pins->id = (uint8_t)s->sending;
	if (bytes)
		memcpy(&pins->data, bytes + 8 * r->beat, sizeof(pins->data));
	if (++r->beat < BEATS)
		return;
	r->valid = false;
	s->sending = -1;
}

static void drive_dram(const struct smp_memory *s, uint64_t cycle, struct smp_pins *pins)
{
	const unsigned fetches = first_fetch(&s->base), misses = s->base.rtl->misses;

	for (unsigned i = 0; i < first_dma(&s->base); i++) {
		const struct request *r = &s->requests[i];
		unsigned bit = i < fetches ? 2 * (i / misses) + 1 : 2 * (i - fetches);

		if (r->missed <= cycle && (r->valid || pins->id == i))
			pins->dram = (uint8_t)(pins->dram | 1U << bit);
	}
}

static void drive_beats(struct memory *m, uint64_t cycle)
{
	struct smp_memory *s = (struct smp_memory *)m;
	struct smp_pins *pins = &m->rtl->beats;

	*pins = (struct smp_pins){.id = SMP_IDS};
	if (s->sending < 0)
		choose_request(s, cycle);
	if (s->sending >= 0) {
		send_beat(s, pins);
		memory_call_at(m, cycle + 1);
	}
	drive_dram(s, cycle, pins);
	for (unsigned i = 0; i < SMP_IDS; i++) {
		const struct request *r = &s->requests[i];

		if (r->valid)
			memory_call_at(m, r->first > cycle ? r->first : cycle + 1);
		if (r->valid && r->missed > cycle)
			memory_call_at(m, r->missed);
	}
	pins->id &= SMP_IDS - 1;
}

struct memory *smp_memory_new(void)
{
	struct smp_memory *s = calloc(1, sizeof(*s));

	if (!s)
		return NULL;
	s->base.answer = answer_beats;
	s->base.drive = drive_beats;
	s->sending = -1;
	return &s->base;
}
