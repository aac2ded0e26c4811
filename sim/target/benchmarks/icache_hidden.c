/* SPDX-License-Identifier: Apache-2.0 */
/* A loop through 32 KiB of code, twice the L1I, in which each line ends with a division.
 * The next line arrives during the division: fetch is blocked all the time, but few
 * cycles are lost. */
#include "benchmark.h"

enum { TURNS = 20, LINES = 512 };
#define DIVIDEND 0x7fffffff

/* Adds 14 in each line. */
uint64_t hidden_code(uint64_t sum, uint64_t dividend);

void prepare(void)
{
	hidden_code(0, DIVIDEND);
}

uint64_t benchmark(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TURNS; i++)
		sum = hidden_code(sum, DIVIDEND);
	return sum;
}

bool right(uint64_t sum)
{
	return sum == TURNS * LINES * 14;
}
