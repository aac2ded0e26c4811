/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer chasing through 340 pages, at the same offset in each: at least 21 lines for
 * each set of the L2 that they use, which has 16 ways. */
#include "benchmark.h"

#include "chase.h"

enum { NODES = 340, STEPS = 5008, PAGE = 4096 };

static uint8_t memory[NODES * PAGE] __attribute__((aligned(PAGE)));

void prepare(void)
{
	chase_make(memory, NODES, PAGE);
}

uint64_t benchmark(void)
{
	return chase(memory, STEPS);
}

bool right(uint64_t number)
{
	return number == chase_order(STEPS);
}
