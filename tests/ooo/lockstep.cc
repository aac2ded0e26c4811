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

#include "random_code.h"
#include "run.h"

namespace
{

enum { RAM_WORDS = 1 << 21 };
enum { CSR_MSTATUS = 0x300, MSTATUS_FS = 3 << 13 };
enum : uint64_t { START_FCSR = SOC_RAM_BASE + 8UL * RAM_WORDS - 8 }; // see start.S
enum { RANDOM_PLAIN = 20, RANDOM_CHAOS = 60 };

bool keep_store(void *, unsigned, uint64_t, unsigned, uint64_t)
{
	return true;
}

bool give_zero(void *, unsigned, uint64_t, unsigned, uint64_t *value)
{
	*value = 0;
	return true;
}

void cycle(Vdut *d)
{
	d->clk_i = 0;
	d->float_clk_i = 0;
	d->eval();
	d->clk_i = 1;
	d->float_clk_i = !d->rst_ni || d->float_clk_req_o;
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

	follow.user = r;
	follow.mmio_load = give_zero;
	follow.mmio_store = keep_store;
	if (r->chaos) // else an SC of the core succeeds whenever one of the model does
		follow.atomic = give_sc;
	soc_set_follow(r->model, &follow);
	copy_memory(r);
	for (uint64_t &target : r->targets)
		target = SOC_RESET_PC;
	if (r->chaos) {
		draw_chaos(r);
		r->stubborn = r->random.once_in(8);
	}
	set_straps(r);
	d->write_i =
	    0; // the model does not see the cycles before the first of the program
	d->check_i = r->check;
	cycle(d);
	cycle(d);
	d->rst_ni = 1;
	do {
		if (r->chaos && r->random.once_in(500))
			draw_chaos(r);
		if (r->chaos || r->rates[VIOLATE])
			set_straps(r);
		cycle(d);
		r->sum.cycles++;
		r->sum.float_cycles += d->float_clk_i;
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
		good &= t->cases[i] > 0 || (COMMITS == 1 && needs_lanes(i));
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
	uint64_t seed; // of chaos, of the state before reset, and of the rounding mode
	uint64_t stop; // struct run
};

bool run_one(const struct program &program, const struct settings &settings,
	     struct totals *sum)
{
	auto r = std::make_unique<struct run>();
	struct soc_config config = {};
	uint64_t fcsr = program.seed % 5 << 5;
	bool good;

	config.harts = 1;
	config.features.fpu = true;
	r->model = soc_new(&config);
	r->chaos = settings.chaos;
	if (settings.violate)
		r->rates[VIOLATE] = 20;
	r->check = !settings.fast;
	r->random.state = program.seed;
	r->context.randReset(2);
	r->context.randSeed(static_cast<int>(program.seed & 0xffff) + 1);
	r->dut = std::make_unique<Vdut>(&r->context);
	Verilated::dpiScope(r->context.scopeFind("TOP.flat.u_core.u_probe"));
	if (program.code.empty() && !soc_load_elf(r->model, program.name.c_str())) {
		fprintf(stderr, "lockstep: %s\n", soc_message(r->model));
		exit(2);
	}
	soc_write_physical(r->model, SOC_RAM_BASE, program.code.data(),
			   2 * program.code.size());
	soc_write_physical(r->model, START_FCSR, &fcsr, sizeof(fcsr));
	soc_set_csr(r->model, 0, CSR_MSTATUS, MSTATUS_FS);
	r->stop = program.stop;
	r->from = settings.from;
	r->to = settings.to;
	good = run_program(r.get(), program.name.c_str());
	if (settings.from)
		r->sum = r->before;
	sum->cycles += r->sum.cycles;
	sum->instructions += r->sum.instructions;
	sum->mispredictions += r->sum.mispredictions;
	sum->violations += r->sum.violations;
	sum->float_cycles += r->sum.float_cycles;
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
					  random_code(seed), seed, 0};
		if (!run_one(program, settings, &sum))
			return false;
	}
	print_totals("random programs", &sum);
	return !settings.cases || check_cases(&sum);
}

bool run_files(char **paths, const struct settings &settings)
{
	bool good = true;

	for (uint64_t seed = 1; *paths; paths++, seed++) {
		struct totals sum = {};
		const char *slash = strrchr(*paths, '/');
		struct program program = {*paths, {}, seed, 0};

		if (run_one(program, settings, &sum))
			print_totals(slash ? slash + 1 : *paths, &sum);
		else
			good = false;
	}
	return good;
}

// Instructions that the core cannot execute, and faults, stop it.
bool run_stops()
{
	struct totals sum = {};

	for (unsigned kind = 0; kind < STOPS; kind++) {
		struct program program = {"stop " + std::to_string(kind), {}, kind, 0};

		program.code = stop_code(kind, &program.stop);
		if (!run_one(program, {}, &sum))
			return false;
	}
	return true;
}

// Only the branch, four times a turn, and the call that go either way are predicted
// wrong, about every second time, and what is met first; also if loads are executed
// again. Floating point sleeps.
bool run_steady(bool violate)
{
	struct totals sum = {};
	struct settings settings = {};
	unsigned most = STEADY_TURNS * 4;

	settings.violate = violate;
	if (!run_one({"steady program", steady_code(), 1, 0}, settings, &sum))
		return false;
	print_totals("steady program", &sum);
	if (sum.float_cycles)
		puts("steady program: floating point has a clock, but no instruction");
	if (sum.mispredictions > most)
		puts("steady program: more mispredictions than branch and call can have");
	if (!violate && sum.violations > STEADY_TURNS / 10)
		puts("steady program: more violations than a load has before it waits");
	return !sum.float_cycles && sum.mispredictions <= most &&
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
	return run_stops() && run_steady(false) && run_steady(true) &&
		       run_random(RANDOM_PLAIN, 1, {}) &&
		       run_random(RANDOM_CHAOS, 1000, chaos)
		   ? 0
		   : 1;
}
