/* SPDX-License-Identifier: Apache-2.0 */
/* The paper's program: foo sums over 10^n numbers, main prints. With an argument n only
 * for that n, else for 0 to 5. */
#include "user.h"

KEEP static uint64_t foo(uint64_t iterations)
{
	uint64_t sum = 0;

	for (uint64_t i = 0; i < iterations; i++) {
		sum += i;
		__asm__("" : "+r"(sum));
	}
	return sum;
}

static uint64_t power_of_ten(uint32_t n)
{
	uint64_t value = 1;

	while (n-- > 0)
		value *= 10;
	return value;
}

int main(int argc, char **argv)
{
	uint32_t first = argument(argc, argv, 1, 0);
	uint32_t last = argument(argc, argv, 1, 5);

	for (uint32_t n = first; n <= last; n++)
		printf("hello world, 10^%lu: %llu\n", (unsigned long)n,
		       (unsigned long long)foo(power_of_ten(n)));
	return 0;
}
