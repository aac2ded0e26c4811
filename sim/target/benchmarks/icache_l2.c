/* SPDX-License-Identifier: Apache-2.0 */
/* A loop through 64 KiB of code: four times the L1I, a sixteenth of the L2. */
#include "benchmark.h"

enum { TURNS = 12, SUM = 16384 };

uint64_t long_code(uint64_t sum); /* adds SUM, 1 per instruction */

void prepare(void)
{
	long_code(0);
}

uint64_t benchmark(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TURNS; i++)
		sum = long_code(sum);
	return sum;
}

bool right(uint64_t sum)
{
	return sum == TURNS * SUM;
}
