/* SPDX-License-Identifier: Apache-2.0 */
/* One branch per bit of random numbers. */
#include "benchmark.h"

enum { NUMBERS = 3000 };

/* The compiler cannot merge the work on the two paths. */
KEEP static uint64_t count(uint32_t seed)
{
	uint64_t ones = 0, zeros = 0;

	for (int i = 0; i < NUMBERS; i++) {
		uint32_t bits = random_next(&seed);
		for (int bit = 0; bit < 32; bit++) {
			if (bits & 1) {
				ones++;
				__asm__ volatile("" : "+r"(ones));
			} else {
				zeros++;
				__asm__ volatile("" : "+r"(zeros));
			}
			bits >>= 1;
		}
	}
	return ones << 32 | zeros;
}

static uint32_t population(uint32_t seed)
{
	uint32_t ones = 0;

	for (int i = 0; i < NUMBERS; i++)
		for (uint32_t bits = random_next(&seed); bits; bits &= bits - 1)
			ones++;
	return ones;
}

void prepare(void)
{
	count(1);
}

uint64_t benchmark(void)
{
	return count(2);
}

bool right(uint64_t result)
{
	return result >> 32 == population(2) &&
	       (uint32_t)result == NUMBERS * 32 - population(2);
}
