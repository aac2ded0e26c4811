/* SPDX-License-Identifier: Apache-2.0 */
/* Code of 64 KiB in a circle: four times the L1I, a sixteenth of the L2. */
#include "benchmark.h"

enum { TURNS = 12, SUM = 16384 };

uint64_t long_code(uint64_t sum); /* adds SUM, an instruction for each 1 */

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
