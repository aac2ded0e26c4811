// SPDX-License-Identifier: Apache-2.0
// C++ exceptions, with the compiler's own unwinder: from many depths, through functions
// that clean up, caught and rethrown, and thrown while others are being handled.
extern "C" {
#include "contexts.h"
#include "work.h"
}

namespace
{
constexpr unsigned ROUNDS = 4;
volatile uint64_t noticed;

struct Failure {
	uint64_t seed;
};

struct Guard {
	uint64_t seed;
	explicit Guard(uint64_t s) : seed(s)
	{
	}
	NOINLINE ~Guard()
	{
		noticed = noticed + work_loop(seed, 10);
	}
};

// Throws on the way down in about half of the calls.
NOINLINE uint64_t descend(uint64_t seed, unsigned depth)
{
	if (depth == 0) {
		noticed = noticed + work_loop(seed, 20);
		if (seed & 1)
			throw Failure{seed};
		return seed;
	}
	return descend(seed, depth - 1) + 1;
}

NOINLINE uint64_t descend_guarded(uint64_t seed, unsigned depth)
{
	Guard guard(seed);

	if (depth == 0)
		return descend(seed, 3);
	return descend_guarded(seed, depth - 1) + 1;
}

NOINLINE uint64_t catch_here(uint64_t seed, unsigned depth)
{
	try {
		return descend_guarded(seed, depth);
	} catch (const Failure &failure) {
		return work_tree(failure.seed, 3);
	}
}

NOINLINE uint64_t throw_again(uint64_t seed, unsigned depth)
{
	try {
		return descend(seed, depth);
	} catch (...) {
		noticed = noticed + work_mixed(seed);
		throw;
	}
}

NOINLINE uint64_t catch_again(uint64_t seed)
{
	try {
		return throw_again(seed, 2);
	} catch (...) {
		return work_loop(seed, 40) + catch_here(seed, 1);
	}
}
} // namespace

extern "C" void on_interrupt(uint64_t)
{
	timer_set(3);
	noticed = noticed + work_tree(noticed, 2);
}

extern "C" void exceptions_begin();

int main()
{
	exceptions_begin();
	timer_set(0);
	interrupts_begin();
	for (unsigned i = 0; i < ROUNDS; i++) {
		noticed = noticed + catch_here(i, i % 5);
		noticed = noticed + catch_again(i);
	}
	return 0;
}
