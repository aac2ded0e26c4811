// SPDX-License-Identifier: Apache-2.0
// Memory, behind the crossbar: it answers in any order, beats of several lines in turn.
#ifndef CROSSBAR_MEMORY_H
#define CROSSBAR_MEMORY_H

#include "system.h"

static void memory_drive(struct system *s)
{
	Vdut *dut = &s->b.dut;
	unsigned first = s->b.random.below(SLOTS);

	s->answers = -1;
	if (!one_in(s, s->mix.pause))
		for (unsigned i = 0; i < SLOTS && s->answers < 0; i++) {
			unsigned id = (first + i) % SLOTS;

			if (s->reads[id].valid && s->reads[id].from <= s->cycle)
				s->answers = static_cast<int>(id);
		}
	dut->mem_rsp_valid_i = s->answers >= 0;
	if (s->answers < 0)
		return;
	const struct memory_read *r = &s->reads[s->answers];

	pack_pin(dut->mem_rsp_i,
		 read_beat{r->data[r->beat], static_cast<unsigned>(s->answers) & 31});
}

static void take_write(struct system *s)
{
	memory_write w = unpack_pin<memory_write>(s->b.dut.mem_write_o);
	uint64_t line = w.word / WORDS, word = w.word % WORDS;

	if (!CHECK(line < LINES))
		return;
	CHECK_EQ(w.dma, s->b.dut.dma_write_valid_i && s->b.dut.dma_write_ready_o);
	for (unsigned i = 0; i < 8; i++)
		if (w.strb >> i & 1)
			s->ram[line][word] =
			    (s->ram[line][word] & ~(UINT64_C(255) << 8 * i)) |
			    (w.data & UINT64_C(255) << 8 * i);
}

static void memory_clock(struct system *s)
{
	const Vdut *dut = &s->b.dut;

	for (unsigned h = 0; h < HARTS; h++) {
		unsigned n = 0;

		for (unsigned m = 0; m < MISSES; m++)
			n += s->reads[h * MISSES + m].valid;
		s->counts.overlapped += n >= 3;
	}
	if (s->answers >= 0 && ++s->reads[s->answers].beat == WORDS)
		s->reads[s->answers].valid = false;
	if (dut->mem_read_valid_o) {
		read_request q = unpack_pin<read_request>(dut->mem_read_o);

		if (!CHECK(q.id < SLOTS && q.addr / 64 < LINES) ||
		    !CHECK(!s->reads[q.id].valid))
			return;
		struct memory_read *r = &s->reads[q.id];

		*r = {true, 0, s->cycle + 1 + s->b.random.below(s->mix.latency), {}};
		memcpy(r->data, s->ram[q.addr / 64], sizeof(r->data));
	}
	if (dut->mem_write_valid_o)
		take_write(s);
}

#endif
