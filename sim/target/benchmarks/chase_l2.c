/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer chasing through 128 KiB: eight times the L1D, an eighth of the L2. */
#include "benchmark.h"

#include "chase.h"

enum { NODES = 2048, STEPS = 20008, LINE = 64 };

static uint8_t memory[NODES * LINE] __attribute__((aligned(LINE)));

void prepare(void)
{
	chase_make(memory, NODES, LINE);
}

uint64_t benchmark(void)
{
	return chase(memory, STEPS);
}

bool right(uint64_t number)
{
	return number == chase_order(STEPS);
}
