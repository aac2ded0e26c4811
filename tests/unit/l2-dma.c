/* SPDX-License-Identifier: Apache-2.0 */
/* DMA at the L2: when lines are read and written, that the L1D is probed before, and that
 * lines in flight overlap. The test plays the core: it answers probes, after it has
 * written back its data. */
#include "verilated/memory.h"

#include <stdlib.h>

#include "check.h"
#include "soc.h"

enum { SIZE = 1 << 22, LINE = L2_DRAM_LINE, LIMIT = 2000 };
enum { L2 = 14, DRAM = 110, PROBE = 4 };
enum { TO_SHARED = 0, WRITTEN = 2 };

static uint8_t ram[SIZE];
static struct rtl rtl = {.nharts = 1, .misses = 1};

struct bench {
	struct memory *memory;
	uint64_t cycle;
	const struct l2_dram_pins *pins;
	/* Of DMA: beats and cycle of the first and last one of each line read, and the
	 * cycle in which each write was done. */
	unsigned beats[L2_DRAM_DMA_LINES];
	uint64_t first[L2_DRAM_DMA_LINES], last[L2_DRAM_DMA_LINES],
	    done[L2_DRAM_DMA_LINES];
	uint8_t data[L2_DRAM_DMA_LINES][LINE];
	/* Probes seen, and how long the core takes to answer. */
	unsigned probes, ops[64], dirty;
	uint64_t probed, acked;
	unsigned delay;
	uint64_t written, mask, ended;
};

static void written(void *user, const struct memory_written *w)
{
	struct bench *b = user;

	CHECK(!w->master.copies);
	if (w->data) {
		b->written = w->address;
		b->mask = w->mask;
		CHECK(memcmp(ram + (w->address - SOC_RAM_BASE), w->data, 1) == 0 ||
		      !(w->mask & 1));
	} else {
		b->ended = w->address;
	}
}

static void written_back(void *user, uint64_t address)
{
	CHECK(user && address >= SOC_RAM_BASE);
}

/* Requests of the core, or its answer to a probe, in this cycle. */
static void request(struct bench *b, const struct l2_dram_requests *lines)
{
	const struct rtl_ports ports = {.lines = *lines};

	memory_answer(b->memory, b->cycle, &ports);
}

static void core_requests(struct bench *b, uint64_t line)
{
	request(b, &(struct l2_dram_requests){.dmem_req = true, .dmem_addr = line});
}

static void core_writes_back(struct bench *b, uint64_t address, uint64_t data)
{
	request(b, &(struct l2_dram_requests){
		       .wb_valid = true, .wb_addr = address, .wb_data = data});
}

static void dma_reads(struct bench *b, unsigned id, uint64_t line)
{
	request(b, &(struct l2_dram_requests){
		       .dma_req = true, .dma_id = id, .dma_addr = line});
}

static void begin(struct bench *b)
{
	const struct l2_dram_timing timing = {.l2 = L2, .dram = DRAM, .probe = PROBE};
	const struct memory_hooks hooks = {
	    .user = b, .written_back = written_back, .dma_written = written};

	*b = (struct bench){.cycle = 1, .delay = 2, .pins = &rtl.lines};
	rtl.lines = (struct l2_dram_pins){.dmem_excl = true};
	for (unsigned i = 0; i < SIZE; i++)
		ram[i] = (uint8_t)(i * 7 + i / 64);
	b->memory = memory_new(&rtl, ram, SIZE, &timing, &hooks);
}

/* The core writes back its line, if it is modified, and answers. */
static void answer_probe(struct bench *b)
{
	uint64_t data = UINT64_C(0xd1d1d1d1d1d1d1d1);

	if (!b->pins->probe_valid)
		return;
	if (!b->probed) {
		b->probed = b->cycle;
		b->ops[b->probes++ % 64] = b->pins->probe_op;
	}
	if (b->cycle < b->probed + b->delay)
		return;
	for (unsigned i = 0; b->dirty && i < 8; i++)
		core_writes_back(b, b->pins->probe_addr + 8 * i, data);
	b->probed = 0;
	b->acked = b->cycle;
	b->cycle++;
	request(b, &(struct l2_dram_requests){.probe_ack = true});
	b->cycle--;
}

static void step(struct bench *b)
{
	b->cycle++;
	if (memory_next(b->memory) <= b->cycle)
		memory_drive(b->memory, b->cycle);
	if (b->pins->dma_valid) {
		unsigned id = b->pins->dma_id;

		memcpy(b->data[id] + 8 * b->beats[id], &b->pins->dma_data, 8);
		if (b->beats[id]++ == 0)
			b->first[id] = b->cycle;
		b->last[id] = b->cycle;
	}
	if (b->pins->dma_done)
		b->done[b->pins->dma_done_id] = b->cycle;
	answer_probe(b);
	CHECK(!memory_fault(b->memory));
}

static void steps(struct bench *b, unsigned n)
{
	while (n--)
		step(b);
}

/* Writes these bytes of the line, in 8 beats. */
static void write_line(struct bench *b, unsigned id, uint64_t line, uint64_t mask)
{
	request(b,
		&(struct l2_dram_requests){
		    .dma_req = true, .dma_write = true, .dma_id = id, .dma_addr = line});
	for (unsigned i = 0; i < 8; i++) {
		const struct l2_dram_beat beat = {.id = id,
						  .beat = i,
						  .strobe = (uint8_t)(mask >> 8 * i),
						  .last = i == 7,
						  .data =
						      UINT64_C(0x0101010101010101) * i};

		request(b, &(struct l2_dram_requests){.dma_beat_valid = true,
						      .dma_beat = beat});
		if (i != 7)
			step(b);
	}
}

/* The core has the line and may have modified it. */
static void core_takes(struct bench *b, uint64_t line)
{
	core_requests(b, line);
	steps(b, L2 + DRAM + 20);
}

static void reads(void)
{
	const uint64_t a = SOC_RAM_BASE + 0x1000;
	struct bench b;

	begin(&b);
	uint64_t at = b.cycle;
	dma_reads(&b, 3, a);
	steps(&b, LIMIT);
	CHECK_EQ(b.beats[3], 8);
	CHECK_EQ(b.first[3], at + L2 + DRAM);
	CHECK_EQ(b.last[3], b.first[3] + 7);
	CHECK(memcmp(b.data[3], ram + 0x1000, LINE) == 0);
	CHECK_EQ(b.probes, 0);
	/* Now the L2 has it. */
	at = b.cycle;
	dma_reads(&b, 4, a);
	steps(&b, LIMIT);
	CHECK_EQ(b.first[4], at + L2);
	/* The core hits the L2 as well. */
	at = b.cycle;
	core_requests(&b, a);
	steps(&b, L2);
	CHECK(b.pins->dmem_valid && !b.pins->dmem_dram);
	memory_free(b.memory);
}

/* A line that the core has modified is read after it has been written back. */
static void reads_modified(void)
{
	const uint64_t a = SOC_RAM_BASE + 0x2000;
	struct bench b;

	begin(&b);
	core_takes(&b, a);
	b.dirty = 1;
	b.delay = 20;
	uint64_t at = b.cycle;
	dma_reads(&b, 0, a);
	steps(&b, LIMIT);
	CHECK_EQ(b.probes, 1);
	CHECK_EQ(b.ops[0], TO_SHARED);
	CHECK(b.acked >= at + L2 + b.delay);
	CHECK_EQ(b.first[0], b.acked + PROBE);
	CHECK_EQ(b.data[0][0], 0xd1);
	CHECK_EQ(b.data[0][63], 0xd1);
	/* It is clean now, which needs no probe. */
	dma_reads(&b, 0, a);
	steps(&b, LIMIT);
	CHECK_EQ(b.probes, 1);
	CHECK_EQ(b.beats[0], 16);
	memory_free(b.memory);
}

/* A line that the core may hold is written after the probe, with byte enables. */
static void writes(void)
{
	const uint64_t a = SOC_RAM_BASE + 0x3000;
	struct bench b;

	begin(&b);
	core_takes(&b, a);
	b.delay = 30;
	write_line(&b, 5, a, UINT64_C(0x00ffff00000000f0));
	steps(&b, L2 + 10);
	CHECK_EQ(b.probes, 1);
	CHECK_EQ(b.ops[0], WRITTEN);
	CHECK_EQ(b.ended, a);
	CHECK_EQ(b.written, 0);
	CHECK_EQ(ram[0x3000 + 5], (uint8_t)((0x3000 + 5) * 7 + (0x3000 + 5) / 64));
	steps(&b, LIMIT);
	CHECK_EQ(b.written, a);
	CHECK_EQ(b.mask, UINT64_C(0x00ffff00000000f0));
	CHECK_EQ(b.done[5], b.acked + PROBE);
	for (unsigned i = 0; i < LINE; i++)
		CHECK_EQ(ram[0x3000 + i],
			 UINT64_C(0x00ffff00000000f0) >> i & 1
			     ? i / 8
			     : (uint8_t)((0x3000 + i) * 7 + (0x3000 + i) / 64));
	/* The core has lost it: no probe. */
	write_line(&b, 5, a, UINT64_MAX);
	steps(&b, LIMIT);
	CHECK_EQ(b.probes, 1);
	CHECK_EQ(ram[0x3000], 0);
	memory_free(b.memory);
}

/* A line that the core has written back itself may still be reserved, and so may one that
 * is not in the L2. */
static void writes_reserved(void)
{
	const uint64_t a = SOC_RAM_BASE + 0x4000;
	struct bench b;

	begin(&b);
	core_takes(&b, a);
	for (unsigned i = 0; i < 8; i++)
		core_writes_back(&b, a + 8 * i, 1);
	write_line(&b, 0, a, UINT64_MAX);
	steps(&b, LIMIT);
	CHECK_EQ(b.probes, 1);
	CHECK_EQ(b.ops[0], WRITTEN);
	write_line(&b, 1, a + LINE, UINT64_MAX);
	uint64_t at = b.cycle;
	steps(&b, LIMIT);
	CHECK_EQ(b.probes, 2);
	CHECK_EQ(b.ops[1], WRITTEN);
	CHECK(b.done[1] < at + L2 + 20); /* not from DRAM */
	write_line(&b, 2, a + 2 * LINE, 1);
	at = b.cycle;
	steps(&b, LIMIT);
	CHECK(b.done[2] >= at + L2 + DRAM);
	memory_free(b.memory);
}

/* Eight lines from DRAM take little longer than one; then one beat comes in each cycle.
 */
static void overlap(void)
{
	struct bench b;

	begin(&b);
	uint64_t at = b.cycle;
	for (unsigned i = 0; i < L2_DRAM_DMA_LINES; i++)
		dma_reads(&b, i, SOC_RAM_BASE + 0x5000 + LINE * i);
	steps(&b, LIMIT);
	for (unsigned i = 0; i < L2_DRAM_DMA_LINES; i++) {
		CHECK_EQ(b.first[i], at + L2 + DRAM + 8 * i);
		CHECK_EQ(b.last[i], b.first[i] + 7);
		CHECK(memcmp(b.data[i], ram + 0x5000 + LINE * i, LINE) == 0);
	}
	memory_free(b.memory);
}

/* The L1D has time for itself after each answer, and is not probed while it waits. */
static void pauses(void)
{
	const uint64_t a = SOC_RAM_BASE + 0x6000;
	struct bench b;
	uint64_t acked = 0;

	begin(&b);
	for (unsigned i = 0; i < 8; i++)
		write_line(&b, i, a + LINE * i, UINT64_MAX);
	core_requests(&b, SOC_RAM_BASE + 0x9000);
	for (unsigned i = 0; i < L2 + DRAM; i++) {
		step(&b);
		CHECK(!b.pins->probe_valid || b.probes <= 8);
	}
	for (unsigned i = 0; i < LIMIT; i++) {
		unsigned before = b.probes;

		step(&b);
		if (b.probes != before && acked)
			CHECK(b.probed >= acked + 4);
		acked = b.acked;
	}
	CHECK_EQ(b.probes, 8);
	memory_free(b.memory);
}

static void outside(void)
{
	struct bench b;

	begin(&b);
	memset(b.data[0], 1, LINE);
	dma_reads(&b, 0, SOC_RAM_BASE + SIZE);
	dma_reads(&b, 1, 0);
	write_line(&b, 0, SOC_RAM_BASE - LINE, UINT64_MAX);
	steps(&b, LIMIT);
	CHECK_EQ(b.beats[0], 8);
	CHECK_EQ(b.beats[1], 8);
	CHECK_EQ(b.data[0][0] | b.data[0][63] | b.data[1][0], 0);
	CHECK(b.done[0] != 0);
	CHECK_EQ(b.probes, 0);
	CHECK_EQ(b.written, 0);
	memory_free(b.memory);
}

static void refuses(void)
{
	const struct l2_dram_beat beat = {.id = 1};
	struct bench b;

	begin(&b);
	dma_reads(&b, 2, SOC_RAM_BASE);
	dma_reads(&b, 2, SOC_RAM_BASE + LINE);
	CHECK_STR(memory_fault(b.memory), "a DMA request while its identifier is in use");
	memory_free(b.memory);
	begin(&b);
	request(&b, &(struct l2_dram_requests){.dma_beat_valid = true, .dma_beat = beat});
	CHECK_STR(memory_fault(b.memory), "a beat of no DMA write");
	memory_free(b.memory);
}

int main(void)
{
	reads();
	reads_modified();
	writes();
	writes_reserved();
	overlap();
	pauses();
	outside();
	refuses();
	return check_done();
}
