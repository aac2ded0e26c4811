/* SPDX-License-Identifier: Apache-2.0 */
/* Greatest common divisors by Euclid's algorithm. */
#include "benchmark.h"

enum { PAIRS = 1200 };

KEEP static uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

/* The greatest common divisor of consecutive numbers is 1. */
KEEP static uint64_t sum_gcds(uint32_t seed, uint32_t pairs)
{
	uint64_t sum = 0;

	for (uint32_t i = 1; i <= pairs; i++) {
		uint64_t a = random_next(&seed) >> 8 | 1;
		sum += gcd(a * i, (a + 1) * i) - i;
		sum += gcd(a, random_next(&seed)) > 0;
	}
	return sum;
}

void prepare(void)
{
	sum_gcds(9, 1);
}

uint64_t benchmark(void)
{
	return sum_gcds(1, PAIRS);
}

bool right(uint64_t sum)
{
	return sum == PAIRS;
}
