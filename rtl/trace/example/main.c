/* SPDX-License-Identifier: Apache-2.0 */
/* A program with what makes call stacks interesting: recursion, calls through pointers,
 * tail calls, routines of the compiler's library, and system calls. */
#include "example.h"

static void put(char c)
{
	register unsigned a0 __asm__("a0") = (unsigned char)c;
	register unsigned a7 __asm__("a7") = CALL_PUT;
	__asm__ volatile("ecall" : "+r"(a0) : "r"(a7) : "memory");
}

/* 64-bit divisions are calls on RV32. */
__attribute__((noinline)) static void print(unsigned long long value)
{
	if (value >= 10)
		print(value / 10);
	put((char)('0' + value % 10));
}

__attribute__((noinline)) static void print_line(const char *name,
						 unsigned long long value)
{
	while (*name)
		put(*name++);
	print(value);
	put('\n');
}

__attribute__((noinline)) static unsigned fibonacci(unsigned n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

enum { VALUES = 200 };
static unsigned values[VALUES];

static int ascending(unsigned a, unsigned b)
{
	return (a > b) - (a < b);
}

static int descending(unsigned a, unsigned b)
{
	return ascending(b, a);
}

static int (*volatile order)(unsigned, unsigned);

__attribute__((noinline)) static void sort(unsigned *first, unsigned *last)
{
	if (last - first < 2)
		return;
	const unsigned pivot = *first;
	unsigned *low = first + 1, *high = last;
	while (low < high)
		if (order(*low, pivot) < 0) {
			low++;
		} else {
			const unsigned other = *--high;
			*high = *low;
			*low = other;
		}
	*first = *--low;
	*low = pivot;
	sort(first, low);
	sort(low + 1, last);
}

static unsigned next_random(unsigned state)
{
	return state * 1664525 + 1013904223;
}

__attribute__((noinline)) static unsigned checksum(const unsigned *data, unsigned count)
{
	unsigned sum = 1;
	for (unsigned i = 0; i < count; i++)
		sum = (sum * 31 + data[i]) % 1000003;
	return sum;
}

__attribute__((noinline)) static unsigned sorted_sum(int (*by)(unsigned, unsigned))
{
	unsigned state = 1;
	for (unsigned i = 0; i < VALUES; i++)
		values[i] = state = next_random(state);
	order = by;
	sort(values, values + VALUES);
	return checksum(values, VALUES); /* a tail call */
}

int main(void)
{
	print_line("fibonacci ", fibonacci(15));
	print_line("ascending ", sorted_sum(ascending));
	print_line("descending ", sorted_sum(descending));
	return 0;
}
