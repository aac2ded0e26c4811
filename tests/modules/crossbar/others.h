// SPDX-License-Identifier: Apache-2.0
// L1Is that fetch, and a DMA master.
#ifndef CROSSBAR_OTHERS_H
#define CROSSBAR_OTHERS_H

#include "system.h"

static void drive_fetches(struct system *s)
{
	Vdut *dut = &s->b.dut;

	for (unsigned h = 0; h < HARTS; h++) {
		struct fetch *f = &s->fetches[h];

		f->asks = !f->valid && !s->drains && one_in(s, s->mix.fetch);
		if (f->asks)
			*f = {true, true, s->b.random.below(s->mix.lines), 0, s->cycle};
		put_bit(dut->imem_req_i, h, f->asks);
		put(dut->imem_addr_i, h, 64 * f->line);
	}
}

// Returns an id that is not in use, or IDS.
static unsigned free_id(struct system *s)
{
	unsigned first = s->b.random.below(IDS);

	for (unsigned i = 0; i < IDS; i++)
		if (!s->dma[(first + i) % IDS].valid)
			return (first + i) % IDS;
	return IDS;
}

static void drive_dma(struct system *s)
{
	Vdut *dut = &s->b.dut;

	if (!s->asked.valid && !s->drains && one_in(s, s->mix.dma)) {
		s->asked_id = free_id(s);
		s->asked = {s->asked_id < IDS, s->b.random.once_in(2),
			    s->b.random.below(s->mix.lines), 0, s->cycle};
	}
	dut->dma_valid_i = s->asked.valid;
	pack_pin(dut->dma_req_i,
		 dma_line{64 * s->asked.line, s->asked_id & 7, s->asked.writes});
	dut->dma_write_valid_i = s->nwrites && (s->sent || !one_in(s, 3));
	pack_pin(dut->dma_write_i, dma_word{s->b.random.next(),
					    one_in(s, 2) ? 255 : s->b.random.below(256)});
}

static void others_drive(struct system *s)
{
	drive_fetches(s);
	drive_dma(s);
}

static void clock_fetches(struct system *s)
{
	const Vdut *dut = &s->b.dut;

	for (unsigned h = 0; h < HARTS; h++) {
		struct fetch *f = &s->fetches[h];

		if (f->valid)
			waited(s, 2, f->since);
		if (!(dut->imem_valid_o >> h & 1) || !CHECK(f->valid))
			continue;
		CHECK_EQ(dut->imem_data_o, s->latest[f->line][f->beat]);
		if (++f->beat == WORDS) {
			f->valid = false;
			s->counts.fetches++;
		}
	}
}

// A beat of a write has been taken.
static void write_beat(struct system *s)
{
	struct dma_access *a = &s->dma[s->order[0]];
	dma_word w = unpack_pin<dma_word>(s->b.dut.dma_write_i);
	uint64_t mask = 0;

	if (!CHECK(s->nwrites > 0))
		return;
	for (unsigned i = 0; i < 8; i++)
		mask |= (w.strb >> i & 1) * UINT64_C(255) << 8 * i;
	s->counts.masks += w.strb != 255;
	s->latest[a->line][s->sent] =
	    (s->latest[a->line][s->sent] & ~mask) | (w.data & mask);
	written(s, HARTS, a->line);
	if (++s->sent < WORDS)
		return;
	s->sent = 0;
	s->nwrites--;
	memmove(s->order, s->order + 1, s->nwrites * sizeof(*s->order));
}

static void answer(struct system *s)
{
	read_beat beat = unpack_pin<read_beat>(s->b.dut.dma_rsp_o);
	struct dma_access *a = &s->dma[beat.id % IDS];

	if (!CHECK(a->valid))
		return;
	if (a->writes) {
		for (unsigned i = 0; i < s->nwrites; i++)
			CHECK(s->order[i] != beat.id);
		a->valid = false;
		s->counts.writes++;
		return;
	}
	CHECK_EQ(beat.data, s->latest[a->line][a->beat]);
	if (++a->beat == WORDS) {
		a->valid = false;
		s->counts.reads++;
	}
}

static void others_clock(struct system *s)
{
	const Vdut *dut = &s->b.dut;

	clock_fetches(s);
	for (const struct dma_access &a : s->dma)
		if (a.valid)
			waited(s, 3, a.since);
	if (dut->dma_rsp_valid_o)
		answer(s);
	if (dut->dma_write_valid_i && dut->dma_write_ready_o)
		write_beat(s);
	if (s->asked.valid && dut->dma_ready_o) {
		s->dma[s->asked_id] = s->asked;
		s->asked.valid = false;
		if (s->asked.writes)
			s->order[s->nwrites++] = s->asked_id;
	}
}

static bool others_wait(const struct system *s)
{
	bool waits = s->asked.valid || s->nwrites;

	for (const struct dma_access &a : s->dma)
		waits |= a.valid;
	for (const struct fetch &f : s->fetches)
		waits |= f.valid;
	return waits;
}

#endif
