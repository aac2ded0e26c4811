/* SPDX-License-Identifier: Apache-2.0 */
/* Linked lists, as in CoreMark: find, reverse, and merge sort. */
#include "benchmark.h"

enum { NODES = 384, TURNS = 4 };

struct node {
	struct node *next;
	uint32_t key, value;
};
static struct node nodes[NODES];
static uint32_t orders[TURNS + 1][NODES];

KEEP static struct node *build(const uint32_t *order)
{
	for (uint32_t i = 0; i < NODES; i++)
		nodes[i] =
		    (struct node){i + 1 < NODES ? &nodes[i + 1] : NULL, order[i], i};
	return nodes;
}

KEEP static const struct node *find(const struct node *list, uint32_t key)
{
	while (list && list->key != key)
		list = list->next;
	return list;
}

KEEP static struct node *reverse(struct node *list)
{
	struct node *done = NULL;

	while (list) {
		struct node *next = list->next;
		list->next = done;
		done = list;
		list = next;
	}
	return done;
}

KEEP static struct node *merge(struct node *a, struct node *b)
{
	struct node *first = NULL, **end = &first;

	while (a && b) {
		struct node **least = a->key <= b->key ? &a : &b;
		*end = *least;
		end = &(*least)->next;
		*least = *end;
	}
	*end = a ? a : b;
	return first;
}

KEEP static struct node *sort(struct node *list, uint32_t count)
{
	struct node *middle = list, *rest;

	if (count < 2)
		return list;
	for (uint32_t i = 1; i < count / 2; i++)
		middle = middle->next;
	rest = middle->next;
	middle->next = NULL;
	list = sort(list, count / 2);
	return merge(list, sort(rest, count - count / 2));
}

/* Keys are 0 to NODES - 1: each is found once, and is in its position at the end. */
static uint64_t turn(const uint32_t *order)
{
	struct node *list = reverse(build(order));
	uint64_t good = 0;

	for (uint32_t key = 0; key < NODES; key += 4)
		good += find(list, key)->value < NODES;
	list = sort(list, NODES);
	for (uint32_t key = 0; list; list = list->next)
		good += list->key == key++;
	return good;
}

void prepare(void)
{
	for (uint32_t i = 0; i <= TURNS; i++)
		make_cycle(orders[i], NODES, i + 1);
	turn(orders[TURNS]);
}

uint64_t benchmark(void)
{
	uint64_t good = 0;

	for (uint32_t i = 0; i < TURNS; i++)
		good += turn(orders[i]);
	return good;
}

bool right(uint64_t good)
{
	return good == TURNS * (NODES + NODES / 4);
}
