/* SPDX-License-Identifier: Apache-2.0 */
/* Linked lists for the benchmarks that wait for loads. */
#include "chase.h"

#include "benchmark.h"

enum { MOST = 2048 };

struct node {
	const struct node *next;
	uint64_t number;
};
static uint32_t order[MOST];

void chase_make(uint8_t *memory, uint32_t count, size_t step)
{
	make_cycle(order, count, 3);
	for (uint32_t i = 0; i < count; i++) {
		struct node *node = (struct node *)(memory + i * step);
		node->next = (const struct node *)(memory + order[i] * step);
		node->number = i;
	}
}

KEEP uint64_t chase(const uint8_t *memory, uint32_t steps)
{
	const struct node *node = (const struct node *)memory;

	for (uint32_t i = 0; i < steps; i += 8)
#pragma GCC unroll 8
		for (int part = 0; part < 8; part++)
			node = node->next;
	return node->number;
}

uint64_t chase_order(uint32_t steps)
{
	uint32_t node = 0;

	while (steps-- > 0)
		node = order[node];
	return node;
}
