/* SPDX-License-Identifier: Apache-2.0 */
/* A loop of jumps through 128 pages of code, twice the ITLB. The lines fit into the L1I,
 * the jumps into the BTB. */
#include "benchmark.h"

enum { TURNS = 300, PAGES = 128 };

uint64_t page_code(uint64_t sum); /* adds 1 in each page */

void prepare(void)
{
	page_code(0);
}

uint64_t benchmark(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TURNS; i++)
		sum = page_code(sum);
	return sum;
}

bool right(uint64_t sum)
{
	return sum == TURNS * PAGES;
}
