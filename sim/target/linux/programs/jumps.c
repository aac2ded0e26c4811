/* SPDX-License-Identifier: Apache-2.0 */
/* Control flow that is not call and return: longjmp over many frames, tail calls,
 * calls through pointers, a callback of the C library, output by stdio.
 */
#include <setjmp.h>
#include <stdlib.h>

#include "check.h"

static jmp_buf back;

KEEP static void leave(void)
{
	longjmp(back, 2);
}

KEEP static unsigned dive(unsigned depth)
{
	if (depth > 0)
		return dive(depth - 1) + 1;
	leave();
	return 0;
}

KEEP static void jump(unsigned depth)
{
	if (setjmp(back) == 0)
		dive(depth);
}

KEEP static void jumped(void)
{
	for (unsigned depth = 0; depth < 8; depth++)
		jump(depth);
}

KEEP static unsigned last(unsigned x)
{
	return spin(x % 64);
}
KEEP static unsigned middle(unsigned x)
{
	return last(x + 1);
}
KEEP static unsigned first(unsigned x)
{
	return middle(x * 3);
}

static int order(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

KEEP static void sorted(void)
{
	unsigned numbers[100];

	for (unsigned i = 0; i < 100; i++)
		numbers[i] = spin(i);
	qsort(numbers, 100, sizeof(numbers[0]), order);
	for (unsigned i = 1; i < 100; i++)
		CHECK(numbers[i - 1] <= numbers[i]);
}

static void at_end(void)
{
	spin(10);
}

int main(void)
{
	unsigned (*const functions[])(unsigned) = {first, middle, last};
	unsigned sum = 0;

	atexit(at_end);
	jumped();
	for (unsigned i = 0; i < 30; i++)
		sum += functions[i % 3](i);
	sorted();
	printf("jumps: %u\n", sum);
	return 0;
}
