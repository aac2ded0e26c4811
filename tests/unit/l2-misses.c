/* SPDX-License-Identifier: Apache-2.0 */
/* Several misses of an L1D at the L2: they are answered as they become ready, with their
 * identifiers, and probes of other lines do not wait for them. */
#include "verilated/memory.h"

#include <stdlib.h>

#include "check.h"
#include "soc.h"

enum { SIZE = 1 << 20, LINE = L2_DRAM_LINE, BEATS = LINE / 8, IDS = 4 };
enum { L2 = 14, DRAM = 110, PROBE = 4 };

static uint8_t ram[SIZE];
static struct rtl rtl = {.nharts = 1, .misses = IDS};

/* Beats that the L1D has got. */
struct got {
	unsigned beats;
	uint64_t first, last;
	uint64_t data[BEATS];
};

struct bench {
	struct memory *memory;
	uint64_t cycle, probed, dram;
	unsigned drams; /* cycles with the pin */
	struct got got[IDS];
};

static void told(void *user, const struct memory_written *w)
{
	CHECK(user && w);
}

static void told_back(void *user, uint64_t address)
{
	CHECK(user && address >= SOC_RAM_BASE);
}

static void start(struct bench *b)
{
	const struct l2_dram_timing timing = {.l2 = L2, .dram = DRAM, .probe = PROBE};
	const struct memory_hooks hooks = {
	    .user = b, .written_back = told_back, .dma_written = told};

	*b = (struct bench){.cycle = 1};
	rtl.lines = (struct l2_dram_pins){.dmem_excl = true};
	for (unsigned i = 0; i < SIZE; i++)
		ram[i] = (uint8_t)(i * 7 + i / 64);
	b->memory = memory_new(&rtl, ram, SIZE, &timing, &hooks);
}

static uint64_t line_at(unsigned number)
{
	return SOC_RAM_BASE + (uint64_t)LINE * number;
}

static void request_line(struct bench *b, unsigned id, uint64_t line)
{
	const struct rtl_ports ports = {
	    .lines = {.dmem_req = true, .dmem_id = id, .dmem_addr = line}};

	b->got[id % IDS] = (struct got){0};
	memory_answer(b->memory, b->cycle, &ports);
}

static void pass(struct bench *b, unsigned cycles)
{
	const struct l2_dram_pins *pins = &rtl.lines;

	while (cycles--) {
		b->cycle++;
		if (memory_next(b->memory) <= b->cycle)
			memory_drive(b->memory, b->cycle);
		if (pins->probe_valid && !b->probed)
			b->probed = b->cycle;
		if (pins->dmem_dram && !b->dram)
			b->dram = b->cycle;
		b->drams += pins->dmem_dram;
		if (!pins->dmem_valid || !CHECK(pins->dmem_id < IDS))
			continue;
		struct got *got = &b->got[pins->dmem_id];
		if (got->beats == 0)
			got->first = b->cycle;
		if (CHECK(got->beats < BEATS))
			got->data[got->beats++] = pins->dmem_data;
		got->last = b->cycle;
	}
}

static void end(struct bench *b)
{
	CHECK(!memory_fault(b->memory));
	memory_free(b->memory);
}

static void check_line(const struct got *got, uint64_t line, uint64_t first)
{
	CHECK_EQ(got->beats, BEATS);
	CHECK_EQ(got->first, first);
	CHECK_EQ(got->last, first + BEATS - 1);
	CHECK(memcmp(got->data, ram + (line - SOC_RAM_BASE), LINE) == 0);
}

/* The L2 has these lines from now on, and the L1D too. */
static void warm(struct bench *b, unsigned first, unsigned n)
{
	for (unsigned i = first; i < first + n; i++) {
		request_line(b, 0, line_at(i));
		pass(b, L2 + DRAM + BEATS + 1);
	}
	b->dram = b->probed = 0;
}

static void test_overlap(void)
{
	struct bench b;
	uint64_t cycle;

	start(&b);
	cycle = b.cycle;
	for (unsigned id = 0; id < IDS; id++) {
		request_line(&b, IDS - 1 - id, line_at(id));
		pass(&b, 1);
	}
	pass(&b, L2 + DRAM + IDS * BEATS);
	CHECK_EQ(b.dram, cycle + L2);
	CHECK_EQ(b.drams, DRAM + IDS * BEATS);
	for (unsigned id = 0; id < IDS; id++)
		check_line(&b.got[IDS - 1 - id], line_at(id),
			   cycle + L2 + DRAM + BEATS * id);
	end(&b);
}

/* A hit passes a miss, but not one that is ready in the same cycle. */
static void test_readiness(void)
{
	struct bench b;
	uint64_t cycle;

	start(&b);
	warm(&b, 0, 2);
	cycle = b.cycle;
	request_line(&b, 3, line_at(10));
	pass(&b, 1);
	request_line(&b, 1, line_at(0));
	pass(&b, DRAM - 1);
	request_line(&b, 0, line_at(1));
	pass(&b, L2 + 2 * BEATS);
	check_line(&b.got[1], line_at(0), cycle + 1 + L2);
	check_line(&b.got[3], line_at(10), cycle + L2 + DRAM);
	check_line(&b.got[0], line_at(1), cycle + L2 + DRAM + BEATS);
	end(&b);
}

/* DMA writes a line that the L1D has: its probe does not wait for another line, but for
 * the same. */
static void check_probe(unsigned missed, bool waits)
{
	const struct rtl_ports write = {
	    .lines = {.dma_req = true,
		      .dma_write = true,
		      .dma_addr = line_at(0),
		      .dma_beat_valid = true,
		      .dma_beat = {.strobe = 0xff, .last = true, .data = 1}}};
	struct bench b;
	uint64_t cycle;

	start(&b);
	warm(&b, 0, 1);
	cycle = b.cycle;
	memory_answer(b.memory, b.cycle, &write);
	pass(&b, L2 - 2);
	request_line(&b, 2, line_at(missed));
	pass(&b, 2 * L2 + DRAM);
	if (waits)
		CHECK_EQ(b.probed, b.got[2].last + 1);
	else
		CHECK_EQ(b.probed, cycle + L2);
	end(&b);
}

static void test_faults(void)
{
	struct bench b;

	start(&b);
	request_line(&b, 1, line_at(0));
	request_line(&b, 2, line_at(1));
	CHECK(!memory_fault(b.memory));
	request_line(&b, 1, line_at(2));
	CHECK(memory_fault(b.memory));
	memory_free(b.memory);
	start(&b);
	request_line(&b, IDS, line_at(0));
	CHECK(memory_fault(b.memory));
	memory_free(b.memory);
}

int main(void)
{
	test_overlap();
	test_readiness();
	check_probe(5, false);
	check_probe(0, true);
	test_faults();
	return check_done();
}
