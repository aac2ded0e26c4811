/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a benchmark and checks its result: the exit status is 0 if it is right. */
#include "benchmark.h"

KEEP void benchmark_end(void)
{
}

/* Sattolo's algorithm: a random permutation with a single cycle. */
void make_cycle(uint32_t *order, uint32_t count, uint32_t seed)
{
	for (uint32_t i = 0; i < count; i++)
		order[i] = i;
	for (uint32_t i = count - 1; i > 0; i--) {
		uint32_t other = random_next(&seed) % i, value = order[i];
		order[i] = order[other];
		order[other] = value;
	}
}

int main(void)
{
	uint64_t result;

	prepare();
	result = benchmark();
	benchmark_end();
	return right(result) ? 0 : 1;
}
