/* SPDX-License-Identifier: Apache-2.0 */
/* One line of code in each of 340 pages, at the same offset: at least 21 lines for each
 * set of the L2 that they use, which has 16 ways. */
#include "benchmark.h"

enum { TURNS = 10, PAGES = 340 };

uint64_t far_code(uint64_t sum); /* adds 12 in each page */

void prepare(void)
{
	far_code(0);
}

uint64_t benchmark(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TURNS; i++)
		sum = far_code(sum);
	return sum;
}

bool right(uint64_t sum)
{
	return sum == TURNS * PAGES * 12;
}
