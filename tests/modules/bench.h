// SPDX-License-Identifier: Apache-2.0
// Shared by the benches of single hardware modules: the module under Verilator with its
// clock and reset, random numbers, and the final message. Checks are those of the unit
// tests.
//
// A bench computes the expected outputs by itself, from the specification or from the
// header comment of the module. In each step it sets inputs, settles, checks outputs, and
// applies a clock edge. Runs are reproducible.
#ifndef BENCH_H
#define BENCH_H

#include "Vdut.h"
#include "verilated.h"
#include "covered.h"
#include "rng.h"
#include "unit/check.h"

// The module under test. Its registers are random before the first reset.
struct bench {
	rng random;
	VerilatedContext context;
	Vdut dut{&context};

	explicit bench(uint64_t seed) : random{seed}
	{
		context.randReset(2);
		context.randSeed(static_cast<int>(seed));
	}
	// Propagates the inputs to the outputs.
	void settle()
	{
		dut.clk_i = 0;
		dut.eval();
	}
	void edge()
	{
		settle();
		dut.clk_i = 1;
		dut.eval();
		settle();
	}
	void reset()
	{
		dut.rst_ni = 0;
		edge();
		edge();
		dut.rst_ni = 1;
		settle();
	}
};

// Returns false after a failure, after which further checks are meaningless.
static inline bool going_well()
{
	return check_failures == 0;
}

// Checks that each case of an array has occurred at least `least` times.
template <size_t N>
static inline void check_covered(const struct covered_case (&cases)[N], unsigned least)
{
	for (const struct covered_case &c : cases)
		if (!CHECK(c.count >= least))
			fprintf(stderr, "%s: \"%s\" occurred %u times, not %u\n", BENCH,
				c.name, c.count, least);
}

// Returns the exit status of main(), like check_done().
static inline int bench_done()
{
	printf("%s: %u checks, %u failed\n", BENCH, check_count, check_failures);
	return check_done();
}

#endif
