// SPDX-License-Identifier: Apache-2.0
// The trace port: the tokens of a cycle are in its lanes in program order, each with its
// own details; what commits alone, and traps, are in lane 0. Random cycles against a
// plain reference.
#include <cstring>

#include "bench.h"
#include "rtl_constants.h"

#ifndef COMMITS
#define COMMITS 1
#endif

enum { CYCLES = 100000, TP = 4, SP = 2 };
enum { ALU = 0, MEM = 5, CSR = 6, SYS = 7, MRET = 2 }; // soc_pkg::unit_e, sys_op_e

// Bits of a lane of each port.
enum { UNIT = 4, RD = 6, WORD = 64, ADDRESS = 56, INSN = 32, SIZE = 2, OP = 4 };
enum { TOKEN = 96, DETAIL = 205 };
static_assert(TOKEN == RTL_TraceTokenBits && DETAIL == RTL_TraceDetailBits,
	      "the ports are those of soc_pkg.sv");
// Fields of soc_pkg::trace_detail_t.
enum { VALUE = 0, WDATA = 64, ADDR = 128, DEVICE = 184, D_SIZE = 185, CAUSE = 187 };
enum { STORE = 193, LOAD = 194, SATP_WE = 195, XRET = 196, D_RD = 197, PRIV = 203 };

// An instruction that commits, or traps.
struct commit {
	uint64_t pc, value, wdata, address;
	uint32_t insn;
	unsigned unit, op, size, rd;
	bool load, store, device;
};

template <class PIN>
static void set_bits(PIN &pin, unsigned low, unsigned n, uint64_t value)
{
	uint8_t *bytes = reinterpret_cast<uint8_t *>(&pin);

	for (unsigned i = 0; i < n; i++) {
		const unsigned at = low + i;

		bytes[at / 8] = static_cast<uint8_t>((bytes[at / 8] & ~(1U << at % 8)) |
						     (value >> i & 1) << at % 8);
	}
}

template <class PIN> static uint64_t get_bits(const PIN &pin, unsigned low, unsigned n)
{
	const uint8_t *bytes = reinterpret_cast<const uint8_t *>(&pin);
	uint64_t value = 0;

	for (unsigned i = 0; i < n; i++)
		value |= static_cast<uint64_t>(bytes[(low + i) / 8] >> (low + i) % 8 & 1)
			 << i;
	return value;
}

// An ordinary instruction, a load or a store; sometimes of tp or sp.
static commit draw_ordinary(rng *random)
{
	commit c = {};

	c.pc = random->next();
	c.insn = static_cast<uint32_t>(random->next()) | 3;
	c.value = random->next();
	c.wdata = random->next();
	c.address = random->next() >> 8;
	c.rd = random->below(64);
	c.unit = random->once_in(2) ? unsigned(MEM) : random->below(MEM);
	if (c.unit == MEM) {
		c.op = random->below(2);
		c.size = random->below(4);
		c.load = c.op == 0;
		c.store = c.op == 1;
		c.device = random->once_in(3);
	}
	return c;
}

static commit draw_lone(rng *random)
{
	commit c = draw_ordinary(random);

	c.load = c.store = c.device = false;
	c.unit = random->once_in(2) ? CSR : SYS;
	c.op = c.unit == SYS ? MRET : 0;
	return c;
}

static void drive_lane(Vdut *dut, unsigned lane, const commit *c)
{
	set_bits(dut->pc_i, lane * WORD, WORD, c->pc);
	set_bits(dut->insn_i, lane * INSN, INSN, c->insn);
	set_bits(dut->size_i, lane * SIZE, SIZE, c->size);
	set_bits(dut->op_i, lane * OP, OP, c->op);
	set_bits(dut->unit_i, lane * UNIT, UNIT, c->unit);
	set_bits(dut->rd_i, lane * RD, RD, c->rd);
	set_bits(dut->value_i, lane * WORD, WORD, c->value);
	set_bits(dut->load_i, lane, 1, c->load);
	set_bits(dut->store_i, lane, 1, c->store);
	set_bits(dut->device_i, lane, 1, c->device);
	set_bits(dut->addr_i, lane * WORD, WORD, c->address);
	set_bits(dut->wdata_i, lane * WORD, WORD, c->wdata);
}

static bool must_be_full(const commit *c, bool full)
{
	const bool adds = (c->insn & 0xfffff) == (SP << 15 | SP << 7 | 0x13);

	return full || c->unit > MEM || c->rd == TP || (c->rd == SP && !adds) ||
	       c->device;
}

static void check_detail(const Vdut *dut, unsigned lane, const commit *c, bool satp_we,
			 unsigned priv)
{
	const unsigned at = lane * DETAIL;

	CHECK(get_bits(dut->trace_detail_o, at + VALUE, 64) == c->value);
	CHECK(get_bits(dut->trace_detail_o, at + D_RD, 6) == c->rd);
	CHECK(get_bits(dut->trace_detail_o, at + PRIV, 2) == priv);
	CHECK(get_bits(dut->trace_detail_o, at + SATP_WE, 1) == satp_we);
	CHECK(get_bits(dut->trace_detail_o, at + XRET, 1) == (c->unit == SYS));
	CHECK(get_bits(dut->trace_detail_o, at + LOAD, 1) == c->load);
	CHECK(get_bits(dut->trace_detail_o, at + STORE, 1) == c->store);
	CHECK(get_bits(dut->trace_detail_o, at + DEVICE, 1) == c->device);
	CHECK(get_bits(dut->trace_detail_o, at + D_SIZE, 2) == c->size);
	CHECK(get_bits(dut->trace_detail_o, at + ADDR, 56) == c->address);
	CHECK(get_bits(dut->trace_detail_o, at + WDATA, 64) ==
	      c->wdata >> 8 * (c->address & 7));
}

static void check_token(const Vdut *dut, unsigned lane, const commit *c)
{
	CHECK(get_bits(dut->trace_token_o, lane * TOKEN, 64) == c->pc);
	CHECK(get_bits(dut->trace_token_o, lane * TOKEN + 64, 32) == c->insn);
}

static void edge_of_both(bench *b)
{
	b->dut.trace_clk_i = 0;
	b->settle();
	b->dut.clk_i = b->dut.trace_clk_i = 1;
	b->dut.eval();
}

// The core gives no values that are not read.
static void drop_values(Vdut *dut, const commit *all)
{
	for (unsigned i = 0; i < COMMITS && !dut->reads_values_o; i++) {
		commit c = all[i];

		c.value = 0;
		drive_lane(dut, i, &c);
	}
}

static void run_cycle(bench *b, unsigned *widths)
{
	const bool traps = b->random.once_in(10), lone = !traps && b->random.once_in(5);
	const bool full = b->random.once_in(3), satp_we = lone && b->random.once_in(2);
	const unsigned n = traps ? 0 : lone ? 1 : b->random.below(COMMITS + 1);
	const unsigned priv = b->random.below(2), cause = b->random.below(64);
	const uint64_t tval = b->random.next();
	commit all[COMMITS];

	for (unsigned i = 0; i < COMMITS; i++) {
		all[i] =
		    lone && i == 0 ? draw_lone(&b->random) : draw_ordinary(&b->random);
		drive_lane(&b->dut, i, &all[i]);
	}
	b->dut.commit_i = static_cast<CData>((1U << n) - 1);
	b->dut.trap_i = traps;
	b->dut.on_i = 1;
	b->dut.full_i = full;
	b->dut.satp_we_i = satp_we;
	b->dut.priv_i = static_cast<CData>(priv);
	b->dut.cause_i = static_cast<CData>(cause);
	b->dut.tval_i = tval;
	b->settle();
	drop_values(&b->dut, all);
	edge_of_both(b);
	widths[n]++;
	for (unsigned i = 0; i < COMMITS; i++) {
		const unsigned event = (i < n) | (traps && i == 0) << 1;

		CHECK(get_bits(b->dut.trace_event_o, 2 * i, 2) == event);
		if (event)
			check_token(&b->dut, i, &all[i]);
		if (i >= n)
			continue;
		CHECK(get_bits(b->dut.trace_full_o, i, 1) == must_be_full(&all[i], full));
		if (must_be_full(&all[i], full))
			check_detail(&b->dut, i, &all[i], satp_we, priv);
	}
	if (traps) {
		CHECK(get_bits(b->dut.trace_detail_o, VALUE, 64) == tval);
		CHECK(get_bits(b->dut.trace_detail_o, CAUSE, 6) == cause);
		CHECK(get_bits(b->dut.trace_detail_o, D_RD, 6) == 0);
	}
}

int main()
{
	bench b(1);
	unsigned widths[COMMITS + 1] = {};

	b.dut.commit_i = 0;
	b.dut.trap_i = 0;
	b.dut.rst_ni = 0;
	edge_of_both(&b);
	edge_of_both(&b);
	b.dut.rst_ni = 1;
	for (unsigned i = 0; i < CYCLES && going_well(); i++)
		run_cycle(&b, widths);
	for (unsigned n = 0; n <= COMMITS && going_well(); n++)
		CHECK(widths[n] > CYCLES / (4 * (COMMITS + 1)));
	return bench_done();
}
