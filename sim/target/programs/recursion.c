/* SPDX-License-Identifier: Apache-2.0 */
/* Recursive and mutually recursive functions: recursion [size]. */
#include "user.h"

KEEP static uint32_t fibonacci(uint32_t n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

KEEP static uint32_t ackermann(uint32_t m, uint32_t n)
{
	if (m == 0)
		return n + 1;
	return ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1));
}

/* Hofstadter's sequences, defined in terms of each other. */
static uint32_t male(uint32_t n);

KEEP static uint32_t female(uint32_t n)
{
	return n == 0 ? 1 : n - male(female(n - 1));
}

KEEP static uint32_t male(uint32_t n)
{
	return n == 0 ? 0 : n - female(male(n - 1));
}

/* Deep stacks: `depth` frames of at least 64 bytes. Returns their sum. */
KEEP static uint32_t deep(uint32_t depth)
{
	volatile uint32_t local[8];

	if (depth == 0)
		return 0;
	local[depth & 7] = depth;
	return deep(depth - 1) + local[depth & 7];
}

int main(int argc, char **argv)
{
	uint32_t size = argument(argc, argv, 1, 20);
	uint32_t fib = fibonacci(size), ack = ackermann(2, size);
	uint32_t hof = female(size + 10), sum = deep(size * 100);

	if (ack != 2 * size + 3 || sum != size * 100 * (size * 100 + 1) / 2)
		return 1;
	printf("recursion: %lu %lu %lu %lu\n", (unsigned long)fib, (unsigned long)ack,
	       (unsigned long)hof, (unsigned long)sum);
	return 0;
}
