/* SPDX-License-Identifier: Apache-2.0 */
/* Accesses a word in each of 128 pages, twice the DTLB. The lines fit into the L1D. */
#include "benchmark.h"

enum { PAGES = 128, PAGE_WORDS = 512, LINE_WORDS = 8, LINES = 64, TURNS = 300 };

static uint64_t memory[PAGES][PAGE_WORDS] __attribute__((aligned(4096)));

KEEP static uint64_t sum_pages(void)
{
	uint64_t sum = 0;

	for (int page = 0; page < PAGES; page++)
		sum += memory[page][page % LINES * LINE_WORDS];
	return sum;
}

void prepare(void)
{
	for (uint64_t page = 0; page < PAGES; page++)
		memory[page][page % LINES * LINE_WORDS] = page;
	sum_pages();
}

uint64_t benchmark(void)
{
	uint64_t sum = 0;

	for (int i = 0; i < TURNS; i++)
		sum += sum_pages();
	return sum;
}

bool right(uint64_t sum)
{
	return sum == TURNS * PAGES * (PAGES - 1) / 2;
}
