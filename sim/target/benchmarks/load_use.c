/* SPDX-License-Identifier: Apache-2.0 */
/* Pointer chasing through 4 KiB in the L1D: each address is the value just loaded. */
#include "benchmark.h"

#include "chase.h"

enum { NODES = 256, STEPS = 300008, SIZE = 16 };

static uint8_t memory[NODES * SIZE] __attribute__((aligned(64)));

void prepare(void)
{
	chase_make(memory, NODES, SIZE);
	chase(memory, NODES);
}

uint64_t benchmark(void)
{
	return chase(memory, STEPS);
}

bool right(uint64_t number)
{
	return number == chase_order(STEPS);
}
