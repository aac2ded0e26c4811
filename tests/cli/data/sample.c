// SPDX-License-Identifier: Apache-2.0
// About 400,000 instructions that neither take interrupts nor depend on time, in three
// phases: sums of an array, a walk over a list that the L1D does not hold, and divisions.
#include <stdint.h>

enum { WORDS = 1 << 10, NODES = 1 << 13 };

static volatile uint32_t words[WORDS];
static struct node {
	struct node *next;
	uint64_t value, rest[6];
} nodes[NODES];

__attribute__((noinline)) static uint32_t sum_words(void)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < WORDS; i++)
		sum += words[i] ^ i;
	return sum;
}

__attribute__((noinline)) static uint64_t walk_list(void)
{
	uint64_t sum = 0;

	for (const struct node *n = nodes; n; n = n->next)
		sum += n->value;
	return sum;
}

__attribute__((noinline)) static uint64_t divide(unsigned n)
{
	uint64_t value = UINT64_C(0x123456789abcdef), sum = 0;

	for (unsigned i = 1; i < n; i++)
		sum += value / i;
	return sum;
}

void main(void)
{
	volatile uint64_t sum = 0;

	for (unsigned i = 0; i < NODES; i++)
		nodes[i * 1021 % NODES].next =
		    i + 1 < NODES ? &nodes[(i + 1) * 1021 % NODES] : 0;
	for (unsigned i = 0; i < 10; i++) {
		sum += sum_words();
		sum += walk_list();
		sum += divide(1000);
	}
	*(volatile uint32_t *)0x100000 = 0x5555;
	for (;;)
		;
}

__asm__(
    ".section .text.start, \"ax\"\n.globl _start\n_start: la sp, stack_top\n\tcall main");
