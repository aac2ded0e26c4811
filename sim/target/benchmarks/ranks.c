/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the random numbers below each of four bounds. */
#include "benchmark.h"

#include "choose.h"

enum { COUNT = 1024, TURNS = 40 };

static const uint64_t bounds[4] = {70, 110, 140, 190};
static uint64_t noise[COUNT];

/* Returns the sum of the four counts, each weighted by its position. */
KEEP __attribute__((aligned(64))) static uint64_t ranks(const uint64_t *at,
							const uint64_t *end,
							uint64_t first, uint64_t second,
							uint64_t third, uint64_t fourth)
{
	uint64_t a = 0, b = 0, c = 0, d = 0;

	for (; at < end; at++) {
		uint64_t value = *at;
		INCREMENT_IF(value < first, a);
		INCREMENT_IF(value < second, b);
		INCREMENT_IF(value < third, c);
		INCREMENT_IF(value < fourth, d);
	}
	return a + 2 * b + 3 * c + 4 * d;
}

static uint64_t all_ranks(void)
{
	return ranks(noise, noise + COUNT, bounds[0], bounds[1], bounds[2], bounds[3]);
}

void prepare(void)
{
	uint32_t seed = 11;

	for (int i = 0; i < COUNT; i++)
		noise[i] = random_next(&seed) >> 5 & 0xff;
	all_ranks();
}

uint64_t benchmark(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TURNS; i++)
		sum += all_ranks();
	return sum;
}

/* Computes the counts from a histogram of the values. */
bool right(uint64_t sum)
{
	uint64_t often[256] = {0}, expected = 0;

	for (int i = 0; i < COUNT; i++)
		often[noise[i]]++;
	for (uint64_t place = 1; place <= 4; place++)
		for (uint64_t value = 0; value < bounds[place - 1]; value++)
			expected += often[value] * place;
	return sum == TURNS * expected;
}
