/* SPDX-License-Identifier: Apache-2.0 */
/* Busy work. */
#include "work.h"

static volatile uint64_t *clint(uint64_t offset)
{
	return (volatile uint64_t *)(SOC_CLINT_BASE + offset);
}

NOINLINE uint64_t work_loop(uint64_t seed, unsigned rounds)
{
	while (rounds--)
		seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407;
	return seed;
}

NOINLINE uint64_t work_tree(uint64_t seed, unsigned depth)
{
	uint64_t left, right;

	if (depth == 0)
		return work_loop(seed, 5);
	left = work_tree(seed + 1, depth - 1);
	right = work_tree(left, depth - 1);
	return left ^ right;
}

static NOINLINE uint64_t add_up(uint64_t seed)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 16; i++)
		sum += work_loop(seed + i, i);
	return sum;
}

static uint64_t (*volatile indirect)(uint64_t) = add_up;

NOINLINE uint64_t work_mixed(uint64_t seed)
{
	seed += indirect(seed);
	return work_tree(seed, 4) + indirect(seed);
}

void timer_set(unsigned steps)
{
	*clint(SOC_CLINT_MTIMECMP) = *clint(SOC_CLINT_MTIME) + 1 + steps;
}

void timer_off(void)
{
	*clint(SOC_CLINT_MTIMECMP) = UINT64_MAX;
}

void software_set(bool on)
{
	*(volatile uint32_t *)(SOC_CLINT_BASE + SOC_CLINT_MSIP) = on;
}

void power_off(void)
{
	*(volatile uint32_t *)SOC_POWER_BASE = SOC_POWER_OFF;
	for (;;)
		continue;
}
