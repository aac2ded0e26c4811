/* SPDX-License-Identifier: Apache-2.0 */
/* Atomic additions to counters. */
#include "benchmark.h"

enum { COUNTERS = 8, TURNS = 25000 };

static uint64_t counters[COUNTERS];

void prepare(void)
{
	for (int i = 0; i < COUNTERS; i++)
		counters[i] = 0;
}

uint64_t benchmark(void)
{
	for (uint64_t turn = 0; turn < TURNS; turn++)
#pragma GCC unroll 8
		for (int i = 0; i < COUNTERS; i++)
			__atomic_fetch_add(&counters[i], turn, __ATOMIC_RELAXED);
	return counters[0];
}

bool right(uint64_t value)
{
	for (int i = 0; i < COUNTERS; i++)
		if (counters[i] != value)
			return false;
	return value == (uint64_t)TURNS * (TURNS - 1) / 2;
}
