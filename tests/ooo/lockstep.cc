// SPDX-License-Identifier: Apache-2.0
// Runs programs on the out-of-order core in lockstep with the functional model: each
// committed instruction has the pc, the bits, the value and the store of the model's.
//
//   lockstep [OPTIONS] FILE.elf...     tells cycles, instructions, mispredictions,
//   violations lockstep [OPTIONS] --random N SEED for N random programs, from that seed
//   on lockstep                           the tests that need no files
//
// --chaos           predictions, violations, evictions, answers of the caches are random,
// and
//                   another agent writes memory
// --cases           counts the cases of case_names, all of which must occur
// --window A B      only from the first instruction at address A to the next one at B
// --fast            no lockstep, for measurements
//
// Mispredictions include those of wrong paths. A program ends when it writes the
// power-off register, or fails: exit status 1.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "Vdut.h"
#include "modules/rng.h"
#include "random_code.h"
#include "verilated.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow" // functions with the name of a struct
extern "C" {
#include "model/model.h"
}
#pragma GCC diagnostic pop

namespace
{

#ifndef WIDTH
#define WIDTH 4
#endif
enum { RAM_WORDS = 1 << 21, CHAOS_TARGETS = 16, PATIENCE = 20000 };
enum { RANDOM_PLAIN = 20, RANDOM_CHAOS = 60 };

// Of cases_o of flat.sv, from its lowest bit on.
const char *const case_names[] = {"partial block that jumps",
				  "load that waits for a store",
				  "load or store that issues in the cycle of its squash",
				  "multiplication that issues in the cycle of its squash",
				  "division in the cycle of its squash",
				  "second store of a group that could commit",
				  "oldest store that waits",
				  "group that is dispatched in part",
				  "marked load that is not the oldest instruction",
				  "marked load that is",
				  "torn instruction",
				  "instruction that is no jump, but was predicted as one",
				  "violation in the cycle of such an instruction",
				  "violation younger than a misprediction of its cycle",
				  "violation older than a misprediction of its cycle",
				  "marked load in the cycle of a misprediction"};
enum { CASES = sizeof(case_names) / sizeof(*case_names) };

struct totals {
	uint64_t cycles, instructions, mispredictions, violations;
	uint64_t cases[CASES];
};

struct run {
	VerilatedContext context;
	std::unique_ptr<Vdut> dut;
	struct soc *model = nullptr;
	rng random{1};
	bool chaos = false, check = true;
	unsigned rates[9] = {}; // of chaos
	bool stubborn = false;	// each block is predicted to jump at its first halfword
	uint64_t targets[CHAOS_TARGETS] = {};
	struct totals sum = {};
	uint64_t last_commit = 0;  // cycle
	uint64_t from = 0, to = 0; // of the window to count
	struct totals before = {}; // it; behind it, what has happened in it
	bool inside = false;
	bool ended = false;
	uint32_t power = 0;
};

// The kind of an instruction that the core cannot execute.
const char *name_of(uint32_t insn)
{
	switch (insn & 0x7f) {
	case 0x73:
		return insn >> 12 & 7 ? "a CSR instruction" : "a system instruction";
	case 0x0f:
		return "a fence.i";
	case 0x2f:
		return "an atomic";
	case 0x07:
	case 0x27:
	case 0x43:
	case 0x47:
	case 0x4b:
	case 0x4f:
	case 0x53:
		return "floating point";
	case 0x03:
	case 0x23:
		return "a misaligned access";
	default:
		return "an illegal instruction or misaligned access";
	}
}

bool differs(const struct run *r, const char *what, uint64_t pc, uint64_t is,
	     uint64_t want)
{
	printf("cycle %lu, instruction %lu at 0x%lx: %s is 0x%lx, not 0x%lx\n",
	       r->sum.cycles, r->sum.instructions, pc, what, is, want);
	return false;
}

bool check_store(const struct run *r, const struct soc_event *e)
{
	const Vdut *d = r->dut.get();
	unsigned shift = 8 * (e->address & 7);
	uint64_t mask = e->size == 8 ? ~UINT64_C(0) : (UINT64_C(1) << 8 * e->size) - 1;
	unsigned bytes = ((1U << e->size) - 1) << (e->address & 7);
	uint64_t data = d->store_data_o >> shift & mask;

	if (d->store_addr_o != (e->address & ~UINT64_C(7)))
		return differs(r, "the group of bytes stored to", e->pc, d->store_addr_o,
			       e->address);
	if (d->store_bytes_o != bytes)
		return differs(r, "the mask of bytes stored", e->pc, d->store_bytes_o,
			       bytes);
	if (data != (e->data & mask))
		return differs(r, "what is stored", e->pc, data, e->data & mask);
	return true;
}

// The lanes as vectors of words; a single lane is a number.
#if WIDTH == 1
uint64_t lane_value(QData value, unsigned)
{
	return value;
}
uint32_t lane_insn(IData value, unsigned)
{
	return value;
}
#else
template <class T> uint64_t lane_value(const T &words, unsigned lane)
{
	return words[2 * lane] | static_cast<uint64_t>(words[2 * lane + 1]) << 32;
}
#if WIDTH == 2
uint32_t lane_insn(QData words, unsigned lane)
{
	return static_cast<uint32_t>(words >> 32 * lane);
}
#else
template <class T> uint32_t lane_insn(const T &words, unsigned lane)
{
	return words[lane];
}
#endif
#endif

// Enters the window, or leaves it and keeps what has happened in it.
void pass_end(struct run *r)
{
	struct totals *t = &r->before;

	if (r->inside) {
		t->cycles = r->sum.cycles - t->cycles;
		t->instructions = r->sum.instructions - t->instructions;
		t->mispredictions = r->sum.mispredictions - t->mispredictions;
		t->violations = r->sum.violations - t->violations;
		r->from = r->to = 0;
		r->inside = false;
	} else {
		*t = r->sum;
		r->inside = true;
	}
}

bool check_lane(struct run *r, unsigned lane, unsigned *stores)
{
	const Vdut *d = r->dut.get();
	uint64_t pc = lane_value(d->pc_o, lane), value = lane_value(d->value_o, lane);
	struct soc_event e;

	soc_step_event(r->model, 0, &e);
	if (e.trap)
		return differs(r, "an instruction that should trap; the cause", pc, 0,
			       e.cause);
	if (pc != e.pc)
		return differs(r, "the pc", e.pc, pc, e.pc);
	if (lane_insn(d->insn_o, lane) != e.insn)
		return differs(r, "the instruction", pc, lane_insn(d->insn_o, lane),
			       e.insn);
	if ((d->writes_o >> lane & 1) != (e.rd != 0))
		return differs(r, "whether a register is written", pc,
			       d->writes_o >> lane & 1, e.rd);
	if (e.rd && value != e.value)
		return differs(r, "the value", pc, value, e.value);
	if (e.store) {
		++*stores;
		if (!d->store_o || *stores > 1)
			return differs(r, "the number of stores", pc, d->store_o,
				       *stores);
		if (!check_store(r, &e))
			return false;
	}
	if (pc == (r->inside ? r->to : r->from))
		pass_end(r);
	if (r->chaos)
		r->targets[r->random.below(CHAOS_TARGETS)] =
		    pc + 2 * r->random.below(6) - 4;
	return true;
}

// Each rate is "once in n times", or never.
void draw_chaos(struct run *r)
{
	static const unsigned rates[] = {0, 2, 3, 5, 20, 100};

	for (unsigned &rate : r->rates)
		rate = rates[r->random.below(6)];
}

bool once(struct run *r, unsigned what)
{
	return r->rates[what] && r->random.once_in(r->rates[what]);
}

uint64_t draw_line(struct run *r)
{
	return (RANDOM_DATA >> 6) + r->random.below(2) * r->random.below(10);
}

void set_straps(struct run *r)
{
	Vdut *d = r->dut.get();

	d->fetch_no_i = once(r, 0);
	d->load_no_i = once(r, 1);
	d->store_no_i = once(r, 2);
	d->chaos_predict_i = once(r, 3);
	if (d->chaos_predict_i) {
		d->chaos_taken_i = r->random.once_in(2);
		d->chaos_last_i = static_cast<CData>(r->random.below(8));
		d->chaos_target_i = r->random.once_in(8)
					? r->random.next()
					: r->targets[r->random.below(CHAOS_TARGETS)];
	}
	if (r->stubborn) {
		d->chaos_predict_i = 1;
		d->chaos_taken_i = 1;
		d->chaos_last_i = 0;
	}
	d->chaos_violate_i = once(r, 4);
	d->probe_i = once(r, 5);
	d->probe_line_i = draw_line(r);
	d->evict_i = once(r, 6);
	d->evict_line_i = draw_line(r);
	d->partial_i = once(r, 7);
	d->partial_last_i = static_cast<CData>(r->random.below(8));
	d->write_i = once(r, 8);
	if (d->write_i) {
		uint64_t word = (RANDOM_DATA - SOC_RAM_BASE) / 8 + r->random.below(16);

		d->write_word_i = static_cast<IData>(word);
		d->write_data_i = r->random.next();
		d->probe_i = 1;
		d->probe_line_i = (SOC_RAM_BASE + 8 * word) >> 6;
		d->store_no_i = 1;
	}
}

// Returns whether the run goes on.
bool after_cycle(struct run *r)
{
	const Vdut *d = r->dut.get();
	unsigned stores = 0;

	for (unsigned cases = d->cases_o; cases; cases &= cases - 1)
		r->sum.cases[__builtin_ctz(cases)]++;
	r->sum.mispredictions += d->mispredicted_o;
	r->sum.violations += d->violated_o;
	for (unsigned lane = 0; lane < d->count_o; lane++) {
		if (r->check && !check_lane(r, lane, &stores))
			return false;
		r->sum.instructions++;
		r->last_commit = r->sum.cycles;
	}
	if (d->write_i) {
		uint64_t data = d->write_data_i;

		soc_write_physical(r->model, SOC_RAM_BASE + 8UL * d->write_word_i, &data,
				   8);
	}
	if (r->check && stores != d->store_o)
		return differs(r, "the number of stores", 0, d->store_o, stores);
	if (d->store_o && d->store_addr_o == SOC_POWER_BASE) {
		r->power = static_cast<uint32_t>(d->store_data_o);
		r->ended = true;
		return false;
	}
	if (d->unhandled_o) {
		printf("cycle %lu, instruction %lu at 0x%lx: the core cannot execute %s "
		       "(0x%08x)\n",
		       r->sum.cycles, r->sum.instructions, d->head_pc_o,
		       name_of(d->head_insn_o), d->head_insn_o);
		return false;
	}
	if (r->sum.cycles - r->last_commit > PATIENCE) {
		printf("cycle %lu: no instruction has committed for %d cycles\n",
		       r->sum.cycles, PATIENCE);
		return false;
	}
	return true;
}

bool keep_store(void *, unsigned, uint64_t, unsigned, uint64_t)
{
	return true;
}

void cycle(Vdut *d)
{
	d->clk_i = 0;
	d->eval();
	d->clk_i = 1;
	d->eval();
}

// The core's memory is the model's at the start.
void copy_memory(struct run *r)
{
	Vdut *d = r->dut.get();
	std::vector<uint64_t> memory(RAM_WORDS);

	soc_read_physical(r->model, SOC_RAM_BASE, memory.data(), 8UL * RAM_WORDS);
	d->rst_ni = 0;
	for (unsigned i = 0; i < RAM_WORDS; i++) {
		if (!memory[i])
			continue;
		d->write_i = 1;
		d->write_word_i = i;
		d->write_data_i = memory[i];
		cycle(d);
	}
	d->write_i = 0;
}

// Returns whether the program ended with status 0.
bool run_program(struct run *r, const char *name)
{
	struct soc_follow follow = {};
	Vdut *d = r->dut.get();

	follow.mmio_store = keep_store;
	soc_set_follow(r->model, &follow);
	copy_memory(r);
	for (uint64_t &target : r->targets)
		target = SOC_RESET_PC;
	if (r->chaos) {
		draw_chaos(r);
		r->stubborn = r->random.once_in(8);
	}
	set_straps(r);
	d->check_i = r->check;
	cycle(d);
	cycle(d);
	d->rst_ni = 1;
	do {
		if (r->chaos && r->random.once_in(500))
			draw_chaos(r);
		if (r->chaos || r->rates[4])
			set_straps(r);
		cycle(d);
		r->sum.cycles++;
	} while (after_cycle(r));
	if (!r->ended || r->power != SOC_POWER_OFF) {
		printf("%s: failed%s, with status %u\n", name,
		       r->ended ? "" : " in lockstep", r->power >> 16);
		return false;
	}
	return true;
}

void print_totals(const char *name, const struct totals *t)
{
	double instructions = static_cast<double>(t->instructions);

	printf("%-24s %10lu cycles %10lu instructions  IPC %.2f  mispredictions %lu "
	       "(%.2f per 1000)  "
	       "violations %lu\n",
	       name, t->cycles, t->instructions,
	       instructions / static_cast<double>(t->cycles), t->mispredictions,
	       1000.0 * static_cast<double>(t->mispredictions) / instructions,
	       t->violations);
}

// Returns whether a case cannot occur with a single lane.
bool needs_lanes(int i)
{
	return strstr(case_names[i], "group");
}

bool check_cases(const struct totals *t)
{
	bool good = true;

	for (int i = 0; i < CASES; i++) {
		printf("%10lu  %s\n", t->cases[i], case_names[i]);
		good &= t->cases[i] > 0 || (WIDTH == 1 && needs_lanes(i));
	}
	if (!good)
		puts("a case did not occur");
	return good;
}

struct settings {
	bool chaos, fast, cases;
	uint64_t from, to; // addresses of the window to count, or 0
	bool violate;	   // the chaos of violations alone
};

// A program of an ELF file, or of code. Adds to the totals; returns whether it is good.
struct program {
	std::string name;
	std::vector<uint16_t> code;
	uint64_t seed; // of chaos and of the state before reset
};

bool run_one(const struct program &program, const struct settings &settings,
	     struct totals *sum)
{
	auto r = std::make_unique<struct run>();
	struct soc_config config = {};
	bool good;

	config.harts = 1;
	r->model = soc_new(&config);
	r->chaos = settings.chaos;
	if (settings.violate)
		r->rates[4] = 20;
	r->check = !settings.fast;
	r->random.state = program.seed;
	r->context.randReset(2);
	r->context.randSeed(static_cast<int>(program.seed & 0xffff) + 1);
	r->dut = std::make_unique<Vdut>(&r->context);
	if (program.code.empty() && !soc_load_elf(r->model, program.name.c_str())) {
		fprintf(stderr, "lockstep: %s\n", soc_message(r->model));
		exit(2);
	}
	soc_write_physical(r->model, SOC_RAM_BASE, program.code.data(),
			   2 * program.code.size());
	r->from = settings.from;
	r->to = settings.to;
	good = run_program(r.get(), program.name.c_str());
	if (settings.from)
		r->sum = r->before;
	sum->cycles += r->sum.cycles;
	sum->instructions += r->sum.instructions;
	sum->mispredictions += r->sum.mispredictions;
	sum->violations += r->sum.violations;
	for (int i = 0; i < CASES; i++)
		sum->cases[i] += r->sum.cases[i];
	soc_free(r->model);
	return good;
}

bool run_random(uint64_t count, uint64_t first, const struct settings &settings)
{
	struct totals sum = {};

	for (uint64_t seed = first; seed < first + count; seed++) {
		struct program program = {"random " + std::to_string(seed),
					  random_code(seed), seed};
		if (!run_one(program, settings, &sum))
			return false;
	}
	print_totals("random programs", &sum);
	return !settings.cases || check_cases(&sum);
}

bool run_files(char **paths, const struct settings &settings)
{
	bool good = true;

	for (; *paths; paths++) {
		struct totals sum = {};
		const char *slash = strrchr(*paths, '/');
		struct program program = {*paths, {}, 1};

		if (run_one(program, settings, &sum))
			print_totals(slash ? slash + 1 : *paths, &sum);
		else
			good = false;
	}
	return good;
}

// Only the branch, four times a turn, and the call that go either way are predicted
// wrong, about every second time, and what is met first; also if loads are executed
// again.
bool run_steady(bool violate)
{
	struct totals sum = {};
	struct settings settings = {};
	unsigned most = STEADY_TURNS * 4;

	settings.violate = violate;
	if (!run_one({"steady program", steady_code(), 1}, settings, &sum))
		return false;
	print_totals("steady program", &sum);
	if (sum.mispredictions > most)
		puts("steady program: more mispredictions than branch and call can have");
	if (!violate && sum.violations > STEADY_TURNS / 10)
		puts("steady program: more violations than a load has before it waits");
	return sum.mispredictions <= most &&
	       (violate || sum.violations <= STEADY_TURNS / 10);
}

} // namespace

int main(int argc, char **argv)
{
	struct settings settings = {};
	uint64_t count, seed;
	int at = 1;

	for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
		if (strcmp(argv[at], "--chaos") == 0) {
			settings.chaos = true;
		} else if (strcmp(argv[at], "--fast") == 0) {
			settings.fast = true;
		} else if (strcmp(argv[at], "--cases") == 0) {
			settings.cases = true;
		} else if (strcmp(argv[at], "--window") == 0 && at + 2 < argc) {
			settings.from = strtoull(argv[++at], nullptr, 16);
			settings.to = strtoull(argv[++at], nullptr, 16);
		} else if (strcmp(argv[at], "--random") == 0 && at + 3 == argc) {
			count = strtoull(argv[at + 1], nullptr, 0);
			seed = strtoull(argv[at + 2], nullptr, 0);
			return run_random(count, seed, settings) ? 0 : 1;
		} else {
			fprintf(stderr, "lockstep: wrong option %s\n", argv[at]);
			return 2;
		}
	}
	if (argc > 1)
		return run_files(argv + at, settings) ? 0 : 1;
	struct settings chaos = {};
	chaos.chaos = chaos.cases = true;
	return run_steady(false) && run_steady(true) && run_random(RANDOM_PLAIN, 1, {}) &&
		       run_random(RANDOM_CHAOS, 1000, chaos)
		   ? 0
		   : 1;
}
