/* SPDX-License-Identifier: Apache-2.0 */
/* Powers by repeated multiplication, modulo 2^64. */
#include "benchmark.h"

enum { STEPS = 200000 };
#define BASE 6364136223846793005

KEEP static uint64_t power(uint64_t base, uint32_t steps)
{
	uint64_t value = 1;

	for (uint32_t i = 0; i < steps; i += 8) {
#pragma GCC unroll 8
		for (int part = 0; part < 8; part++) {
			value *= base;
			__asm__ volatile("" : "+r"(value));
		}
	}
	return value;
}

void prepare(void)
{
	power(BASE, 8);
}

uint64_t benchmark(void)
{
	return power(BASE, STEPS);
}

/* By squaring. */
bool right(uint64_t result)
{
	uint64_t value = 1, square = BASE;

	for (uint32_t left = STEPS; left; left >>= 1) {
		if (left & 1)
			value *= square;
		square *= square;
	}
	return result == value;
}
