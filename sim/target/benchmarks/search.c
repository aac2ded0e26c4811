/* SPDX-License-Identifier: Apache-2.0 */
/* Binary search of a table for many keys. */
#include "benchmark.h"

#include "choose.h"

enum { COUNT = 1024, KEYS = 4000, STEP = 3 };

static uint32_t table[COUNT];

/* Returns the last of 2^levels entries that is not above the key; the first one is
 * not. */
KEEP __attribute__((aligned(64))) static const uint32_t *
search(const uint32_t *base, uint64_t count, uint64_t key)
{
	for (uint64_t half = count / 2; half > 0; half /= 2) {
		const uint32_t *middle = base + half;
		base = (const uint32_t *)CHOOSE(key < *middle, (uint64_t)base,
						(uint64_t)middle);
		__asm__("" : "+r"(base)); /* both paths join here */
	}
	return base;
}

static uint64_t sum_places(uint32_t seed, uint32_t keys)
{
	uint64_t sum = 0;

	while (keys-- > 0) {
		uint64_t key = random_next(&seed) >> 3 & (COUNT - 1);
		sum += (uint64_t)(search(table, COUNT, key * STEP + 1) - table);
	}
	return sum;
}

void prepare(void)
{
	for (uint32_t i = 0; i < COUNT; i++)
		table[i] = STEP * i;
	sum_places(1, 10);
}

uint64_t benchmark(void)
{
	return sum_places(7, KEYS);
}

/* Entry n is STEP * n. */
bool right(uint64_t sum)
{
	uint32_t seed = 7;
	uint64_t expected = 0;

	for (int i = 0; i < KEYS; i++)
		expected += random_next(&seed) >> 3 & (COUNT - 1);
	return sum == expected;
}
