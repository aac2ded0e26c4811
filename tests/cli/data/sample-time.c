// SPDX-License-Identifier: Apache-2.0
// Says how many cycles 100 instructions take at its start, and later: divisions all the
// time.
#include <stdint.h>

#define READ(csr)                                                                        \
	({                                                                               \
		uint64_t value;                                                          \
		__asm__ volatile("csrr %0, " #csr : "=r"(value));                        \
		value;                                                                   \
	})

__attribute__((noinline)) static uint64_t divide(unsigned n)
{
	uint64_t value = UINT64_C(0x123456789abcdef), sum = 0;

	for (unsigned i = 1; i <= n; i++)
		sum += value / i;
	return sum;
}

static void put(char c)
{
	*(volatile char *)0x10000000 = c;
}

static void print(uint64_t value)
{
	if (value >= 10)
		print(value / 10);
	put((char)('0' + value % 10));
}

static void measure(unsigned n)
{
	const uint64_t cycles = READ(mcycle), instructions = READ(minstret);

	divide(n);
	print(100 * (READ(mcycle) - cycles) / (READ(minstret) - instructions));
	put('\n');
}

void main(void)
{
	divide(2000);
	measure(2000);
	divide(30000);
	measure(30000);
	*(volatile uint32_t *)0x100000 = 0x5555;
	for (;;)
		;
}

__asm__(
    ".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\n\tcall main");
