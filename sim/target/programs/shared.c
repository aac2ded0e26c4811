/* SPDX-License-Identifier: Apache-2.0 */
/* Code that is part of two programs; user.ld places it. */
#include "shared.h"

#define SAME  __attribute__((noipa, section(".text.same")))
#define MOVED __attribute__((noipa, section(".text.moved")))

SAME uint32_t shared_same_leaf(uint32_t value)
{
	value ^= value >> 16;
	value *= 0x7feb352d;
	value ^= value >> 15;
	return value;
}

SAME uint32_t shared_same(uint32_t seed, uint32_t steps)
{
	while (steps-- > 0)
		seed = seed & 1 ? shared_same_leaf(seed) : seed / 2 + steps;
	return seed;
}

MOVED uint32_t shared_moved_leaf(uint32_t value)
{
	uint32_t count = 0;

	for (; value; value &= value - 1)
		count++;
	return count;
}

MOVED uint32_t shared_moved(uint32_t seed, uint32_t steps)
{
	uint32_t total = 0;

	while (steps-- > 0) {
		seed = seed * 1664525 + 1013904223;
		total += shared_moved_leaf(seed >> 8);
	}
	return total;
}
