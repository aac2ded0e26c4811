/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the one bits of random numbers, bit by bit. */
#include "benchmark.h"

#include "choose.h"

enum { NUMBERS = 1500 };

KEEP __attribute__((aligned(64))) static uint64_t bits(uint64_t number)
{
	uint64_t ones = 0;

	while (number) {
		INCREMENT_IF(number & 1, ones);
		number >>= 1;
	}
	return ones;
}

void prepare(void)
{
	bits(5);
}

uint64_t benchmark(void)
{
	uint32_t seed = 17;
	uint64_t ones = 0;

	for (int i = 0; i < NUMBERS; i++)
		ones += bits((uint64_t)random_next(&seed) << 32 | random_next(&seed));
	return ones;
}

/* Counts with one step per one bit. */
bool right(uint64_t ones)
{
	uint32_t seed = 17;
	uint64_t expected = 0;

	for (int i = 0; i < 2 * NUMBERS; i++)
		for (uint32_t left = random_next(&seed); left; left &= left - 1)
			expected++;
	return ones == expected;
}
