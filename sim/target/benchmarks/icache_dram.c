/* SPDX-License-Identifier: Apache-2.0 */
/* A line of code in each of 340 pages, all at the same place in them: 21 lines and
 * more in each set of the L2 that they use, which has 16 ways.
 */
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
