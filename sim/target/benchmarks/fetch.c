/* SPDX-License-Identifier: Apache-2.0 */
/* Every second instruction crosses a cache line. */
#include "benchmark.h"

enum { TURNS = 20000, LINES = 8 };

uint64_t split_code(uint64_t turns); /* adds 1 at each of LINES */

void prepare(void)
{
	split_code(1);
}

uint64_t benchmark(void)
{
	return split_code(TURNS);
}

bool right(uint64_t sum)
{
	return sum == TURNS * LINES;
}
