/* SPDX-License-Identifier: Apache-2.0 */
/* Shares functions with shared_a, but has more code before some of them, so that their
 * addresses differ: shared_b [rounds]. */
#include "shared.h"
#include "user.h"

#include <string.h>

/* Counts primes. */
KEEP static uint32_t primes(uint32_t limit)
{
	static uint8_t composite[2048];
	uint32_t count = 0;

	memset(composite, 0, sizeof(composite));
	for (uint32_t i = 2; i < limit; i++) {
		if (composite[i])
			continue;
		count++;
		for (uint32_t j = i * i; j < limit; j += i)
			composite[j] = 1;
	}
	return count;
}

#define MIX(n)                                                                           \
	KEEP static uint32_t mix_##n(uint32_t x)                                         \
	{                                                                                \
		for (uint32_t i = 0; i < 1 + n % 3; i++)                                 \
			x = (x ^ (x >> (3 + n))) * (0x9e3779b1u + 2 * n) + (x << n);     \
		return x;                                                                \
	}
/* clang-format off */
MIX(1)
MIX(2)
MIX(3)
MIX(4)
MIX(5)
MIX(6)
MIX(7)
MIX(8)
/* clang-format on */

KEEP static uint32_t mix(uint32_t x)
{
	static uint32_t (*const all[])(uint32_t) = {
	    mix_1, mix_2, mix_3, mix_4, mix_5, mix_6, mix_7, mix_8,
	};

	for (size_t i = 0; i < 8; i++)
		x = all[i](x);
	return x;
}

int main(int argc, char **argv)
{
	uint32_t rounds = argument(argc, argv, 1, 50);
	uint32_t total = 0;

	if (primes(1000) != 168)
		return 1;
	for (uint32_t round = 1; round <= rounds; round++) {
		total ^= shared_moved(round, 30);
		total += mix(round);
		total ^= shared_same(round, 80);
	}
	printf("shared_b: 0x%08lx\n", (unsigned long)total);
	return 0;
}
