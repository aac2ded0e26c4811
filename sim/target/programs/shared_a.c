/* SPDX-License-Identifier: Apache-2.0 */
/* Shares functions with shared_b: shared_a [rounds]. */
#include "shared.h"
#include "user.h"

KEEP static uint32_t collatz(uint32_t value)
{
	uint32_t steps = 0;

	for (; value > 1; steps++)
		value = value & 1 ? value * 3 + 1 : value / 2;
	return steps;
}

int main(int argc, char **argv)
{
	uint32_t rounds = argument(argc, argv, 1, 50);
	uint32_t total = 0;

	for (uint32_t round = 1; round <= rounds; round++) {
		total += shared_same(round, 100);
		total += collatz(round);
		total += shared_moved(round, 20);
	}
	printf("shared_a: 0x%08lx\n", (unsigned long)total);
	return 0;
}
